// The changes that the index receives, in the order of the journal.

/// One row of the index: the values that a record is found by, and the position of its line.
struct IndexEntry: Sendable, Equatable {
    var facts: RecordFacts
    /// Hash of its idempotency key; nil if it has none.
    var idempotency: Int64?
    /// Whether it replaces an earlier line of the same id.
    var supersedes = false
    /// Whether a record that was stored here was decoded again; one that was imported wasn't.
    var isDecodedAgain = false
    var segment: SegmentName
    /// Offset of the line's first byte in the segment's content.
    var offset: Int64
    /// Bytes of the line, without its newline.
    var size: Int

    /// The place of a new record's row, if no other row has it.
    var place: Int64 { Place.of(facts.receivedAt, facts.sequence) }
}

/// A change of what is stored.
enum IndexChange: Sendable, Equatable {
    /// Indirect, because batches and queues copy it, and its facts have dozens of parts.
    indirect case record(IndexEntry)
    /// An erasure and where its own line ends: the index then contains everything up to there.
    case erasure(Erasure, segment: SegmentName, end: Int64)

    /// A record's id; nil for an erasure.
    var id: RecordID? {
        guard case .record(let entry) = self else { return nil }
        return entry.facts.id
    }

    var isErasure: Bool {
        if case .erasure = self { true } else { false }
    }

    /// The erasure, if it may cover many records.
    var largeErasure: Erasure? {
        guard case .erasure(let erasure, _, _) = self else { return nil }
        if case .record = erasure.scope { return nil }
        return erasure
    }

    var sequence: Int {
        switch self {
        case .record(let entry): entry.facts.sequence
        case .erasure(let erasure, _, _): erasure.sequence
        }
    }

    var segment: SegmentName {
        switch self {
        case .record(let entry): entry.segment
        case .erasure(_, let segment, _): segment
        }
    }

    /// Offset after the line and its newline.
    var end: Int64 {
        switch self {
        case .record(let entry): entry.offset + Int64(entry.size) + 1
        case .erasure(_, _, let end): end
        }
    }
}

extension ArraySlice<IndexChange> {
    /// The changes that are applied together next: a large erasure is only at their beginning.
    var appliedAtOnce: Self {
        self[..<(dropFirst().firstIndex { $0.largeErasure != nil } ?? endIndex)]
    }
}
