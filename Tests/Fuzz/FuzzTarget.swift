// The parsers that are fuzzed, each by its name, which is also that of its corpus and dictionary.
//
// A check traps where a parser breaks a rule that holds for every input: libFuzzer then keeps the
// input. Each parser's rules stand in a file of their own.

import Vendors

/// One parser of what peers send.
enum FuzzTarget: String, CaseIterable {
    case head
    case chunks
    case ranges
    case conditions
    case codings
    case link
    case pattern
    case association
    case proxy
    case forwarded
    case date
    case authority
    case gzip
    case address
    case json
    case agents
    case dimmy2024 = "dimmy-2024"
    case flux
    case fluxWebhook = "flux-webhook"
    case welltoryDDS = "welltory-dds"
    case ailetDeeplink = "ailet-deeplink"
    case redaction

    /// Reads `bytes`; traps when the reading breaks a rule.
    func check(_ bytes: [UInt8]) {
        switch self {
        case .head: Self.checkHead(bytes)
        case .chunks: Self.checkChunks(bytes)
        case .ranges: Self.checkRanges(bytes)
        case .conditions: Self.checkConditions(bytes)
        case .codings: Self.checkCodings(bytes)
        case .link: Self.checkLink(bytes)
        case .pattern: Self.checkPattern(bytes)
        case .association: Self.checkAssociation(bytes)
        case .proxy: Self.checkProxy(bytes)
        case .forwarded: Self.checkForwarded(bytes)
        case .date: Self.checkDate(bytes)
        case .authority: Self.checkAuthority(bytes)
        case .gzip: Self.checkGzip(bytes)
        case .address: Self.checkAddress(bytes)
        case .json: Self.checkJSON(bytes)
        case .agents: Self.checkAgents(bytes)
        case .dimmy2024: Self.check(Contract.dimmy2024, bytes)
        case .flux: Self.check(Contract.flux, bytes)
        case .fluxWebhook: Self.check(Contract.fluxWebhook, bytes)
        case .welltoryDDS: Self.check(Contract.welltoryDDS, bytes)
        case .ailetDeeplink: Self.check(Contract.ailetDeeplink, bytes)
        case .redaction: Self.checkRedaction(bytes)
        }
    }

    /// Ends the process with `rule` unless it holds.
    static func expect(
        _ holds: Bool, _ rule: @autoclosure () -> String,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        if !holds { fatalError("broken rule: \(rule())", file: file, line: line) }
    }
}
