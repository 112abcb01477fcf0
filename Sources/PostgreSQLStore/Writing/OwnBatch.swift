// What this instance has stored itself, for its own feed: it need not be read back.

import ResultStore

/// A record that this instance has stored.
struct OwnRecord: Sendable {
    let facts: RecordFacts
    private let record: PreparedRecord

    init(_ record: PreparedRecord, _ id: RecordID, _ sequence: Int) {
        var facts = record.facts
        (facts.id, facts.sequence) = (id, sequence)
        self.facts = facts
        self.record = record
    }

    /// Whether the record had been stored before, and was decoded again.
    var isDecodedAgain: Bool { record.replaces != nil }

    /// The stored line.
    var line: StoredLine {
        StoredLine(
            id: facts.id, sequence: facts.sequence, kind: facts.kind,
            receivedAt: facts.receivedAt, redecodedAt: record.redecodedAt, tail: record.tail)
    }
}

/// Records that this instance has stored in one transaction, in order.
struct OwnBatch: Sendable {
    let records: [OwnRecord]
    let bytes: Int
    let microseconds: UInt64
}

extension PreparedRecord {
    /// What no other record may have claimed: see `KeyClaim`.
    var claim: [Int64]? {
        guard let idempotency, let keyClaim else { return nil }
        return [idempotency, Int64(keyClaim.follows), Int64(keyClaim.part)]
    }
}
