// The SQLite index of the segments. It is derived data, and can be deleted and rebuilt at any time.
//
// One thread inserts the collected changes in one transaction; appending never waits for it. A
// query first waits until everything that was acknowledged before it has been indexed. Once the
// index is known to be damaged, it is not used until it has been rebuilt (`IndexRebuilding`). Left
// out: the records themselves.

import Clocks
import GRDB
import Synchronization

/// Finds records by their indexed values.
final class ResultIndex: Sendable {
    private typealias Reader = (
        sequence: Int, continuation: CheckedContinuation<StoreError?, Never>
    )

    /// State that tasks on any thread share with the writer.
    private struct Mailbox: Sendable {
        /// A slice, so that taking a batch from the front of many changes moves none of the others.
        var waiting: ArraySlice<IndexChange> = []
        /// The last sequence number submitted, and the last one that queries see.
        var submitted = 0
        var indexed = 0
        var readers: [Reader] = []
        /// When a query last had to wait, in milliseconds on the monotonic clock.
        var lastWait: UInt64 = 0
        /// Progress of the rebuild in bytes; nil if the index is available.
        var rebuilding: (done: Int64, of: Int64)?
        /// Whether changes are queued during a rebuild.
        ///
        /// Before that, the rebuild reads them from the segments.
        var isGathering = false
        /// Why the last batch could not be indexed; nil if it was.
        var failure: StoreError?
        /// Whether a large erasure stops after its next step.
        var isClosing = false
        /// Increased when the index is discarded.
        ///
        /// Changes taken out before must not reach the next index.
        var epoch = 0
    }

    private struct Writing {
        var writer: IndexWriter
        var pool: DatabasePool
        var epoch = 0
    }

    private let worker = Worker(name: "index", Mailbox())
    /// Run queries: GRDB's own would be a thread of the system's pool for each.
    let readers = WorkerPool(name: "query", count: Limits.indexReaders)
    private let writing: Mutex<Writing>
    private let reading: Mutex<DatabasePool>
    private let onDamage = Mutex<(@Sendable (_ reason: String) -> Void)?>(nil)
    let catalog: FieldCatalog
    let columns: IndexColumns
    let path: String
    let reserve: Reserve

    /// The current connections.
    var database: DatabasePool { reading.withLock { $0 } }

    /// Opens the index; creates its tables if they are missing.
    ///
    /// Throws `index` if the file isn't an index, or is one of another version or catalog.
    ///
    /// - Parameter reserve: released when a transaction finds the disk full.
    init(path: String, catalog: FieldCatalog, reserve: Reserve) throws(StoreError) {
        self.path = path
        self.reserve = reserve
        self.catalog = catalog
        columns = IndexColumns(catalog)
        let pool: DatabasePool
        do {
            pool = try IndexSchema.open(path, catalog: catalog, columns: columns)
        } catch {
            throw StoreError(ofIndex: error, reserve)
        }
        writing = Mutex(Writing(writer: IndexWriter(columns), pool: pool))
        reading = Mutex(pool)
    }

    deinit { worker.abandon() }

    /// Starts to index what is submitted, after recovery.
    ///
    /// - Parameters:
    ///   - sequence: the number of the last line in the segments.
    ///   - lacking: bytes of the segments that the index lacks. If there are any, it is unavailable
    ///     until an `IndexRebuilding` has read them.
    ///   - onDamage: called with the reason each time the index must be rebuilt.
    func start(
        at sequence: Int, lacking: Int64,
        onDamage: @escaping @Sendable (_ reason: String) -> Void
    ) {
        self.onDamage.withLock { $0 = onDamage }
        worker.access { mailbox, _ in
            mailbox.submitted = sequence
            mailbox.indexed = sequence
            if lacking > 0 { mailbox.rebuilding = (0, lacking) }
        }
        worker.start { [weak self] in self?.drain() }
    }

    /// Submits a committed batch; returns at once.
    func submit(_ entries: [IndexChange]) {
        guard let last = entries.last else { return }
        worker.access { mailbox, alarm in
            mailbox.submitted = last.sequence
            guard mailbox.rebuilding == nil || mailbox.isGathering else { return }
            mailbox.waiting.append(contentsOf: entries)
            if mailbox.rebuilding == nil { Self.ring(&alarm, for: mailbox) }
        }
    }

    /// Schedules indexing soon: a batch costs a fraction of single rows.
    private static func ring(_ alarm: inout Worker<Mailbox>.Alarm, for mailbox: Mailbox) {
        let isBatch = mailbox.waiting.count >= gatheredRecords(for: mailbox)
        alarm.ring(within: isBatch ? 0 : Limits.indexDelayMilliseconds)
    }

