// The SQLite index beside the segments: derived from them, deleted and rebuilt at will.
//
// One thread takes what has gathered and inserts it in one transaction; ingest never waits for it. A
// query first waits until everything that was acknowledged before it came has been indexed. Once
// something says that the index is damaged, nothing is asked of it until it has been made anew
// (`IndexRebuilding`). Left out: the records themselves.

import Clocks
import GRDB
import Synchronization

/// Finds records by what they are looked up by.
final class ResultIndex: Sendable {
    private typealias Reader = (
        sequence: Int, continuation: CheckedContinuation<StoreError?, Never>
    )

    /// What tasks on any thread share with the writer.
    private struct Mailbox: Sendable {
        var waiting: [IndexChange] = []
        /// The last sequence number handed in, and the last one that queries see.
        var submitted = 0
        var indexed = 0
        var readers: [Reader] = []
        /// How far the making anew is; nil when the index answers.
        var rebuilding: (done: Int64, of: Int64)?
        /// Whether changes wait for an index that is made anew; before, the segments have them.
        var gathers = false
        /// Raised when the index is given up: changes taken out before must not reach the next one.
        var epoch = 0
    }

    private struct Writing {
        var writer: IndexWriter
        var pool: DatabasePool
        var epoch = 0
    }

    private let worker = Worker(name: "index", Mailbox())
    private let writing: Mutex<Writing>
    private let reading: Mutex<DatabasePool>
    private let onDamage = Mutex<(@Sendable (_ reason: String) -> Void)?>(nil)
    let catalog: FieldCatalog
    let columns: IndexColumns
    private let path: String

    /// The connections of now.
    var database: DatabasePool { reading.withLock { $0 } }

    /// Opens the index, and makes its tables where they are missing.
    ///
    /// Throws `index` when the file is no such index, or one of another version or catalog.
    init(path: String, catalog: FieldCatalog) throws(StoreError) {
        self.path = path
        self.catalog = catalog
        columns = IndexColumns(catalog)
        let pool: DatabasePool
        do {
            pool = try IndexSchema.open(path, catalog: catalog, columns: columns)
        } catch {
            throw .index(reason: "\(error)")
        }
        writing = Mutex(Writing(writer: IndexWriter(columns), pool: pool))
        reading = Mutex(pool)
    }

    deinit { worker.abandon() }

    /// Begins to index what is submitted, after recovery.
    ///
    /// - Parameters:
    ///   - sequence: everything up to it is there already.
    ///   - onDamage: hears once that the index must be made anew, and why.
    func start(at sequence: Int, onDamage: @escaping @Sendable (_ reason: String) -> Void) {
        self.onDamage.withLock { $0 = onDamage }
        worker.access { mailbox, _ in
            mailbox.submitted = sequence
            mailbox.indexed = sequence
        }
        worker.start { [weak self] in self?.drain() }
    }

    /// Hands in a committed batch; returns at once.
    func submit(_ entries: [IndexChange]) {
        guard let last = entries.last else { return }
        worker.access { mailbox, alarm in
            mailbox.submitted = last.sequence
            guard mailbox.rebuilding == nil || mailbox.gathers else { return }
            mailbox.waiting.append(contentsOf: entries)
            if mailbox.rebuilding == nil { Self.ring(&alarm, for: mailbox) }
        }
    }

    /// Has what waits indexed soon: in batches, which cost a fraction of single rows.
    private static func ring(_ alarm: inout Worker<Mailbox>.Alarm, for mailbox: Mailbox) {
        let isBatch = mailbox.waiting.count >= Limits.indexGatheredRecords
        alarm.ring(within: isBatch ? 0 : Limits.indexDelayMilliseconds)
    }

