// The only writer. Queued records and erasures are written with one `write` and made durable with
// one `fdatasync`. Then the index receives them, and then the waiting tasks resume.
//
// Invariant: a record is acknowledged if and only if its line is complete and durable. Left out:
// what is written where (`JournalWriter`).

import Clocks
import Synchronization

/// Appends lines to segments, in order.
final class Journal: Sendable {
    /// A queued line and what waits for it.
    private struct Pending: Sendable {
        let content: JournalWriter.Content
        let waiter: Waiter
    }

    // SAFETY: each continuation is resumed once, by what takes its line from the mailbox.
    @safe private enum Waiter: Sendable {
        /// A task that waits for this line alone.
        case task(UnsafeContinuation<Result<Written, StoreError>, Never>)
        /// A task that waits for several lines, of which this has an index.
        case list(Outcomes, at: Int)

        func resume(_ outcome: Result<Written, StoreError>) {
            switch self {
            case .task(let continuation): unsafe continuation.resume(returning: outcome)
            case .list(let outcomes, let index): outcomes.note(outcome, at: index)
            }
        }
    }

    /// What became of several lines that one task waits for.
    // SAFETY: its continuation is resumed once, when the last of them is noted.
    @safe private final class Outcomes: Sendable {
        private let state: Mutex<(all: [Result<Written, StoreError>], missing: Int)>
        private let continuation: UnsafeContinuation<[Result<Written, StoreError>], Never>

        init(
            _ count: Int, _ continuation: UnsafeContinuation<[Result<Written, StoreError>], Never>
        ) {
            state = Mutex((Array(repeating: .failure(.closed), count: count), count))
            unsafe self.continuation = unsafe continuation
        }

        func note(_ outcome: Result<Written, StoreError>, at index: Int) {
            let all = state.withLock { state in
                state.all[index] = outcome
                state.missing -= 1
                return state.missing == 0 ? state.all : nil
            }
            if let all { unsafe continuation.resume(returning: all) }
        }
    }

    /// A durable line; a record's line has an id.
    private struct Written: Sendable {
        let id: RecordID?
        let sequence: Int

        func receipt() throws(StoreError) -> Receipt {
            guard let id else { throw .unreadable }
            return Receipt(id: id, sequence: sequence)
        }
    }

    /// State that tasks on any thread share with the writer.
    private struct Mailbox: Sendable {
        var waiting: [Pending] = []
        var isClosed = false
        /// Number of queued lines that wakes the writer; nil while it is working.
        var quorum: Int? = 1
    }

    private let worker = Worker(name: "journal", isQuick: true, Mailbox())
    /// Locked while a batch is written and indexed; ending a segment waits for that.
    private let writer: Mutex<JournalWriter>
    private let catalog: FieldCatalog
    private let onCommit: @Sendable (CommittedBatch) -> Void
    private let onLoss: @Sendable (SegmentName) -> Void
    private let lastError = Mutex<StoreError?>(nil)

    /// - Parameters:
    ///   - onCommit: called with every durable batch, in order, before the waiting tasks resume.
    ///   - onLoss: called with a segment whose file was removed, replaced or changed by another
    ///     process.
    init(
        _ writer: sending JournalWriter, catalog: FieldCatalog,
        onCommit: @escaping @Sendable (CommittedBatch) -> Void,
        onLoss: @escaping @Sendable (SegmentName) -> Void
    ) {
        self.writer = Mutex(writer)
        self.catalog = catalog
        self.onCommit = onCommit
        self.onLoss = onLoss
        worker.start { [weak self] in self?.drain() }
    }

    deinit { worker.abandon() }

