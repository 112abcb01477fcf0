// A launch of a vendor's app: the parameters of its link.
//
// Invariant: the parameters follow the contract: all required ones are present, none is empty or
// repeated, and they are in the order of the link. Left out: reading a link that may be invalid,
// which is `LaunchCheck`.

import JSON

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

        /// Parses `name=value`; nil if either the sign or the name is missing.
        public init?(pair: String) {
            guard let equals = pair.firstIndex(of: "="), equals > pair.startIndex else {
                return nil
            }
            name = String(pair[..<equals])
            value = String(pair[pair.index(after: equals)...])
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

    /// The form of the link; `link` unless the contract has others.
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
        guard let links = contract.declaration.launch else { throw .notLaunchable(contract) }
        self.contract = contract
        self.form = links.forms.contains(form) ? form : .link
        let scheme = links.callback?.isScheme == true ? links.callback?.parameter : nil
        let given = parameters.filter { !$0.value.isEmpty }.map { parameter in
            parameter.name == scheme
                ? Parameter(parameter.name, CallbackScheme.value(parameter.value)) : parameter
        }
        for (index, parameter) in given.enumerated()
        where given[..<index].contains(where: { $0.name == parameter.name }) {
            throw .repeatedParameter(parameter.name)
        }
        try links.check(given)
        self.parameters =
            links.known.compactMap { name in given.first { $0.name == name } }
            + given.filter { !links.known.contains($0.name) }
    }

    /// The value of a parameter; nil if it is absent.
    public func value(of name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The parameter that names the callback; nil if the contract's links have none.
    public static func callbackParameter(of contract: Contract) -> String? {
        contract.declaration.launch?.callback?.parameter
    }

    /// All parameters that name a callback, each for another end; the main one is first.
    public static func callbackParameters(of contract: Contract) -> [String] {
        contract.declaration.launch?.callback?.names ?? []
    }

    /// Every parameter that names a callback, with values that lead to `callback`.
    ///
    /// For another end than success, the value has a query that lets a receiver distinguish it.
    public static func callbackParameters(
        of contract: Contract, to callback: String
    ) -> [Parameter] {
        guard let names = contract.declaration.launch?.callback else { return [] }
        let url = try? CallbackURL(callback)
        return [Parameter(names.parameter, callback)]
            + names.others.map { other in
                let marked = url?.appending(Array(other.mark.utf8))
                return Parameter(
                    other.parameter, marked.map { String(decoding: $0, as: UTF8.self) } ?? callback)
            }
    }

    /// The main callback: a URL, an Android `package/activity`, or `scheme:` for Ailet; nil if the
    /// launch has none.
    ///
    /// Without one for success, it is the first of those for other ends.
    public var callback: String? {
        let value = Self.callbackParameters(of: contract).compactMap(value).first
        return contract.returnsToScheme ? value.map(CallbackScheme.callback) : value
    }

    /// Whether it ends on a screen of the vendor's app even if it names a callback.
    public var endsOnScreen: Bool {
        contract.declaration.launch?.endsOnScreen(value) == true
    }

    /// The same launch with another callback.
    ///
    /// Throws for an invalid callback, and for Rezolve's links, which have none.
    public func returning(to callback: String) throws(LaunchError) -> Launch {
        var callbacks = Self.callbackParameters(of: contract, to: callback)
        if callbacks.isEmpty { callbacks = [Parameter("callback", callback)] }
        let others = parameters.filter { own in !callbacks.contains { $0.name == own.name } }
        return try Launch(contract, others + callbacks, form: form)
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
        guard !contract.returnsToScheme || url.kind == .web else { return self }
        let names = Self.callbackParameters(of: contract)
        let all = parameters.map { parameter in
            guard names.contains(parameter.name),
                let url = try? CallbackURL(parameter.value),
                let carrier = url.carrying(flow: flow, isReceiver: isReceiver)
            else { return parameter }
            return Parameter(parameter.name, carrier.description)
        }
        return (try? Launch(contract, all, form: form)) ?? self
    }

    /// The keys of a contract, in the order of its links.
    public static func knownParameters(of contract: Contract) -> [String] {
        contract.declaration.launch?.known ?? []
    }

    /// A launch with meaningless values and the callback URL `callback`.
    ///
    /// - Parameter number: makes visits and bar codes distinct, so that callbacks match their
    ///   launch.
    public static func sample(
        _ contract: Contract, callback: String, number: UInt64
    ) throws(LaunchError) -> Launch {
        try Launch(contract, sample(contract, callback: callback, number: number, besides: []))
    }

    /// The parameters of a sample that a link has besides the given ones.
    ///
    /// Those that its kind of link doesn't know are left out. If the given ones are all that it
    /// requires, only credentials and callbacks are left.
    public static func sample(
        _ contract: Contract, callback: String, number: UInt64, besides given: [Parameter]
    ) -> [Parameter] {
        guard let links = contract.declaration.launch else { return [] }
        let isGiven = { (name: String) in given.contains { $0.name == name } }
        let sample = links.sample(callback, number).map { Parameter($0.0, $0.1) }
            .filter { !isGiven($0.name) }
        // Without a kind of its own, it is the sample's.
        guard let names = try? links.names(given) else { return sample }
        let own = links.credentials.union(links.callback?.names ?? [])
        let isComplete = names.required.allSatisfy { own.contains($0) || isGiven($0) }
        return sample.filter { parameter in
            let isKnown = links.takesOthers || names.known.contains(parameter.name)
            return isKnown && (!isComplete || own.contains(parameter.name))
        }
    }
}