    /// The number of records that are indexed without further delay, and at most in one
    /// transaction.
    ///
    /// Few while queries are waiting now and then: a query waits for the transaction that is
    /// running, and for that of the records before it. More if many wait already, because a query
    /// must wait for all of them.
    private static func gatheredRecords(for mailbox: Mailbox) -> Int {
        let since = Clock.monotonicMilliseconds - mailbox.lastWait
        guard since <= Limits.indexQueriedMilliseconds else { return Limits.indexGatheredRecords }
        return min(
            max(Limits.indexQueriedRecords, mailbox.waiting.count / 2),
            Limits.indexGatheredRecords)
    }

    /// Returns when queries see everything that was submitted before this call.
    ///
    /// Throws `index` when the writer could not keep up with the disk; the next call tries again.
    /// Throws `rebuilding` while the index is rebuilt.
    func catchUp() async throws(StoreError) {
        let failure = await withCheckedContinuation { continuation in
            let answer = worker.access { mailbox, alarm -> StoreError?? in
                if let error = Self.rebuildingError(mailbox) { return .some(error) }
                if mailbox.indexed >= mailbox.submitted { return .some(nil) }
                mailbox.readers.append((mailbox.submitted, continuation))
                mailbox.lastWait = Clock.monotonicMilliseconds
                alarm.ring()
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        if let failure { throw failure }
    }

    /// Makes large erasures stop after their next step; the next start continues them.
    func stopErasing() {
        worker.access { mailbox, _ in mailbox.isClosing = true }
    }

    /// Indexes what is left, up to a large erasure, and closes the file.
    func close() async {
        stopErasing()
        await worker.stop()
        // Closing leaves the write-ahead log, because the last connection to close only reads. If
        // this checkpoint fails, the next start does it.
        _ = try? await truncateLog()
        await readers.close()
        try? database.close()
    }

    /// Indexes what is queued; runs on the worker's thread.
    ///
    /// New changes are queued again, unless a query waits or there are many. In a transaction of 25
    /// records, each record costs twice as much as in one of 400.
    private func drain() {
        while true {
            let (batch, epoch) = worker.access { mailbox, _ -> ([IndexChange], Int) in
                guard mailbox.rebuilding == nil else { return ([], 0) }
                let first = mailbox.waiting.prefix(Self.gatheredRecords(for: mailbox))
                let batch = Array(first.appliedAtOnce)
                mailbox.waiting = mailbox.waiting.dropFirst(batch.count)
                // An empty slice would keep the memory of all that was in it.
                if mailbox.waiting.isEmpty { mailbox.waiting = [] }
                return (batch, mailbox.epoch)
            }
            guard let last = batch.last else { return }
            do throws(StoreError) {
                var steps = Int.max
                _ = try apply(batch[...], in: epoch, erasingIn: &steps)
            } catch {
                keep(batch, epoch, error)
                return
            }
            let (satisfied, hasMore) = worker.access { mailbox, alarm -> ([Reader], Bool) in
                guard mailbox.epoch == epoch else { return ([], false) }
                mailbox.indexed = last.sequence
                mailbox.failure = nil
                let satisfied = mailbox.readers.filter { $0.sequence <= last.sequence }
                mailbox.readers.removeAll { $0.sequence <= last.sequence }
                let hasMore =
                    !mailbox.readers.isEmpty
                    || mailbox.waiting.count >= Self.gatheredRecords(for: mailbox)
                if !hasMore, !mailbox.waiting.isEmpty { Self.ring(&alarm, for: mailbox) }
                return (satisfied, hasMore)
            }
            for reader in satisfied { reader.continuation.resume(returning: nil) }
            if !hasMore { return }
        }
    }

    /// Keeps a batch that could not be inserted for the next try, and reports the error to waiting
    /// queries.
    private func keep(_ batch: [IndexChange], _ epoch: Int, _ error: StoreError) {
        let readers = worker.access { mailbox, _ -> [Reader] in
            guard mailbox.epoch == epoch else { return [] }
            mailbox.waiting.insert(contentsOf: batch, at: mailbox.waiting.startIndex)
            mailbox.failure = error
            defer { mailbox.readers = [] }
            return mailbox.readers
        }
        for reader in readers { reader.continuation.resume(returning: error) }
    }

    /// Applies changes, up to a large erasure that needs more steps; returns the number of those
    /// that were applied.
    ///
    /// If it fails, the first of them may have been applied.
    ///
    /// - Parameter steps: how many transactions may only erase; decreased by those that did.
    func insert(
        _ changes: [IndexChange], erasingIn steps: inout Int
    ) throws(StoreError) -> Int {
        var left = changes[...]
        while !left.isEmpty {
            let next = left.appliedAtOnce
            guard try apply(next, erasingIn: &steps) else { break }
            left = left[next.endIndex...]
        }
        return changes.count - left.count
    }

    /// Applies what `appliedAtOnce` returned, in one transaction; returns false, and has only
    /// erased, if a large erasure needs more steps.
    ///
    /// Before it, a large erasure removes most of its records in small ones: a transaction needs
    /// space for each page that it changes, and a full disk has little.
    private func apply(
        _ changes: ArraySlice<IndexChange>, in epoch: Int? = nil, erasingIn steps: inout Int
    ) throws(StoreError) -> Bool {
        if let erasure = changes.first?.largeErasure {
            var place: Int64?
            repeat {
                let last = place
                place = try write(in: epoch) { try $0.eraseFirst(of: erasure, after: last, $1) }
                if place != nil {
                    // On a disk without room, a log that has all of it keeps the index from growing.
                    if !reserve.hasRoomToErase(.max) { _ = emptyLog() }
                    if worker.access({ mailbox, _ in mailbox.isClosing }) { throw .closed }
                    steps -= 1
                    if steps <= 0 { return false }
                }
            } while place != nil
        }
        try write(in: epoch) { writer, database in try writer.apply(changes, to: database) }
        return true
    }

    /// Runs a transaction; if the disk is full, runs it again with the write-ahead log emptied, and
    /// then with the reserve released.
    ///
    /// - Parameter epoch: the index that the transaction is for; nil for the current one.
    func write<Value: Sendable>(
        in epoch: Int? = nil,
        _ body: @Sendable (inout IndexWriter, Database) throws -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try transact(epoch, body)
        } catch {
            guard error.isFull, emptyLog() || reserve.giveUp() else { throw error }
        }
        do throws(StoreError) {
            return try transact(epoch, body)
        } catch {
            guard error.isFull, reserve.giveUp() else { throw error }
            return try transact(epoch, body)
        }
    }

    /// Gives back the space of the write-ahead log, to which each transaction adds the pages that it
    /// changes; returns false if a query still uses it.
    private func emptyLog() -> Bool {
        let isDone = try? writing.withLock { writing in
            try writing.pool.writeWithoutTransaction { database in
                try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
            }
        }
        return isDone == true
    }

    /// Runs a transaction; if it fails, clears the writer's caches.
    private func transact<Value: Sendable>(
        _ epoch: Int?, _ body: @Sendable (inout IndexWriter, Database) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try writing.withLock { writing in
                if let epoch, epoch != writing.epoch { throw StoreError.closed }
                let pool = writing.pool
                do {
                    return try IndexSchema.waitingForLock(at: path) {
                        try pool.write { database in
                            try IndexSchema.checkName(of: database)
                            return try body(&writing.writer, database)
                        }
                    }
                } catch {
                    writing.writer = IndexWriter(columns)
                    throw error
                }
            }
        } catch {
            throw failure(error)
        }
    }

