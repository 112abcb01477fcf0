// The SQLite index beside the segments: derived from them, deleted and rebuilt at will.
//
// One thread takes what has gathered and inserts it in one transaction; ingest never waits for it. A query first waits until everything that was
// acknowledged before it came has been indexed. Left out: the records themselves.

import Clocks
import GRDB
import Synchronization

/// Finds records by what they are looked up by.
actor ResultIndex {
    /// What tasks on any thread share with the writer.
    private struct Inbox: ~Copyable {
        var waiting: [IndexChange] = []
        var isScheduled = false
        /// The last sequence number handed in, and the last one that queries see.
        var submitted = 0
        var indexed = 0
        var readers: [(sequence: Int, continuation: CheckedContinuation<StoreError?, Never>)] = []
    }

    private let thread = SerialThread(name: "index")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // SAFETY: the actor owns the thread, so the reference lives as long as the actor.
        unsafe thread.asUnownedSerialExecutor()
    }

    private let inbox = Mutex(Inbox())
    private let writer: Mutex<IndexWriter>
    nonisolated let database: DatabasePool
    nonisolated let catalog: FieldCatalog
    nonisolated let columns: IndexColumns

    /// Opens the index, and makes its tables where they are missing.
    ///
    /// Throws `index` when the file is no such index, or one of another version or catalog.
    init(path: String, catalog: FieldCatalog) throws(StoreError) {
        self.catalog = catalog
        columns = IndexColumns(catalog)
        writer = Mutex(IndexWriter(columns))
        do {
            database = try IndexSchema.open(path, catalog: catalog, columns: columns)
        } catch {
            throw .index(reason: "\(error)")
        }
    }

    /// Hands in a committed batch; returns at once.
    nonisolated func submit(_ entries: [IndexChange]) {
        guard let last = entries.last else { return }
        inbox.withLock { inbox in
            inbox.waiting.append(contentsOf: entries)
            inbox.submitted = last.sequence
            schedule(&inbox)
        }
    }

    /// Says that everything up to `sequence` is there already, after recovery.
    nonisolated func start(at sequence: Int) {
        inbox.withLock { inbox in
            inbox.submitted = sequence
            inbox.indexed = sequence
        }
    }

    /// Returns when queries see everything that was submitted before this call.
    ///
    /// Throws `index` when the writer could not keep up with the disk; it tries again with the next
    /// call.
    nonisolated func catchUp() async throws(StoreError) {
        let failure = await withCheckedContinuation { continuation in
            let isCaughtUp = inbox.withLock { inbox in
                if inbox.indexed >= inbox.submitted { return true }
                inbox.readers.append((inbox.submitted, continuation))
                return false
            }
            if isCaughtUp {
                continuation.resume(returning: nil)
            } else {
                Task { await drain() }
            }
        }
        if let failure { throw failure }
    }

    /// Indexes what is left, and closes the file.
    func close() {
        drain(isLast: true)
        // Closing leaves the write-ahead log behind: the last connection to go only reads. What
        // fails here is done at the next start.
        try? database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? database.close()
        thread.stop()
    }

    /// Has what was submitted indexed soon: in batches, which cost a fraction of single rows.
    private nonisolated func schedule(_ inbox: inout Inbox) {
        guard !inbox.isScheduled else { return }
        inbox.isScheduled = true
        Task {
            try? await Task.sleep(for: .milliseconds(Limits.indexDelayMilliseconds))
            await drain()
        }
    }

    /// Indexes what waits.
    ///
    /// What comes meanwhile gathers again, unless a query waits or it would take the index too long: a
    /// transaction of 25 records costs each of them twice what one of 400 does.
    ///
    /// - Parameter isLast: whether nothing may be left.
    private func drain(isLast: Bool = false) {
        while true {
            let batch = inbox.withLock { inbox in
                let batch = Array(inbox.waiting.prefix(Limits.indexBatchRecords))
                inbox.waiting.removeFirst(batch.count)
                if batch.isEmpty { inbox.isScheduled = false }
                return batch
            }
            guard let last = batch.last else { return }
            do throws(StoreError) {
                try insert(batch)
            } catch {
                fail(batch, error)
                return
            }
            let (satisfied, goesOn) = inbox.withLock { inbox in
                inbox.indexed = last.sequence
                let satisfied = inbox.readers.filter { $0.sequence <= last.sequence }
                inbox.readers.removeAll { $0.sequence <= last.sequence }
                let goesOn =
                    isLast || !inbox.readers.isEmpty
                    || inbox.waiting.count >= Limits.indexBatchRecords
                if !goesOn {
                    inbox.isScheduled = false
                    if !inbox.waiting.isEmpty { schedule(&inbox) }
                }
                return (satisfied, goesOn)
            }
            for reader in satisfied { reader.continuation.resume(returning: nil) }
            if !goesOn { return }
        }
    }

    /// Keeps a batch that could not be inserted for the next try, and tells those who wait.
    private func fail(_ batch: [IndexChange], _ error: StoreError) {
        let readers = inbox.withLock { inbox in
            inbox.waiting.insert(contentsOf: batch, at: 0)
            inbox.isScheduled = false
            let readers = inbox.readers
            inbox.readers = []
            return readers
        }
        for reader in readers { reader.continuation.resume(returning: error) }
    }

    /// Applies changes in one transaction.
    nonisolated func insert(_ changes: [IndexChange]) throws(StoreError) {
        try write { writer, database in try writer.apply(changes, to: database) }
    }

    /// Runs a transaction; when it fails, what the writer remembers of it is forgotten.
    nonisolated func write(
        _ body: @Sendable (inout IndexWriter, Database) throws -> Void
    ) throws(StoreError) {
        do {
            try writer.withLock { writer in
                do {
                    try database.write { try body(&writer, $0) }
                } catch {
                    writer = IndexWriter(columns)
                    throw error
                }
            }
        } catch {
            throw .index(reason: "\(error)")
        }
    }
}
