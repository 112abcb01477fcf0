// What verification keeps of the lines that it has read, to compare it with the index: 56 bytes a
// record, so that a million of them need little memory.

import Clocks

/// The records and erasures of all files.
struct KnownLines {
    /// One record; names are stored as numbers.
    struct Record {
        let high: UInt64
        let low: UInt64
        let sequence: Int
        /// Offset of its line in the segment's content.
        let offset: Int64
        let size: Int32
        let file: Int32
        let inbox: Int32
        let facet: Int32
        /// Whether it replaces earlier lines of the same id.
        let supersedes: Bool
        /// Whether a later line, which is in the index, has replaced it; valid after `finish`.
        fileprivate(set) var isSuperseded = false

        var id: RecordID { RecordID(high: high, low: low) }
    }

    private(set) var records: [Record] = []
    /// Inbox names by number.
    private(set) var inboxes: [String] = []
    private(set) var facets: [Facet] = []

    private var inboxNumbers: [String: Int32] = [:]
    private var facetNumbers: [Facet: Int32] = [:]

    /// Erased records with the number of their erasure.
    private var erasedRecords: [RecordID: Int] = [:]
    private var erasedInboxes: [String: Int] = [:]
    /// Inboxes of which only unmatched records are erased.
    private var unmatchedInboxes: [String: Int] = [:]
    /// The number up to which strays are erased.
    private var erasedStrays = 0
    private var erasedMoments: [(sequence: Int, before: Int64)] = []

    /// The highest number of a line.
    private(set) var lastSequence = 0

    mutating func add(_ parts: RecordParts, file: Int, offset: Int64, size: Int) {
        records.append(
            Record(
                high: parts.id.high, low: parts.id.low, sequence: parts.sequence, offset: offset,
                size: Int32(clamping: size), file: Int32(clamping: file),
                inbox: Self.number(parts.inbox, &inboxNumbers, &inboxes),
                facet: Self.number(parts.facet, &facetNumbers, &facets),
                supersedes: parts.supersedes))
        lastSequence = max(lastSequence, parts.sequence)
    }

    /// Adds an erasure; one after `limit` is not in the index yet, and has no effect.
    mutating func add(_ erasure: Erasure, limit: Int) {
        lastSequence = max(lastSequence, erasure.sequence)
        guard erasure.sequence <= limit else { return }
        switch erasure.scope {
        case .record(let id):
            erasedRecords[id] = max(erasedRecords[id] ?? 0, erasure.sequence)
        case .inbox(let name, let through):
            if name.isEmpty { return }
            let last = min(through, erasure.sequence - 1)
            erasedInboxes[name] = max(erasedInboxes[name] ?? 0, last)
        case .unmatched(let name, let through):
            let last = min(through, erasure.sequence - 1)
            unmatchedInboxes[name] = max(unmatchedInboxes[name] ?? 0, last)
        case .strays(let through):
            erasedStrays = max(erasedStrays, min(through, erasure.sequence - 1))
        case .receivedBefore(let moment):
            erasedMoments.append((erasure.sequence, moment.unixMilliseconds))
        }
    }

    /// Sorts records by number, prepares `isErased`, and reports copies.
    ///
    /// Copies are two records with one id of which neither has replaced the other nor was erased;
    /// the later one is second.
    ///
    /// O(records · log(records)).
    mutating func finish(limit: Int, onCopy: (Record, Record) -> Void) {
        if !zip(records, records.dropFirst()).allSatisfy({ $0.sequence <= $1.sequence }) {
            records.sort { ($0.sequence, $0.offset) < ($1.sequence, $1.offset) }
        }
        // The latest time of all erasures that follow.
        erasedMoments.sort { $0.sequence < $1.sequence }
        for index in erasedMoments.indices.dropLast().reversed() {
            erasedMoments[index].before = max(
                erasedMoments[index].before, erasedMoments[index + 1].before)
        }
        var order = Array(0..<UInt32(clamping: records.count))
        order.sort { left, right in
            let (left, right) = (records[Int(left)], records[Int(right)])
            return (left.high, left.low, left.sequence) < (right.high, right.low, right.sequence)
        }
        for (left, right) in zip(order, order.dropFirst()) {
            let (first, second) = (records[Int(left)], records[Int(right)])
            if first.id != second.id { continue }
            if !second.supersedes {
                // An erased record may have been imported again.
                if !isErased(first) { onCopy(first, second) }
            } else if second.sequence <= limit {
                records[Int(left)].isSuperseded = true
            }
        }
    }

    /// Whether an erasure covers a record; valid after `finish`.
    ///
    /// O(log(erasures)).
    func isErased(_ record: Record) -> Bool {
        if let erasure = erasedRecords[record.id], record.sequence < erasure { return true }
        if let through = erasedInboxes[inboxes[Int(record.inbox)]], record.sequence <= through {
            return true
        }
        if let through = unmatchedInboxes[inboxes[Int(record.inbox)]], record.sequence <= through,
            facets[Int(record.facet)].verdict == Erasure.unmatchedVerdict
        {
            return true
        }
        if record.sequence <= erasedStrays, facets[Int(record.facet)].kind == .stray { return true }
        var (low, high) = (0, erasedMoments.count)
        while low < high {
            let middle = (low + high) / 2
            if erasedMoments[middle].sequence > record.sequence {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low < erasedMoments.count
            && record.id.milliseconds < erasedMoments[low].before
    }

    private static func number<Value: Hashable>(
        _ value: Value, _ numbers: inout [Value: Int32], _ values: inout [Value]
    ) -> Int32 {
        if let known = numbers[value] { return known }
        let number = Int32(clamping: values.count)
        numbers[value] = number
        values.append(value)
        return number
    }
}
