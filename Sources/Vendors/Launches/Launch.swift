// A launch of a vendor's app: what its link says.
//
// Invariant: the parameters follow the contract: every required one is there, none is empty, none
// repeats, and they stand in the order of the link. Left out: reading a link that may be wrong,
// which is `LaunchCheck`.

import AppLinks

/// What a launch link asks a vendor's app to do.
///
/// Values of `login` and `password` are in clear, as the vendor wants them: don't log a launch.
public struct Launch: Sendable, Equatable {
    /// A name and its value, without any escapes.
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

    /// The ways in which a launch may be written.
    public enum Form: String, CaseIterable, Sendable {
        /// The vendor's link: all of them have it.
        case link
        /// Welltory's scheme for Android, where the app is installed.
        case android
        /// Welltory's page in the Play Store, where the app is not installed yet.
        case playStore = "play-store"
    }

    /// Whose link it is.
    public let contract: Contract

    /// How it is written; `link` but for Welltory.
    public let form: Form

    /// The parameters in the order of the link.
    ///
    /// The values are unescaped: Dimmy's callback is a URL here and no Base64.
    public let parameters: [Parameter]

    /// Creates a launch, its parameters in any order; empty ones are left out.
    ///
    /// For the keys of a contract see `knownParameters(of:)`. Ailet's `back_url_scheme` may have the
    /// colon and slashes that its app writes itself. Welltory takes any others too, which
    /// its Android app sends back.
    ///
    /// Throws for what the vendor would not take.
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

    /// The value of a parameter; nil when it is not there.
    public func value(of name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The parameter that says where the answer goes; nil for Rezolve's links, which have none.
    public static func callbackParameter(of contract: Contract) -> String? {
        switch contract {
        case .dimmy2024, .flux, .welltoryDDS: "callback"
        case .ailetDeeplink: "back_url_scheme"
        case .fluxWebhook, .rezolveTrigger, .rezolveAct: nil
        }
    }

    /// Where the answer goes: a URL, an Android `package/activity`, or `scheme:` for Ailet; nil when
    /// the launch doesn't say.
    public var callback: String? {
        guard let name = Self.callbackParameter(of: contract), let value = value(of: name) else {
            return nil
        }
        return contract == .ailetDeeplink ? AiletScheme.callback(value) : value
    }

    /// Whether it ends on a screen of the vendor's app even where it names a callback.
    public var endsOnScreen: Bool {
        contract == .rezolveTrigger
            || contract == .ailetDeeplink
                && value(of: "method").flatMap(AiletMethod.init)?.endsOnScreen == true
    }

    /// The same launch with another callback.
    ///
    /// Throws for what is no callback, and for Rezolve's links, which have none.
    public func returning(to callback: String) throws(LaunchError) -> Launch {
        let name = Self.callbackParameter(of: contract) ?? "callback"
        let others = parameters.filter { $0.name != name }
        return try Launch(contract, others + [Parameter(name, callback)], form: form)
    }

    /// The same launch with the id of a flow in its callback; the same where none can be carried.
    ///
    /// Ailet's scheme carries none: its answers are told by the vendor's own keys. For an Android
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

    /// The keys that a contract knows, in the order of its links.
    public static func knownParameters(of contract: Contract) -> [String] {
        LaunchRules.known(contract, method: nil)
    }
}

/// Ailet's `back_url_scheme`: a name, behind which its app puts `:?result=`.
enum AiletScheme {
    /// The callback that a value means: `scheme:` for a name, and else what stands there.
    static func callback(_ value: String) -> String {
        isName(value) ? value + ":" : value
    }

    /// The value that makes `callback`: without the colon and slashes of a mere scheme.
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
