// Parses a launch link as the vendor's app would. The only entry: `LaunchCheck(of:as:)`.
//
// Invariant: checking never fails and never traps; offsets refer to the link as given. Values of
// `login` and `password` are never shown, only their presence. A pure function.

import JSON
import LinkPatterns

/// The content of a launch link, its diagnostics, and the reaction of the vendor's app.
public struct LaunchCheck: Sendable {
    /// The contract by which the link was read; nil if it is not a vendor's link.
    public let contract: Contract?

    /// The parameters in the order of the link, even of an invalid one; credentials are a mark.
    public let parameters: [Launch.Parameter]

    /// The callbacks, even of an invalid link, without those that can't be read; each with its
    /// parameter.
    public let callbacks: [(parameter: String, url: CallbackURL)]

    /// The main callback, or the first for another end; nil if there is none.
    public var callback: CallbackURL? { callbacks.first?.url }

    /// The launch; nil if there is any error, and for an engagement whose host names no region.
    ///
    /// It holds unencrypted credentials.
    public let launch: Launch?

    /// The diagnostics; at most `Limits.maximumDiagnostics`.
    public let diagnostics: [Diagnostic]

    /// The reaction of the vendor's app.
    public let reaction: Reaction

    /// The hosts of launch links, by name; each with the contract of its links.
    public static let hosts = Dictionary(
        LaunchReader.hosts.map { ($0.host, $0.contract) }, uniquingKeysWith: { first, _ in first })

    /// The contract of links on a host, given in lower case without port; nil for other hosts.
    ///
    /// A contract may claim further hosts: Rezolve has one for each region.
    public static func contract(ofHost host: String) -> Contract? {
        hosts[host] ?? contract(ofUnlistedHost: host)
    }

    /// The contract of links on a host that isn't in `hosts`.
    public static func contract(ofUnlistedHost host: String) -> Contract? {
        LaunchReader.hostRules.first { $0.owns(host) }?.contract
    }

    /// The flow id in the callback, or in a launch with an Android activity; nil if absent.
    public var flow: String? {
        if let flow = callback?.flow { return flow }
        let own = parameters.first { $0.name == FlowID.parameter }?.value
        return own.flatMap { FlowID.isValid($0.utf8) ? $0 : nil }
    }

    /// The vendor of the link; nil if it has none.
    public var vendor: Vendor? { contract?.vendor }

    /// Whether there is no error.
    public var isOK: Bool { !diagnostics.contains { $0.severity == .error } }

    /// Whether the callback has a scheme that runs script or reads files.
    public var refusesScheme: Bool { diagnostics.contains { $0.code == Self.refusedCallback } }

    static let refusedCallback = "refused_callback"

    /// Checks a link, in O(its length).
    ///
    /// - Parameters:
    ///   - link: a whole URL, or a request target if the contract is given. Whitespace around it is
    ///     not ignored.
    ///   - contract: the contract to read it by, which an endpoint that emulates the vendor knows.
    ///     Host and path are then ignored, except for Rezolve, whose path is the message: after the
    ///     prefix `/emulate/rezolve` if present. Nil detects the contract by scheme and host.
    ///   - partners: those that Welltory knows; nil takes every one for known.
    public init(
        of link: [UInt8], as contract: Contract? = nil, partners: [RegisteredPartner]? = nil
    ) {
        self.init(LaunchReader(link, as: contract, partners: partners), countingFrom: 0)
    }

    /// Checks a request to a vendor's own host, including host and path, in O(its length).
    ///
    /// Offsets refer to `target`.
    ///
    /// - Parameters:
    ///   - target: the request target.
    ///   - host: in lower case, without port.
    ///   - partners: those that Welltory knows; nil takes every one for known.
    public init(ofTarget target: [UInt8], on host: String, partners: [RegisteredPartner]? = nil) {
        let origin = Array("https://\(host)".utf8)
        self.init(
            LaunchReader(origin + target, as: nil, partners: partners), countingFrom: origin.count)
    }

    private init(_ reader: LaunchReader, countingFrom start: Int) {
        var reader = reader
        let reaction = reader.read()
        self.contract = reader.contract
        parameters = reader.parameters.map { parameter in
            Redaction.isCredential(Array(parameter.name.utf8)[...])
                ? Launch.Parameter(parameter.name, Redaction.mark) : parameter
        }
        callbacks = reader.callbacks
        diagnostics = reader.diagnostics.map { $0.counted(from: start) }
        self.reaction = reaction
        launch = diagnostics.contains { $0.severity == .error } ? nil : reader.launch
    }

    /// Writes the check as one JSON object.
    ///
    /// Its members are `vendor`, `contract`, `ok`, `parameters`, `callback`, `diagnostics` and
    /// `reaction`, which is `{"kind","query","rule","inferred"}`.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("vendor", vendor?.rawValue)
            json.member("contract", contract?.rawValue)
            json.member("ok", isOK)
            json.object("parameters") { json in
                for parameter in parameters { json.member(parameter.name, shown(parameter)) }
            }
            json.member("callback", callback.map { Self.redacted($0.description) })
            json.array("diagnostics") { json in
                for diagnostic in diagnostics { diagnostic.write(to: &json) }
            }
            json.object("reaction") { json in
                json.member("kind", reaction.kind.rawValue)
                json.member("query", reaction.query)
                json.member("rule", reaction.rule)
                json.member("inferred", reaction.isInferred)
            }
        }
    }

    /// The main callback where no parameter shows it, because the link encodes it once more.
    public var decodedCallback: String? {
        guard let text = callback?.description, !parameters.contains(where: { $0.value == text })
        else { return nil }
        return Self.redacted(text)
    }

    /// A parameter's value, without credentials in the callback's own query.
    public func shown(_ parameter: Launch.Parameter) -> String {
        Self.redacted(parameter.value)
    }

    private static func redacted(_ text: String) -> String {
        String(decoding: Redaction.redactTarget(Array(text.utf8)), as: UTF8.self)
    }
}
