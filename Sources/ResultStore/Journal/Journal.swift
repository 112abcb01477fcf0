// The one writer. Records that wait are written with one `write` and made durable with one
// `fdatasync`; only then are those who wait told, and only then does the index hear of them.
//
// Invariant: a record is acknowledged if and only if its line is whole and durable. A failed write
// is cut off again; after a failed sync nothing more is accepted, because what the disk holds is
// unknown (a retried sync may lie).

import Clocks
import Synchronization

/// Appends records to segments, in order.
actor Journal {
    /// A record on its way, with whoever waits for it.
    private struct Pending: Sendable {
        let record: NewRecord
        let tail: [UInt8]
        let continuation: CheckedContinuation<Result<Receipt, StoreError>, Never>
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
    private let segmentBytes: Int64
    private let onCommit: @Sendable ([IndexEntry]) -> Void

    private var segment: OpenSegment?
    private var sequence: Int
    private var failure: StoreError?
    private var generator = SystemRandomNumberGenerator()
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - last: the segment to go on with; nil for an empty store.
    ///   - sequence: of the last record, 0 for none.
    ///   - segmentBytes: when a segment is full.
    ///   - onCommit: hears of every durable batch, in order, before those who wait do.
    init(
        folder: StoreFolder, last: SegmentName?, sequence: Int, segmentBytes: Int64,
        onCommit: @escaping @Sendable ([IndexEntry]) -> Void
    ) throws(StoreError) {
        self.folder = folder
        self.sequence = sequence
        self.segmentBytes = segmentBytes
        self.onCommit = onCommit
        if let last { segment = try OpenSegment(last, in: folder) }
    }

    /// Stores a record; returns when it is durable.
    ///
    /// O(size), and one wait for the batch.
    ///
    /// Throws `full` or `file` when the record was not stored, `syncFailed` when nobody knows, and
    /// `closed`.
    nonisolated func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        let tail = RecordLine.tail(of: record)
        let result = await withCheckedContinuation { continuation in
            let pending = Pending(record: record, tail: tail, continuation: continuation)
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
            bytes += pending.tail.count
            if bytes > Limits.batchBytes, count > 0 { return count }
        }
        return waiting.count
    }

    private func commit(_ batch: ArraySlice<Pending>) {
        do throws(StoreError) {
            if let failure { throw failure }
            let entries = try write(batch)
            onCommit(entries)
            for (pending, entry) in zip(batch, entries) {
                let receipt = Receipt(id: entry.id, sequence: entry.sequence)
                pending.continuation.resume(returning: .success(receipt))
            }
        } catch {
            if case .syncFailed = error { failure = error }
            for pending in batch { pending.continuation.resume(returning: .failure(error)) }
        }
    }

    /// Makes a batch durable in one segment; on failure nothing of it remains.
    private func write(_ batch: ArraySlice<Pending>) throws(StoreError) -> [IndexEntry] {
        guard let newest = batch.lazy.map(\.record.receivedAt).max() else { return [] }
        try roll(to: newest)
        guard let segment else { throw .closed }
        var entries: [IndexEntry] = []
        entries.reserveCapacity(batch.count)
        output.removeAll(keepingCapacity: output.capacity <= 2 * Limits.batchBytes)
        for pending in batch {
            let start = output.count
            let receivedAt = pending.record.receivedAt
            let id = RecordID(at: receivedAt.unixMilliseconds, using: &generator)
            let number = sequence + entries.count + 1
            RecordLine.append(
                id: id, sequence: number, receivedAt: receivedAt, tail: pending.tail,
                to: &output)
            entries.append(
                IndexEntry(
                    pending.record, id: id, sequence: number, segment: segment.name,
                    offset: segment.size + Int64(start), size: output.count - start - 1))
        }
        try segment.append(output)
        sequence += entries.count
        return entries
    }

    /// Opens the segment of a moment, where that is later than the current one, or the next part
    /// when the current one is full.
    ///
    /// Records that come late stay with the current day.
    private func roll(to moment: Timestamp) throws(StoreError) {
        let day = SegmentName(at: moment)
        guard let current = segment else {
            segment = try OpenSegment(day, in: folder)
            return
        }
        if current.name.day < day.day {
            segment = try OpenSegment(day, in: folder)
        } else if current.size >= segmentBytes {
            segment = try OpenSegment(current.name.next, in: folder)
        }
    }
}
