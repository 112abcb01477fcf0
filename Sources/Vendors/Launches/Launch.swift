// A launch of a vendor's app: the parameters of its link.
//
// Invariant: the parameters follow the contract: all required ones are present, none is empty or
// repeated, and they are in the order of the link. Left out: reading a link that may be invalid,
// which is `LaunchCheck`.

import AppLinks

/// A request to a vendor's app, as its launch link carries it.
///
/// Values of `login` and `password` are unencrypted, as the vendor requires: don't log a launch.
public struct Launch: Sendable, Equatable {
    /// A name and its decoded value.
    public struct Parameter: Sendable, Equatable {
        /// The name, as the contract spells it.
        public let name: String
        /// The value; never empty in a launch.
        public let value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The forms of a launch link.
    public enum Form: String, CaseIterable, Sendable {
        /// The vendor's link; all vendors have it.
        case link
        /// Welltory's scheme for Android, where the app is installed.
        case android
        /// Welltory's page in the Play Store, where the app is not installed yet.
        case playStore = "play-store"
    }

    /// The contract of the link.
    public let contract: Contract

    /// The form of the link; `link` except for Welltory.
    public let form: Form

    /// The parameters in the order of the link.
    ///
    /// Values are decoded: Dimmy's callback is a URL here, not Base64.
    public let parameters: [Parameter]

    /// Creates a launch from parameters in any order; empty ones are dropped.
    ///
    /// For the keys of a contract see `knownParameters(of:)`. Ailet's `back_url_scheme` may include
    /// the colon and slashes that its app adds itself. Welltory accepts additional parameters,
    /// which its Android app sends back.
    ///
    /// Throws for parameters that the vendor would refuse.
    public init(
        _ contract: Contract, _ parameters: [Parameter], form: Form = .link
    ) throws(LaunchError) {
        guard Contract.launchable.contains(contract) else { throw .notLaunchable(contract) }
        self.contract = contract
        self.form = contract == .welltoryDDS ? form : .link
        let given = parameters.filter { !$0.value.isEmpty }.map { parameter in
            contract == .ailetDeeplink && parameter.name == "back_url_scheme"
                ? Parameter(parameter.name, AiletScheme.value(parameter.value)) : parameter
        }
        for (index, parameter) in given.enumerated()
        where given[..<index].contains(where: { $0.name == parameter.name }) {
            throw .repeatedParameter(parameter.name)
        }
        let rules = try LaunchRules(contract, given)
        try rules.check(given)
        self.parameters =
            rules.known.compactMap { name in given.first { $0.name == name } }
            + given.filter { !rules.known.contains($0.name) }
    }

    /// The value of a parameter; nil if it is absent.
    public func value(of name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The parameter that names the callback; nil for Rezolve's links, which have none.
    public static func callbackParameter(of contract: Contract) -> String? {
        switch contract {
        case .dimmy2024, .flux, .welltoryDDS: "callback"
        case .ailetDeeplink: "back_url_scheme"
        case .fluxWebhook, .rezolveTrigger, .rezolveAct: nil
        }
    }

    /// The callback: a URL, an Android `package/activity`, or `scheme:` for Ailet; nil if the
    /// launch has none.
    public var callback: String? {
        guard let name = Self.callbackParameter(of: contract), let value = value(of: name) else {
            return nil
        }
        return contract == .ailetDeeplink ? AiletScheme.callback(value) : value
    }

    /// Whether it ends on a screen of the vendor's app even if it names a callback.
    public var endsOnScreen: Bool {
        contract == .rezolveTrigger
            || contract == .ailetDeeplink
                && value(of: "method").flatMap(AiletMethod.init)?.endsOnScreen == true
    }

    /// The same launch with another callback.
    ///
    /// Throws for an invalid callback, and for Rezolve's links, which have none.
    public func returning(to callback: String) throws(LaunchError) -> Launch {
        let name = Self.callbackParameter(of: contract) ?? "callback"
        let others = parameters.filter { $0.name != name }
        return try Launch(contract, others + [Parameter(name, callback)], form: form)
    }

    /// The same launch with a flow id in its callback; unchanged if none can be carried.
    ///
    /// Ailet's scheme carries none: the vendor's own keys identify its callbacks. For an Android
    /// activity it is a parameter of the launch, which comes back with the result (vendor document
    /// 2.1). See `CallbackURL.carrying(flow:isReceiver:)`.
    public func carrying(flow: String, isReceiver: Bool) -> Launch {
        guard let callback, let url = try? CallbackURL(callback) else { return self }
        if url.kind == .component, FlowID.isValid(flow.utf8) {
            let others = parameters.filter { $0.name != FlowID.parameter }
            let all = others + [Parameter(FlowID.parameter, flow)]
            return (try? Launch(contract, all, form: form)) ?? self
        }
        guard
            contract != .ailetDeeplink || url.kind == .web,
            let carrier = url.carrying(flow: flow, isReceiver: isReceiver)
        else { return self }
        return (try? returning(to: carrier.description)) ?? self
    }

    /// The keys of a contract, in the order of its links.
    public static func knownParameters(of contract: Contract) -> [String] {
        LaunchRules.known(contract, method: nil)
    }
}

/// Ailet's `back_url_scheme`: a name, to which its app adds `:?result=`.
enum AiletScheme {
    /// The callback that a value means: `scheme:` for a name, otherwise the value itself.
    static func callback(_ value: String) -> String {
        isName(value) ? value + ":" : value
    }

    /// The value that gives `callback`: without the colon and slashes of a plain scheme.
    static func value(_ callback: String) -> String {
        guard let colon = callback.firstIndex(of: ":") else { return callback }
        let rest = callback[callback.index(after: colon)...]
        return rest.isEmpty || rest == "//" ? String(callback[..<colon]) : callback
    }

    /// Whether `text` is a scheme without its colon (RFC 3986 §3.1).
    static func isName(_ text: String) -> Bool {
        !text.contains(":") && LinkURL(text + ":").scheme == text
    }
}