    /// Stores a record; returns when it is durable.
    ///
    /// O(size), and one wait for the batch.
    ///
    /// Throws `full` or `file` if the record was not stored, `syncFailed` if that is unknown,
    /// `unreadable` if its line couldn't be read back, `erased` if the record that it replaces was
    /// erased, and `closed`.
    func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        try await append(queued(record))
    }

    /// Not in the async function, whose frame would hold copies of all that this needs.
    private func queued(_ record: NewRecord) throws(StoreError) -> QueuedRecord {
        let tail = RecordLine.tail(of: record)
        guard Self.canBeReadBack(record, tail) else { throw .unreadable }
        return QueuedRecord(record, tail: tail, catalog: catalog)
    }

    /// Stores a record whose line is made; returns when it is durable.
    ///
    /// Throws as `append` of a new record does.
    func append(_ record: QueuedRecord) async throws(StoreError) -> Receipt {
        try await append(.record(record)).receipt()
    }

    /// Stores records; returns their receipts when all are durable.
    ///
    /// Nothing that is queued later gets a number between theirs.
    ///
    /// Throws as `append` of one record does, for the first that could not be stored; others may
    /// have been.
    func append(_ records: [NewRecord]) async throws(StoreError) -> [Receipt] {
        var lines: [QueuedRecord] = []
        lines.reserveCapacity(records.count)
        for record in records { lines.append(try queued(record)) }
        return try await append(lines)
    }

    /// Stores records whose lines are made; returns their receipts when all are durable.
    ///
    /// Throws as `append` of new records does.
    func append(_ records: [QueuedRecord]) async throws(StoreError) -> [Receipt] {
        if records.isEmpty { return [] }
        // SAFETY: `Outcomes` resumes it once.
        let outcomes = await unsafe withUnsafeContinuation { continuation in
            let outcomes = unsafe Outcomes(records.count, continuation)
            let lines = records.enumerated().map { index, record in
                Pending(content: .record(record), waiter: .list(outcomes, at: index))
            }
            if !queue({ $0 += lines }) {
                for line in lines { line.waiter.resume(.failure(.closed)) }
            }
        }
        var receipts: [Receipt] = []
        receipts.reserveCapacity(records.count)
        for outcome in outcomes { receipts.append(try outcome.get().receipt()) }
        return receipts
    }

    /// Whether this record's line can be read back: it is a single line, and its id contains a
    /// valid time of receipt.
    static func canBeReadBack(_ record: NewRecord, _ tail: [UInt8]) -> Bool {
        let moment = record.receivedAt.unixMilliseconds
        let end = tail.count
        return Limits.recordMilliseconds.contains(moment)
            && record.id.map { $0.milliseconds == moment } ?? true
            && tail.span.place(of: UInt8(ascii: "\n"), from: 0, to: end) == end
    }

    /// Erases records; returns when the erasure is durable.
    ///
    /// Throws as `append` does.
    func erase(_ scope: Erasure.Scope) async throws(StoreError) {
        _ = try await append(.erasure(scope))
    }

    private func append(_ content: JournalWriter.Content) async throws(StoreError) -> Written {
        // SAFETY: it is resumed once: here if the journal is closed, else with the batch that the
        // line becomes a part of. A checked one takes memory for each record.
        let result = await unsafe withUnsafeContinuation { continuation in
            let pending = unsafe Pending(content: content, waiter: .task(continuation))
            if !queue({ $0.append(pending) }) { pending.waiter.resume(.failure(.closed)) }
        }
        return try result.get()
    }

    /// Adds lines to the queue; false if the journal is closed.
    private func queue(_ add: (inout [Pending]) -> Void) -> Bool {
        worker.access { mailbox, alarm in
            if mailbox.isClosed { return false }
            add(&mailbox.waiting)
            if let quorum = mailbox.quorum, mailbox.waiting.count >= quorum { alarm.ring() }
            return true
        }
    }

    /// Why the last batch was not stored; nil if it was, and after `forgetFailure`.
    var failure: StoreError? { lastError.withLock { $0 } }

    /// Takes the last failure as passed.
    func forgetFailure() { lastError.withLock { $0 = nil } }

    /// Ends the current segment, as `JournalWriter.endSegment` does.
    ///
    /// Waits for the batch that is being written.
    func endSegment(before day: String?) -> EndedSegments? {
        writer.withLock { $0.endSegment(before: day) }
    }

    /// Accepts no more lines; returns when the accepted ones are durable.
    func close() async {
        worker.access { mailbox, _ in mailbox.isClosed = true }
        await worker.stop()
        writer.withLock { $0.close() }
    }

    /// Writes batches until the queue is empty or more lines should be collected.
    ///
    /// Runs on the worker's thread.
    private func drain() {
        while true {
            let batch = worker.access { mailbox, _ in
                defer { mailbox.waiting = [] }
                mailbox.quorum = mailbox.waiting.isEmpty ? 1 : nil
                return mailbox.waiting
            }
            if batch.isEmpty { return }
            var rest = batch[...]
            while !rest.isEmpty {
                let count = batchSize(of: rest)
                commit(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            if waitsForMore(after: batch.count) { return }
        }
    }

    /// Whether the next batch waits for more lines: under load, each sync then serves more records.
    private func waitsForMore(after count: Int) -> Bool {
        guard count >= Limits.gatheringRecords else { return false }
        return worker.access { mailbox, alarm in
            let quorum = min(count, Limits.gatheredRecords)
            guard mailbox.waiting.count < quorum else { return false }
            mailbox.quorum = quorum
            alarm.ring(within: Limits.gatheringMilliseconds)
            return true
        }
    }

    /// Number of queued lines for the next write: up to `batchBytes`, and at least one.
    ///
    /// A replacement never shares a batch with an erasure before it, which may cover it.
    private func batchSize(of waiting: ArraySlice<Pending>) -> Int {
        var bytes = 0
        var hasErasure = false
        for index in waiting.indices {
            let count = index - waiting.startIndex
            bytes += waiting[index].content.size
            if bytes > Limits.batchBytes, count > 0 { return count }
            if waiting[index].content.isReplacement, hasErasure { return count }
            if case .erasure = waiting[index].content { hasErasure = true }
        }
        return waiting.count
    }

    private func commit(_ all: ArraySlice<Pending>) {
        var batch = all
        if all.contains(where: { $0.content.isReplacement }) {
            let erased = writer.withLock { writer in all.map { writer.isErased($0.content) } }
            batch = zip(all, erased).filter { !$0.1 }.map(\.0)[...]
            for (pending, isErased) in zip(all, erased) where isErased {
                pending.waiter.resume(.failure(.erased))
            }
            if batch.isEmpty { return }
        }
        let contents = batch.map(\.content)
        let result = writer.withLock { writer -> Result<[IndexChange], StoreError> in
            var lost: [SegmentName] = []
            // After the commit: the index is rebuilt up to the last number that it was given.
            defer { for segment in lost { onLoss(segment) } }
            do throws(StoreError) {
                let committed = try writer.write(contents, at: .now, onLoss: { lost.append($0) })
                onCommit(committed)
                return .success(committed.changes)
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let changes):
            lastError.withLock { $0 = nil }
            for (index, change) in zip(batch.indices, changes) {
                batch[index].waiter.resume(
                    .success(Written(id: change.id, sequence: change.sequence)))
            }
        case .failure(let error):
            lastError.withLock { $0 = error }
            for pending in batch {
                pending.waiter.resume(.failure(error))
            }
        }
    }
}