extension Vendor {
    /// Writes the kinds of links that a person may choose to make, the current contract's first.
    ///
    /// An array of `{"title","contract","parameters":[{"name","required"}],"given":{…},
    /// "callback":{"name","required","scheme"},"takes_others"}`; `callback` is null for a link that
    /// has none.
    public func writeLaunches(to json: inout JSONWriter) {
        let current = declaration.currentLaunch
        let contracts = Contract.launchable.filter { $0.vendor == self }
        json.array { json in
            for contract in contracts.filter({ $0 == current })
                + contracts
                .filter({ $0 != current })
            {
                contract.writeLaunches(to: &json)
            }
        }
    }
}

extension Contract {
    fileprivate func writeLaunches(to json: inout JSONWriter) {
        guard let launch = declaration.launch else { return }
        let callbacks = launch.callback?.names ?? []
        let own = LaunchContract.Kind(
            title: appTitle,
            parameters: launch.known.filter { !callbacks.contains($0) }
                .map { ($0, launch.required.contains($0)) },
            hasCallback: launch.callback != nil)
        for kind in launch.kinds.isEmpty ? [own] : launch.kinds {
            json.object { json in
                json.member("title", kind.title)
                json.member("contract", rawValue)
                json.objects("parameters", of: kind.parameters) { json, parameter in
                    json.member("name", parameter.name)
                    json.member("required", parameter.isRequired)
                }
                json.object("given") { json in
                    for given in kind.given { json.member(given.name, given.value) }
                }
                json.key("callback")
                if let callback = launch.callback, kind.hasCallback {
                    json.object { json in
                        json.member("name", callback.parameter)
                        json.member("required", kind.needsCallback)
                        json.member("scheme", callback.isScheme)
                    }
                } else {
                    json.null()
                }
                json.member("takes_others", launch.takesOthers)
            }
        }
    }

    /// Whether the app comes back from a launch with these parameters: it names a callback, and
    /// doesn't end on a screen of the app.
    public func comesBack(_ value: (_ name: String) -> String?) -> Bool {
        guard let launch = declaration.launch, let callback = launch.callback else { return false }
        return callback.names.contains { value($0) != nil } && !launch.endsOnScreen(value)
    }

    /// Whether the callback of its launches is an app's scheme, which can't carry a flow.
    public var returnsToScheme: Bool { declaration.launch?.callback?.isScheme == true }

    /// Whether its launch links have `form`.
    public func hasLaunchForm(_ form: Launch.Form) -> Bool {
        declaration.launch?.forms.contains(form) == true
    }

    /// The path at which its launches are emulated, without a slash at its start; nil if they
    /// aren't, or by a sandbox of the vendor.
    ///
    /// A component such as `:action` is a parameter of the launch.
    public var emulatedPath: String? { declaration.launch?.emulatedPath }

    /// The path below which a sandbox of the vendor's servers follows its links; nil if an app is
    /// emulated instead.
    public var sandboxPath: String? { declaration.launch?.sandboxPath }
}
