// Reads a line back: a record's facts, or an erasure.
//
// Invariant: the facts of a new record equal those read from its line. The only place that knows
// where a record holds its queryable values.

import Clocks
import JSON

/// The content of an intact line.
enum StoredContent: Sendable, Equatable {
    /// - `idempotency`: the hash of its key; nil without one.
    /// - `supersedes`: whether it replaces an earlier line of the same id.
    case record(RecordFacts, idempotency: Int64?, supersedes: Bool)
    case erasure(Erasure)

    /// Parses an intact line; nil if it is neither a record nor an erasure.
    ///
    /// O(size).
    init?(_ line: ArraySlice<UInt8>, catalog: FieldCatalog) {
        guard let root = try? JSONDocument(parsing: Array(line)).root else { return nil }
        self.init(root, catalog: catalog)
    }

    /// The line's number.
    var sequence: Int {
        switch self {
        case .record(let facts, _, _): facts.sequence
        case .erasure(let erasure): erasure.sequence
        }
    }

    /// Parses a line's root; nil if it is neither a record nor an erasure.
    init?(_ root: JSONNode, catalog: FieldCatalog) {
        if let erasure = Erasure(root) {
            self = .erasure(erasure)
            return
        }
        guard let id = root["id"]?.string.flatMap({ RecordID($0) }),
            let sequence = root["seq"]?.int,
            let receivedAt = root["received_at"]?.string.flatMap({ Timestamp($0.utf8) }),
            id.milliseconds == receivedAt.unixMilliseconds,
            let inbox = root["inbox"]?.string, let vendor = root["vendor"]?.string,
            let verdict = root["verdict"]?.string, let request = root["request"],
            let (kind, contract) = RecordKind.read(root)
        else { return nil }
        let codes = root["diagnostics"]?.elements.compactMap { $0["code"]?.string } ?? []
        let requestFacts = RecordRequest.Facts(request)
        var facts = RecordFacts(
            kind: kind, inbox: inbox, vendor: vendor, contract: contract,
            outcome: root["outcome"]?.string, verdict: verdict, flow: root["flow"]?.string,
            answered: root["answer"]?["status"]?.int, request: requestFacts, result: root["result"],
            codes: codes, catalog: catalog)
        facts.id = id
        facts.sequence = sequence
        facts.receivedAt = receivedAt
        self = .record(
            facts, idempotency: IdempotencyKey.hash(of: requestFacts, facts, codes: codes),
            supersedes: root["redecoded_at"] != nil)
    }
}

extension RecordFacts {
    /// Takes the facts of a record that is about to be written; id, number and time are set later.
    ///
    /// O(size of result, flow and codes).
    init(of record: borrowing NewRecord, catalog: borrowing FieldCatalog) {
        self.init(
            kind: record.kind, inbox: record.inbox, vendor: record.vendor,
            contract: record.contract, outcome: record.outcome, verdict: record.verdict,
            flow: record.flow, answered: record.answer?.status, request: record.request.facts,
            result: record.result?.root, codes: record.diagnostics.codes, catalog: catalog)
    }

    /// Takes the facts of a record in parts; id, number and time are set later.
    fileprivate init(
        kind: RecordKind, inbox: String, vendor: String, contract: String?, outcome: String?,
        verdict: String, flow: String?, answered: Int?, request: RecordRequest.Facts,
        result: JSONNode?, codes: [String], catalog: borrowing FieldCatalog
    ) {
        self.init(
            sequence: 0, id: RecordID(high: 0, low: 0), receivedAt: Timestamp(unixMilliseconds: 0),
            kind: kind, inbox: inbox, vendor: vendor, contract: contract, outcome: outcome,
            verdict: verdict, flow: flow, answered: answered, method: request.method,
            host: request.host,
            path: request.path, trace: request.trace, parameters: request.parameters,
            fields: catalog.values(in: result, of: vendor),
            words: catalog.words([outcome, flow] + codes, in: result, of: vendor))
    }
}

extension FieldCatalog {
    /// The declared fields of a result.
    ///
    /// O(fields · members on their paths).
    func values(in result: JSONNode?, of vendor: String) -> FieldValues {
        var values = FieldValues(count: fields.count)
        if let result, result.kind == .object {
            plans[vendor]?.addValues(in: result.document, at: result.index, to: &values)
        }
        return values
    }

    /// The folded words by which a record is searched: those of `texts`, and of the text at the
    /// vendor's paths; up to `Limits.recordWordBytes`.
    func words(_ texts: [String?], in result: JSONNode?, of vendor: String) -> String {
        var words: [UInt8] = []
        words.reserveCapacity(128)
        for case let text? in texts { Words.fold(text.utf8Span.span, into: &words) }
        if let result, result.kind == .object {
            plans[vendor]?.collectWords(of: result.document, at: result.index, into: &words)
        }
        return String(decoding: words, as: UTF8.self)
    }
}