    // MARK: Damage

    /// Progress of the rebuild in bytes; nil if the index is available.
    var rebuilding: (done: Int64, of: Int64)? {
        worker.access { mailbox, _ in mailbox.rebuilding }
    }

    /// Returns when the index is available, or after this many milliseconds.
    func wait(for milliseconds: UInt64) async {
        let deadline = Clock.monotonicMilliseconds + milliseconds
        while rebuilding != nil, Clock.monotonicMilliseconds < deadline {
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
        }
    }

    /// Number of records that are durable and not indexed yet.
    var lag: Int { worker.access { mailbox, _ in mailbox.submitted - mailbox.indexed } }

    /// Why the last batch could not be indexed; nil if it was.
    ///
    /// It is tried again with the next records, query or maintenance.
    var writeFailure: StoreError? { worker.access { mailbox, _ in mailbox.failure } }

    private static func rebuildingError(_ mailbox: Mailbox) -> StoreError? {
        mailbox.rebuilding.map { .rebuilding(done: $0.done, of: $0.of) }
    }

    /// Converts the error of a failed statement; damage starts a rebuild.
    func failure(_ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        if error is CancellationError { return .cancelled }
        var error = error
        // A reader is opened by the file's path. It also can't be if too many files are open.
        if (error as? DatabaseError)?.resultCode == .SQLITE_CANTOPEN, let cause = namingError {
            error = cause
        }
        let known = error as? DatabaseError
        let isDamage = error is RowDecodingError || known?.indicatesDamage == true
        if isDamage, reportDamage("\(error)") { return .rebuilding(done: 0, of: 0) }
        // The database was closed during the query.
        if known?.resultCode == .SQLITE_MISUSE { return .rebuilding(done: 0, of: 0) }
        return StoreError(ofIndex: error, reserve)
    }

