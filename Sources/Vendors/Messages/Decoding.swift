// What became of a callback. The one way in: `Decoding(of:from:)`.
//
// Invariant: decoding never fails and never traps; what can't be decoded is a decoding with verdict
// `undecodable` and a diagnostic. A pure function: no clock, no I/O, no state.

/// The result of decoding one callback by one vendor's contract.
public struct Decoding: Sendable {
    /// The contract that was applied; nil when there is none.
    public var contract: Contract?

    /// What the vendor says happened; nil when the message doesn't say or can't be decoded.
    public var outcome: Outcome?

    /// How well the message could be decoded.
    public var verdict: Verdict

    /// The decoded value as compact JSON text in UTF-8 on one line; nil when nothing was decoded.
    public var value: [UInt8]?

    /// The findings, outer layers first; at most `Limits.maximumDiagnostics`.
    public var diagnostics: [Diagnostic]

    /// The id of the flow that query, form or JSON carry as `FlowID.parameter`; nil without one.
    public var flow: String?

    /// Decodes `callback` by the contracts of `vendor`, in O(its length).
    ///
    /// `raw` decodes nothing. Of parameters that repeat, Welltory's last one counts and the first
    /// one otherwise, as in the vendors' own sample code; query parameters come before the body's.
    ///
    /// - Parameter pinned: the contract that the receiver is to get. It decides where a message
    ///   doesn't tell; a message of another contract is decoded by that, with a finding
    ///   `other_contract`.
    public init(of callback: Callback, from vendor: Vendor, contract pinned: Contract? = nil) {
        var message = Message(callback)
        let flow = message.flow
        self = vendor.declaration.decode(&message, pinned)
        for index in diagnostics.indices where diagnostics[index].part == .body {
            diagnostics[index].locate(in: message)
        }
        self.flow = flow
        compare(with: pinned, of: callback, from: vendor)
    }

    /// Creates a decoding whose parts are given.
    init(
        contract: Contract?, outcome: Outcome?, verdict: Verdict, value: [UInt8]?,
        diagnostics: [Diagnostic]
    ) {
        self.contract = contract
        self.outcome = outcome
        self.verdict = verdict
        self.value = value
        self.diagnostics = diagnostics
    }

    /// Creates a decoding whose verdict follows from value and findings.
    ///
    /// Credentials in the value are redacted here, so that no contract can forget it.
    init(contract: Contract, outcome: Outcome?, value: [UInt8]?, findings: Findings) {
        let isFlawed = findings.list.contains { $0.severity != .info }
        // An error is what makes a message undecodable: verdict and severities say the same.
        let list = value == nil ? findings.list : findings.list.map(\.atMostWarning)
        self.init(
            contract: contract, outcome: value == nil ? nil : outcome,
            verdict: value == nil ? .undecodable : isFlawed ? .decodedWithWarnings : .decoded,
            value: value.map(Redaction.redactBody), diagnostics: list)
    }
}
