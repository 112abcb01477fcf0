// What the index hears of, in the order of the journal.

/// One row of the index: what a record is looked up by, and where its line stands.
struct IndexEntry: Sendable, Equatable {
    var facts: RecordFacts
    /// The hash of its idempotency key; nil without one.
    var idempotency: Int64?
    /// Whether it takes the place of an earlier line of the same id.
    var supersedes = false
    var segment: SegmentName
    /// The line's first byte in the segment's content.
    var offset: Int64
    /// Bytes of the line, without its end.
    var size: Int
}

/// A change of what is stored.
enum IndexChange: Sendable, Equatable {
    case record(IndexEntry)
    /// With where the erasure's own line ends: the index then knows everything up to there.
    case erasure(Erasure, segment: SegmentName, end: Int64)

    /// A record's id; nil for an erasure.
    var id: RecordID? {
        guard case .record(let entry) = self else { return nil }
        return entry.facts.id
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

    /// Behind the line with its end.
    var end: Int64 {
        switch self {
        case .record(let entry): entry.offset + Int64(entry.size) + 1
        case .erasure(_, _, let end): end
        }
    }
}
