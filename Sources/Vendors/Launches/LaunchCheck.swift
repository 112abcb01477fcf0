// A launch link, taken apart as the vendor's app would. The one way in: `LaunchCheck(of:as:)`.
//
// Invariant: checking never fails and never traps; offsets count in the link as it was given. What
// it says of `login` and `password` is that they are there. A pure function.

import AppLinks
import JSON

/// What is in a launch link, what is wrong with it, and what the vendor's app does then.
public struct LaunchCheck: Sendable {
    /// The contract by which the link was read; nil when it is no vendor's link.
    public let contract: Contract?

    /// The parameters in the order of the link, also of a wrong one; credentials are a mark.
    public let parameters: [Launch.Parameter]

    /// Where the answer goes, also of a wrong link; nil when there is none or it can't be read.
    public let callback: CallbackURL?

    /// The launch; nil when anything about the link is an error, and for an engagement whose host
    /// names no region.
    ///
    /// It holds credentials in clear.
    public let launch: Launch?

    /// The findings; at most `Limits.maximumDiagnostics`.
    public let diagnostics: [Diagnostic]

    /// What the vendor's app does.
    public let reaction: Reaction

    /// The hosts of launch links, by name; each with the contract of its links.
    public static let hosts = Dictionary(
        LaunchReader.hosts.map { ($0.host, $0.contract) }, uniquingKeysWith: { first, _ in first })

    /// The contract of the links of a host, in lower case and without port; nil for nobody's.
    ///
    /// Besides those of `hosts`, Rezolve has a host for each region.
    public static func contract(ofHost host: String) -> Contract? {
        if let contract = hosts[host] { return contract }
        if case .engagements = RezolvePath(of: Array("https://\(host)/".utf8)[...]).site {
            return .rezolveTrigger
        }
        return nil
    }

    /// The id of the flow that the callback carries, or the launch to an Android activity; nil when
    /// there is none.
    public var flow: String? {
        if let flow = callback?.flow { return flow }
        let own = parameters.first { $0.name == FlowID.parameter }?.value
        return own.flatMap { FlowID.isValid($0.utf8) ? $0 : nil }
    }

    /// Whose link it is; nil when it is nobody's.
    public var vendor: Vendor? { contract?.vendor }

    /// Whether nothing about the link is an error.
    public var isOK: Bool { !diagnostics.contains { $0.severity == .error } }

    /// Whether the callback has a scheme that runs script or reads files.
    public var refusesScheme: Bool { diagnostics.contains { $0.code == Self.refusedCallback } }

    static let refusedCallback = "refused_callback"

    /// Checks a link, in O(its length).
    ///
    /// - Parameters:
    ///   - link: a whole URL, or a request target when the contract is named. Whitespace around it
    ///     is not ignored.
    ///   - contract: the contract to read it by, as an endpoint that emulates the vendor knows it.
    ///     Host and path then don't matter, but for Rezolve's, whose path is the message: behind
    ///     `/emulate/rezolve`, where it begins so. Nil to tell by scheme and host.
    public init(of link: [UInt8], as contract: Contract? = nil) {
        self.init(LaunchReader(link, as: contract), countingFrom: 0)
    }

    /// Checks what a vendor's own host was asked for, host and path included, in O(its length).
    ///
    /// Offsets count in `target`.
    ///
    /// - Parameters:
    ///   - target: the request target.
    ///   - host: in lower case, without port.
    public init(ofTarget target: [UInt8], on host: String) {
        let origin = Array("https://\(host)".utf8)
        self.init(LaunchReader(origin + target, as: nil), countingFrom: origin.count)
    }

    private init(_ reader: LaunchReader, countingFrom start: Int) {
        var reader = reader
        let reaction = reader.read()
        self.contract = reader.contract
        parameters = reader.parameters.map { parameter in
            Redaction.isCredential(Array(parameter.name.utf8)[...])
                ? Launch.Parameter(parameter.name, Redaction.mark) : parameter
        }
        callback = reader.callback
        diagnostics = reader.diagnostics.map { $0.counted(from: start) }
        self.reaction = reaction
        launch = diagnostics.contains { $0.severity == .error } ? nil : reader.launch
    }

    /// Writes `{"vendor","contract","ok","parameters":{…},"callback","diagnostics":[…],"reaction"}`.
    ///
    /// `reaction` is `{"kind","query","rule","inferred"}`.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("vendor", vendor?.rawValue)
            json.member("contract", contract?.rawValue)
            json.member("ok", isOK)
            json.key("parameters")
            json.object { json in
                for parameter in parameters { json.member(parameter.name, shown(parameter)) }
            }
            json.member("callback", callback.map { Self.redacted($0.description) })
            json.key("diagnostics")
            json.array { json in
                for diagnostic in diagnostics { diagnostic.write(to: &json) }
            }
            json.key("reaction")
            json.object { json in
                json.member("kind", reaction.kind.rawValue)
                json.member("query", reaction.query)
                json.member("rule", reaction.rule)
                json.member("inferred", reaction.isInferred)
            }
        }
    }

    /// A parameter's value, without credentials in the callback's own query.
    public func shown(_ parameter: Launch.Parameter) -> String {
        Self.redacted(parameter.value)
    }

    private static func redacted(_ text: String) -> String {
        String(decoding: Redaction.redactTarget(Array(text.utf8)), as: UTF8.self)
    }
}
