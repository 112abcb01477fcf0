// The one writer. Records and erasures that wait are written with one `write` and made durable with
// one `fdatasync`; only then are those who wait told, and only then does the index hear of them.
//
// Invariant: a record is acknowledged if and only if its line is whole and durable. A failed write
// is cut off again; after a failed sync nothing more is accepted, because what the disk holds is
// unknown (a retried sync may lie).

import Clocks
import JSONText
import PositionedJSON
import Synchronization

/// Appends lines to segments, in order.
actor Journal {
    /// What is to be written.
    private enum Content: Sendable {
        case record(NewRecord, tail: [UInt8], RecordFacts, idempotency: Int64?)
        case erasure(Erasure.Scope)
    }

    /// A line on its way, with whoever waits for it.
    private struct Pending: Sendable {
        let content: Content
        let continuation: CheckedContinuation<Result<Written, StoreError>, Never>

        var size: Int {
            switch content {
            case .record(_, let tail, _, _): tail.count
            case .erasure: 0
            }
        }
    }

    /// A durable line: a record's has an id.
    private struct Written: Sendable {
        let id: RecordID?
        let sequence: Int
    }

    /// What tasks on any thread share with the writer.
    private struct Inbox: ~Copyable {
        var waiting: [Pending] = []
        var isScheduled = false
        var isClosed = false
    }

    private let thread = SerialThread(name: "journal")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // SAFETY: the actor owns the thread, so the reference lives as long as the actor.
        unsafe thread.asUnownedSerialExecutor()
    }

    private let inbox = Mutex(Inbox())
    private let folder: StoreFolder
    private let catalog: FieldCatalog
    private let segmentBytes: Int64
    private let onCommit: @Sendable (CommittedBatch) -> Void

    private var segment: OpenSegment?
    /// The name of the newest segment, written to or not.
    private var last: SegmentName?
    private var sequence: Int
    private var failure: StoreError?
    private var generator = SystemRandomNumberGenerator()
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - last: the newest segment; nil for an empty store.
    ///   - goesOn: whether that is plain, and so can be appended to.
    ///   - sequence: of the last line, 0 for none.
    ///   - segmentBytes: when a segment is full.
    ///   - onCommit: hears of every durable batch, in order, before those who wait do.
    init(
        folder: StoreFolder, catalog: FieldCatalog, last: SegmentName?, goesOn: Bool,
        sequence: Int, segmentBytes: Int64,
        onCommit: @escaping @Sendable (CommittedBatch) -> Void
    ) throws(StoreError) {
        self.folder = folder
        self.catalog = catalog
        self.sequence = sequence
        self.segmentBytes = segmentBytes
        self.onCommit = onCommit
        self.last = last
        if let last, goesOn { segment = try OpenSegment(last, in: folder) }
    }

    /// Stores a record; returns when it is durable.
    ///
    /// O(size), and one wait for the batch.
    ///
    /// Throws `full` or `file` when the record was not stored, `syncFailed` when nobody knows,
    /// `unreadable` when its parts are no JSON, and `closed`.
    nonisolated func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        let tail = RecordLine.tail(of: record)
        guard let root = try? JSONDocument(parsing: tail).root,
            let facts = RecordFacts(ofTail: root, catalog: catalog),
            Self.canBeReadBack(record, tail)
        else { throw .unreadable }
        let written = try await append(
            .record(
                record, tail: tail, facts, idempotency: IdempotencyKey.hash(in: root, facts)))
        guard let id = written.id else { throw .unreadable }
        return Receipt(id: id, sequence: written.sequence)
    }

    /// Whether a line of this record would be taken for one: on one line, with an id that tells the
    /// time of receiving, which is one that can be written.
    private nonisolated static func canBeReadBack(_ record: NewRecord, _ tail: [UInt8]) -> Bool {
        let moment = record.receivedAt.unixMilliseconds
        let (lineEnd, end) = (UInt8(ascii: "\n"), tail.count)
        return Limits.recordMilliseconds.contains(moment)
            && record.id.map { $0.milliseconds == moment } ?? true
            && tail.span.place(of: lineEnd, or: lineEnd, from: 0, to: end) == end
    }

    /// Erases records; returns when that is durable.
    ///
    /// Throws as `append` does.
    nonisolated func erase(_ scope: Erasure.Scope) async throws(StoreError) {
        _ = try await append(.erasure(scope))
    }

    private nonisolated func append(_ content: Content) async throws(StoreError) -> Written {
        let result = await withCheckedContinuation { continuation in
            let pending = Pending(content: content, continuation: continuation)
            let isClosed = inbox.withLock { inbox in
                if inbox.isClosed { return true }
                inbox.waiting.append(pending)
                if !inbox.isScheduled {
                    inbox.isScheduled = true
                    Task { await drain() }
                }
                return false
            }
            if isClosed { continuation.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }

    /// The number of the last durable line.
    var lastSequence: Int { sequence }

    /// Ends the current segment: what comes next goes into another one.
    ///
    /// - Parameter day: only where the segment is of an earlier one; nil for any.
    /// - Returns: the name below which no segment is written to any more; nil when there is none,
    ///   and after a failed sync, when nobody knows what the newest one holds.
    func endSegment(before day: String?) -> SegmentName? {
        guard failure == nil, let last else { return nil }
        if let segment, day.map({ segment.name.day < $0 }) ?? true { self.segment = nil }
        return segment == nil ? last.next : last
    }

    /// Accepts nothing more; returns when what was accepted is durable.
    func close() {
        inbox.withLock { $0.isClosed = true }
        drain()
        segment = nil
        thread.stop()
    }

    /// Writes batches until nobody waits.
    private func drain() {
        while true {
            let batch = inbox.withLock { inbox in
                let waiting = inbox.waiting
                inbox.waiting = []
                if waiting.isEmpty { inbox.isScheduled = false }
                return waiting
            }
            if batch.isEmpty { return }
            var rest = batch[...]
            while !rest.isEmpty {
                let count = batchSize(of: rest)
                commit(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
        }
    }

    /// How many of those that wait go into one write: `batchBytes` at the most, and one at least.
    private func batchSize(of waiting: ArraySlice<Pending>) -> Int {
        var bytes = 0
        for (count, pending) in waiting.enumerated() {
            bytes += pending.size
            if bytes > Limits.batchBytes, count > 0 { return count }
        }
        return waiting.count
    }

    private func commit(_ batch: ArraySlice<Pending>) {
        do throws(StoreError) {
            if let failure { throw failure }
            let committed = try write(batch)
            onCommit(committed)
            for (pending, change) in zip(batch, committed.changes) {
                pending.continuation.resume(
                    returning: .success(Written(id: change.id, sequence: change.sequence)))
            }
        } catch {
            if case .syncFailed = error { failure = error }
            for pending in batch { pending.continuation.resume(returning: .failure(error)) }
        }
    }

    /// Makes a batch durable in one segment; on failure nothing of it remains.
    private func write(_ batch: ArraySlice<Pending>) throws(StoreError) -> CommittedBatch {
        let segment = try segment(for: batch)
        var changes: [IndexChange] = []
        changes.reserveCapacity(batch.count)
        output.removeAll(keepingCapacity: output.capacity <= 2 * Limits.batchBytes)
        for pending in batch {
            changes.append(
                line(for: pending.content, number: sequence + changes.count + 1, in: segment))
        }
        let start = segment.size
        try segment.append(output)
        sequence += changes.count
        return CommittedBatch(changes: changes, bytes: output, start: start)
    }

    /// Appends one line to the output.
    private func line(
        for content: Content, number: Int, in segment: OpenSegment
    ) -> IndexChange {
        let start = output.count
        switch content {
        case .record(let record, let tail, var facts, let idempotency):
            let id =
                record.id
                ?? RecordID(at: record.receivedAt.unixMilliseconds, using: &generator)
            RecordLine.append(
                id: id, sequence: number, receivedAt: record.receivedAt,
                redecodedAt: record.redecodedAt, tail: tail, to: &output)
            facts.id = id
            facts.sequence = number
            facts.receivedAt = record.receivedAt
            return .record(
                IndexEntry(
                    facts: facts, idempotency: idempotency,
                    supersedes: record.redecodedAt != nil, segment: segment.name,
                    offset: segment.size + Int64(start), size: output.count - start - 1))
        case .erasure(let scope):
            let erasure = Erasure(scope: scope, sequence: number, erasedAt: .now)
            RecordLine.append(erasure, to: &output)
            return .erasure(
                erasure, segment: segment.name, end: segment.size + Int64(output.count))
        }
    }

    /// The segment for a batch: that of its newest record's day, where that is later than the
    /// current one, or the next part when the current one is full or has been ended.
    ///
    /// Records that come late stay with the current day.
    private func segment(for batch: ArraySlice<Pending>) throws(StoreError) -> OpenSegment {
        var newest: Timestamp?
        for case .record(let record, _, _, _) in batch.lazy.map(\.content) {
            newest = max(newest ?? record.receivedAt, record.receivedAt)
        }
        let day = newest.map { SegmentName(at: $0) }
        let name: SegmentName
        if let last {
            if let day, last.day < day.day {
                name = day
            } else if let segment, segment.size < segmentBytes {
                return segment
            } else {
                name = last.next
            }
        } else {
            name = day ?? SegmentName(at: .now)
        }
        let opened = try OpenSegment(name, in: folder)
        segment = opened
        last = name
        return opened
    }
}