    /// Returns when queries see everything that was submitted before this call.
    ///
    /// Throws `index` when the writer could not keep up with the disk; it tries again with the next
    /// call. Throws `rebuilding` while the index is made anew.
    func catchUp() async throws(StoreError) {
        let failure = await withCheckedContinuation { continuation in
            let answer = worker.access { mailbox, alarm -> StoreError?? in
                if let error = Self.rebuildingError(mailbox) { return .some(error) }
                if mailbox.indexed >= mailbox.submitted { return .some(nil) }
                mailbox.readers.append((mailbox.submitted, continuation))
                alarm.ring()
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        if let failure { throw failure }
    }

    /// Indexes what is left, and closes the file.
    func close() async {
        await worker.stop()
        // Closing leaves the write-ahead log: the last connection to go only reads. What fails here
        // is done at the next start.
        let pool = database
        try? await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try? pool.close()
    }

    /// Indexes what waits; runs on the worker's thread.
    ///
    /// What comes meanwhile gathers again, unless a query waits or it would take the index too long: a
    /// transaction of 25 records costs each of them twice what one of 400 does.
    private func drain() {
        while true {
            let (batch, epoch) = worker.access { mailbox, _ -> ([IndexChange], Int) in
                guard mailbox.rebuilding == nil else { return ([], 0) }
                let batch = Array(mailbox.waiting.prefix(Limits.indexBatchRecords))
                mailbox.waiting.removeFirst(batch.count)
                return (batch, mailbox.epoch)
            }
            guard let last = batch.last else { return }
            do throws(StoreError) {
                try write(in: epoch) { writer, database in try writer.apply(batch, to: database) }
            } catch {
                keep(batch, epoch, error)
                return
            }
            let (satisfied, goesOn) = worker.access { mailbox, alarm -> ([Reader], Bool) in
                guard mailbox.epoch == epoch else { return ([], false) }
                mailbox.indexed = last.sequence
                let satisfied = mailbox.readers.filter { $0.sequence <= last.sequence }
                mailbox.readers.removeAll { $0.sequence <= last.sequence }
                let goesOn =
                    !mailbox.readers.isEmpty || mailbox.waiting.count >= Limits.indexBatchRecords
                if !goesOn, !mailbox.waiting.isEmpty { Self.ring(&alarm, for: mailbox) }
                return (satisfied, goesOn)
            }
            for reader in satisfied { reader.continuation.resume(returning: nil) }
            if !goesOn { return }
        }
    }

    /// Keeps a batch that could not be inserted for the next try, and tells those who wait.
    private func keep(_ batch: [IndexChange], _ epoch: Int, _ error: StoreError) {
        let readers = worker.access { mailbox, _ -> [Reader] in
            guard mailbox.epoch == epoch else { return [] }
            mailbox.waiting.insert(contentsOf: batch, at: 0)
            defer { mailbox.readers = [] }
            return mailbox.readers
        }
        for reader in readers { reader.continuation.resume(returning: error) }
    }

    /// Applies changes in one transaction.
    func insert(_ changes: [IndexChange]) throws(StoreError) {
        try write { writer, database in try writer.apply(changes, to: database) }
    }

    /// Runs a transaction; when it fails, what the writer remembers of it is forgotten.
    ///
    /// - Parameter epoch: the index that it is for; nil for the one of now.
    func write(
        in epoch: Int? = nil,
        _ body: @Sendable (inout IndexWriter, Database) throws -> Void
    ) throws(StoreError) {
        do {
            try writing.withLock { writing in
                if let epoch, epoch != writing.epoch { throw StoreError.closed }
                let pool = writing.pool
                do {
                    try pool.write { try body(&writing.writer, $0) }
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

    /// How far the making anew is, in bytes; nil when the index answers.
    var rebuilding: (done: Int64, of: Int64)? {
        worker.access { mailbox, _ in mailbox.rebuilding }
    }

    /// Returns when the index answers, or so many milliseconds have passed.
    func wait(for milliseconds: UInt64) async {
        let deadline = Clock.monotonicMilliseconds + milliseconds
        while rebuilding != nil, Clock.monotonicMilliseconds < deadline {
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
        }
    }

    /// Records that are durable and not indexed yet.
    var lag: Int { worker.access { mailbox, _ in mailbox.submitted - mailbox.indexed } }

    private static func rebuildingError(_ mailbox: Mailbox) -> StoreError? {
        mailbox.rebuilding.map { .rebuilding(done: $0.done, of: $0.of) }
    }

    /// What a failed statement means; where it shows damage, the index is made anew.
    func failure(_ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        let known = error as? DatabaseError
        let isDamage = error is RowDecodingError || known?.tellsDamage == true
        if isDamage, distrust("\(error)") { return .rebuilding(done: 0, of: 0) }
        // It was closed under the question.
        if known?.resultCode == .SQLITE_MISUSE { return .rebuilding(done: 0, of: 0) }
        return .index(reason: "\(error)")
    }

    /// Says that the index can't be believed any more; it is asked nothing until it was made anew.
    ///
    /// - Returns: false where that is the caller's affair: while opening, and while it is made anew.
    @discardableResult
    func distrust(_ reason: String) -> Bool {
        guard let onDamage = onDamage.withLock({ $0 }) else { return false }
        let readers = worker.access { mailbox, _ -> [Reader]? in
            guard mailbox.rebuilding == nil else { return nil }
            mailbox.rebuilding = (0, 0)
            mailbox.gathers = false
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

    // MARK: Making it anew

    /// Puts an empty index in the place of a damaged one.
    ///
    /// - Parameter remove: removes the files.
    func empty(_ remove: () throws(StoreError) -> Void) throws(StoreError) {
        let epoch = worker.access { mailbox, _ in
            mailbox.gathers = false
            mailbox.waiting = []
            return mailbox.epoch
        }
        do {
            try writing.withLock { writing in
                // The last connection that is closed removes the log by its name: not the next one's.
                try? writing.pool.close()
                try remove()
                let pool = try IndexSchema.open(path, catalog: catalog, columns: columns)
                writing = Writing(writer: IndexWriter(columns), pool: pool, epoch: epoch)
                reading.withLock { $0 = pool }
            }
        } catch {
            throw error as? StoreError ?? .index(reason: "\(error)")
        }
    }

    /// The number up to which the segments have to be read.
    ///
    /// - Parameter isLast: whether what is submitted from now on is to wait for the index.
    func target(isLast: Bool) -> Int {
        worker.access { mailbox, _ in
            mailbox.gathers = isLast
            mailbox.waiting = []
            return mailbox.submitted
        }
    }

    /// Says how many bytes of the segments have been read.
    func noteProgress(_ done: Int64, of total: Int64) {
        worker.access { mailbox, _ in mailbox.rebuilding = (done, total) }
    }

    /// Lets the index answer again, which knows everything up to a number that `target` named last.
    func finish(at sequence: Int) {
        worker.access { mailbox, alarm in
            mailbox.indexed = sequence
            mailbox.rebuilding = nil
            mailbox.gathers = false
            if !mailbox.waiting.isEmpty { alarm.ring() }
        }
    }
}

extension DatabaseError {
    /// Whether it says that the file is no intact index, and not that the question or the machine
    /// failed.
    fileprivate var tellsDamage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
            true
        case .SQLITE_IOERR:
            extendedResultCode == .SQLITE_IOERR_SHORT_READ
        case .SQLITE_ERROR: message?.hasPrefix("no such table") ?? false
        default: false
        }
    }
}
