// The result of decoding a callback. The entry is `Decoding(of:from:)`; where no vendor is known,
// `Decoding(ofUnknownVendor:hint:)`.
//
// Invariant: decoding never fails and never traps; a message that can't be decoded gives a decoding
// with the verdict `undecodable` and a diagnostic. A pure function: no clock, no I/O, no state.

import JSON

/// The result of decoding one callback by one vendor's contract.
public struct Decoding: Sendable {
    /// The contract that was applied; nil if absent.
    public var contract: Contract?

    /// The vendor's outcome; nil if the message doesn't give one.
    ///
    /// A message that can't be decoded can still give one, such as Flux's with a broken item.
    public var outcome: Outcome?

    /// How well the message could be decoded.
    public var verdict: Verdict

    /// The decoded value; nil if nothing was decoded.
    public internal(set) var document: JSONDocument?

    /// The diagnostics, outer layers first; at most `Limits.maximumDiagnostics`.
    public var diagnostics: [Diagnostic]

    /// The flow id that query, form or JSON carry as `FlowID.parameter`; nil without one.
    public var flow: String?

    /// The decoded value as compact JSON text in UTF-8 on one line; nil if nothing was decoded.
    public var value: [UInt8]? { document?.bytes }

    /// Decodes `callback` by the contracts of `vendor`, in O(its length).
    ///
    /// `raw` decodes nothing. Of repeated parameters, Welltory's last one is used and otherwise the
    /// first, as in the vendors' own sample code; query parameters precede the body's.
    ///
    /// - Parameter pinned: the contract that the receiver expects. It decides if the message is
    ///   ambiguous; a message of another contract is decoded by that, with a diagnostic
    ///   `other_contract`.
    public init(of callback: Callback, from vendor: Vendor, contract pinned: Contract? = nil) {
        if let link = WrappedLink(callback, to: vendor) {
            self = link.decoding(from: vendor, contract: pinned)
            return
        }
        var message = Message(callback)
        let flow = message.flow
        self = vendor.declaration.decode(&message, pinned)
        for index in diagnostics.indices where diagnostics[index].part == .body {
            diagnostics[index].locate(in: message)
        }
        self.flow = flow
        compare(with: pinned, of: callback, from: vendor)
    }

    /// Reads the parts of a callback of which no vendor is known, and decodes nothing.
    ///
    /// What is broken in the parts comes first: it may be why no vendor was recognised.
    ///
    /// - Parameter hint: how the vendor can be given.
    package init(ofUnknownVendor callback: Callback, hint: String) {
        self.init(of: callback, from: .raw)
        var findings = Message(callback).findings
        findings.add(
            .error, .model, "unknown_vendor", in: callback.body == nil ? .target : .body,
            expected: "parameters of a vendor", found: "none of any known vendor", hint: hint)
        diagnostics = findings.list
    }

    /// Creates a decoding from its parts.
    init(
        contract: Contract?, outcome: Outcome?, verdict: Verdict, document: JSONDocument?,
        diagnostics: [Diagnostic]
    ) {
        self.contract = contract
        self.outcome = outcome
        self.verdict = verdict
        self.document = document
        self.diagnostics = diagnostics
    }

    /// Creates a decoding; the verdict follows from value and diagnostics.
    ///
    /// Without a value, `outcome` must be one that the message says itself.
    ///
    /// Redacts credentials in the value here, so that no contract can forget it.
    init(contract: Contract, outcome: Outcome?, value: JSONWriter?, findings: Findings) {
        let document = value.flatMap(Self.document)
        let isFlawed = findings.list.contains { $0.severity != .info }
        // An error means that a message is undecodable, so that verdict and severities agree.
        let list = document == nil ? findings.list : findings.list.map(\.atMostWarning)
        self.init(
            contract: contract, outcome: outcome,
            verdict: document == nil ? .undecodable : isFlawed ? .decodedWithWarnings : .decoded,
            document: document, diagnostics: list)
    }

    /// What a contract's decoder wrote, without credentials.
    private static func document(_ value: JSONWriter) -> JSONDocument? {
        // A record holds the value one level deeper.
        let depth = JSON.Limits.maximumDepth - 1
        let redacted = Redaction.redactBody(value.bytes)
        return redacted == value.bytes
            ? value.document(maximumDepth: depth)
            : try? JSONDocument(parsing: redacted, maximumDepth: depth)
    }
}
