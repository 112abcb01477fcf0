// The rules for the parameters of a launch, by contract (vendor document 1.1, 2.1, 3.1, 4.4). Left
// out: diagnostics for received links, which include positions.

import AppLinks

/// The parameters of one launch: which are known and which are required.
struct LaunchRules {
    let contract: Contract
    /// In the order of the link.
    let known: [String]
    let required: [String]

    /// The rules for these parameters.
    ///
    /// Throws if they don't determine which of a contract's links is meant.
    init(_ contract: Contract, _ given: [Launch.Parameter]) throws(LaunchError) {
        self.contract = contract
        var method: AiletMethod?
        if contract == .ailetDeeplink {
            let known = AiletMethod.allParameters
            guard let name = given.first(where: { $0.name == "method" })?.value else {
                throw .missingParameter("method", known: known)
            }
            method = AiletMethod(rawValue: name)
            guard method != nil else {
                let methods = AiletMethod.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidValue(of: "method", expected: "one of \(methods)")
            }
        }
        known = Self.known(contract, method: method)
        required = Self.required(contract, method: method, given.map(\.name))
    }

    /// The keys of a contract, or of one method of Ailet's.
    static func known(_ contract: Contract, method: AiletMethod?) -> [String] {
        switch contract {
        case .dimmy2024: ["flow", "callback", "code"]
        case .flux: ["flowName", "callback", "code"]
        case .welltoryDDS: ["source", "callback"]
        case .ailetDeeplink:
            AiletMethod.allParameters.filter { name in
                guard let method else { return true }
                return name == "method" || (method.required + method.optional).contains(name)
            }
        case .rezolveTrigger:
            [
                "partner", "merchant", "category", "product", "ad", "placement", "path", "region",
                "engagementid",
            ]
        case .fluxWebhook, .rezolveAct: []
        }
    }

    private static func required(
        _ contract: Contract, method: AiletMethod?, _ given: [String]
    ) -> [String] {
        switch contract {
        case .dimmy2024: ["flow", "callback"]
        case .flux: ["flowName"]
        case .welltoryDDS: ["source", "callback"]
        case .ailetDeeplink: method?.required ?? []
        case .rezolveTrigger: RezolveForm(given).required
        case .fluxWebhook, .rezolveAct: []
        }
    }

    /// Throws for the first parameter that is unknown, missing or invalid.
    func check(_ given: [Launch.Parameter]) throws(LaunchError) {
        for parameter in given where !known.contains(parameter.name) {
            let nearest = Spelling.nearest(to: parameter.name, among: known)
            let isMeant = nearest.map { name in !given.contains { $0.name == name } } ?? false
            guard contract == .welltoryDDS, !isMeant, !parameter.name.isEmpty else {
                throw .unknownParameter(parameter.name, nearest: nearest, known: known)
            }
        }
        for name in required where !given.contains(where: { $0.name == name }) {
            throw .missingParameter(name, known: known)
        }
        for parameter in given { try checkValue(of: parameter) }
        if contract == .rezolveTrigger {
            let form = RezolveForm(given.map(\.name))
            for parameter in given where !form.known.contains(parameter.name) {
                throw .unknownParameter(parameter.name, nearest: nil, known: form.known)
            }
        }
    }

    private func checkValue(of parameter: Launch.Parameter) throws(LaunchError) {
        switch parameter.name {
        case Launch.callbackParameter(of: contract): try checkCallback(parameter)
        case "partner", "merchant", "category", "product":
            guard contract != .rezolveTrigger || RezolveForm.isNumber(parameter.value) else {
                throw .invalidValue(of: parameter.name, expected: "digits")
            }
        case "path" where contract == .rezolveTrigger:
            guard RezolveForm.isPath(parameter.value) else {
                throw .invalidValue(of: "path", expected: "numbers between slashes, as in 2/252/2")
            }
        case "region" where contract == .rezolveTrigger:
            guard RezolveForm.isRegion(parameter.value) else {
                throw .invalidValue(of: "region", expected: "letters and digits, as in eu")
            }
        default: break
        }
    }

    private func checkCallback(_ parameter: Launch.Parameter) throws(LaunchError) {
        if contract == .ailetDeeplink, AiletScheme.isName(parameter.value),
            !CallbackURL.isRefused(parameter.value)
        {
            return
        }
        let allowed: [CallbackURL.Kind] =
            switch contract {
            case .ailetDeeplink: [.web]
            case .welltoryDDS: [.web, .custom, .component]
            default: [.web, .custom]
            }
        let kind = try? CallbackURL(parameter.value).kind
        guard let kind, allowed.contains(kind) else {
            let expected =
                switch contract {
                case .ailetDeeplink: "an app's scheme, as in partnerapp"
                case .welltoryDDS: "a whole URL or an Android package/activity"
                default: "a whole URL, of https or an app's own scheme"
                }
            throw .invalidValue(of: parameter.name, expected: expected)
        }
    }
}
