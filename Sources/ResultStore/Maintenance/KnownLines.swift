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
    private var erasedInboxes: [String: ErasedBounds] = [:]
    /// Inboxes of which only unmatched records are erased.
    private var unmatchedInboxes: [String: ErasedBounds] = [:]
    /// Inboxes of which only attempts to deliver are erased.
    private var deliveryInboxes: [String: ErasedBounds] = [:]
    private var erasedStrays = ErasedBounds()
    /// Erasures of all records up to a time.
    private var erasedMoments = ErasedBounds()

    mutating func add(_ parts: RecordParts, file: Int, offset: Int64, size: Int) {
        records.append(
            Record(
                high: parts.id.high, low: parts.id.low, sequence: parts.sequence, offset: offset,
                size: Int32(clamping: size), file: Int32(clamping: file),
                inbox: Self.number(parts.inbox, &inboxNumbers, &inboxes),
                facet: Self.number(parts.facet, &facetNumbers, &facets),
                supersedes: parts.supersedes))
    }

    /// Adds an erasure; one after `limit` is not in the index yet, and has no effect.
    mutating func add(_ erasure: Erasure, limit: Int) {
        guard erasure.sequence <= limit else { return }
        switch erasure.scope {
        case .record(let id):
            erasedRecords[id] = max(erasedRecords[id] ?? 0, erasure.sequence)
        case .inbox(let name, let through):
            if name.isEmpty { return }
            erasedInboxes[name, default: ErasedBounds()].add(through, by: erasure.sequence)
        case .unmatched(let name, let through):
            if name.isEmpty { return }
            unmatchedInboxes[name, default: ErasedBounds()].add(through, by: erasure.sequence)
        case .deliveries(let name, let through):
            if name.isEmpty { return }
            deliveryInboxes[name, default: ErasedBounds()].add(through, by: erasure.sequence)
        case .strays(let through): erasedStrays.add(through, by: erasure.sequence)
        case .receivedBefore(let moment):
            erasedMoments.add(Erasure.Bound(receivedAt: moment, .min), by: erasure.sequence)
        }
    }

    /// Sorts records by number, and reports copies.
    ///
    /// Copies are two records with one id of which neither has replaced the other nor was erased;
    /// the later one is second.
    ///
    /// O(records · log(records)).
    mutating func finish(limit: Int, onCopy: (Record, Record) -> Void) {
        if !zip(records, records.dropFirst()).allSatisfy({ $0.sequence <= $1.sequence }) {
            records.sort { ($0.sequence, $0.offset) < ($1.sequence, $1.offset) }
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

    /// Whether an erasure covers a record.
    func isErased(_ record: Record) -> Bool {
        if let erasure = erasedRecords[record.id], record.sequence < erasure { return true }
        let (inbox, facet) = (inboxes[Int(record.inbox)], Int(record.facet))
        let moment = Timestamp(unixMilliseconds: record.id.milliseconds)
        func isCovered(by bounds: ErasedBounds?) -> Bool {
            bounds?.cover(receivedAt: moment, record.sequence) ?? false
        }
        return isCovered(by: erasedMoments) || isCovered(by: erasedInboxes[inbox])
            || facets[facet].verdict == Erasure.unmatchedVerdict
                && isCovered(by: unmatchedInboxes[inbox])
            || facets[facet].kind == .delivery && isCovered(by: deliveryInboxes[inbox])
            || facets[facet].kind == .stray && isCovered(by: erasedStrays)
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