    /// Why the path no longer leads to the open file; nil if it does.
    private var namingError: (any Error)? {
        do {
            try database.writeWithoutTransaction { try IndexSchema.checkName(of: $0) }
            return nil
        } catch {
            return error
        }
    }

    /// Reports that the index is damaged; it is not used until it has been rebuilt.
    ///
    /// - Returns: false if the caller must handle that itself: while the store opens, and during a
    ///   rebuild.
    @discardableResult
    func reportDamage(_ reason: String) -> Bool {
        guard let onDamage = onDamage.withLock({ $0 }) else { return false }
        let readers = worker.access { mailbox, _ -> [Reader]? in
            guard mailbox.rebuilding == nil else { return nil }
            mailbox.rebuilding = (0, 0)
            mailbox.failure = nil
            mailbox.isGathering = false
            mailbox.epoch += 1
            mailbox.waiting = []
            defer { mailbox.readers = [] }
            return mailbox.readers
        }
        guard let readers else { return false }
        for reader in readers {
            reader.continuation.resume(returning: .rebuilding(done: 0, of: 0))
        }
        onDamage(reason)
        return true
    }

    // MARK: Rebuilding

    /// Replaces a damaged index by an empty one.
    ///
    /// - Parameter remove: removes the files.
    func empty(_ remove: () throws(StoreError) -> Void) throws(StoreError) {
        let epoch = worker.access { mailbox, _ in
            mailbox.isGathering = false
            mailbox.waiting = []
            return mailbox.epoch
        }
        do {
            try writing.withLock { writing in
                // The last connection to close removes the log by name; it must not be the next
                // index's log.
                try? writing.pool.close()
                try remove()
                let pool = try IndexSchema.open(path, catalog: catalog, columns: columns)
                writing = Writing(writer: IndexWriter(columns), pool: pool, epoch: epoch)
                reading.withLock { $0 = pool }
            }
        } catch {
            throw StoreError(ofIndex: error, reserve)
        }
    }

    /// The number up to which the segments have to be read.
    ///
    /// - Parameter isLast: whether changes submitted from now on are queued.
    func target(isLast: Bool) -> Int {
        worker.access { mailbox, _ in
            mailbox.isGathering = isLast
            mailbox.waiting = []
            return mailbox.submitted
        }
    }

    /// Records how many bytes of the segments have been read.
    func noteProgress(_ done: Int64, of total: Int64) {
        worker.access { mailbox, _ in mailbox.rebuilding = (done, total) }
    }

    /// Makes the index available; it contains everything up to the number that `target` returned
    /// last.
    func finish(at sequence: Int) {
        worker.access { mailbox, alarm in
            mailbox.indexed = sequence
            mailbox.rebuilding = nil
            mailbox.isGathering = false
            if !mailbox.waiting.isEmpty { alarm.ring() }
        }
    }
}

extension DatabaseError {
    /// Whether the error says that the file is damaged or gone, rather than that the query or the
    /// machine failed.
    fileprivate var indicatesDamage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
            true
        case .SQLITE_IOERR:
            extendedResultCode == .SQLITE_IOERR_SHORT_READ
        case .SQLITE_READONLY:
            extendedResultCode == .SQLITE_READONLY_DBMOVED
        case .SQLITE_ERROR: message?.hasPrefix("no such table") ?? false
        default: false
        }
    }
}

extension StoreError {
    /// Makes the error of a call of the index; looks at the disk if SQLite doesn't say whether it
    /// is full.
    init(ofIndex error: any Error, _ reserve: Reserve) {
        let code = (error as? DatabaseError)?.extendedResultCode
        // The memory that connections share is a file on the disk; SQLite reports a full disk so.
        // A quota that is used up is to it a write that failed for any reason.
        let isFull =
            code == .SQLITE_IOERR_SHMSIZE || code == .SQLITE_IOERR_WRITE && reserve.isDiskFull()
        self = error as? StoreError ?? (isFull ? .full : .index(reason: "\(error)"))
    }
}
