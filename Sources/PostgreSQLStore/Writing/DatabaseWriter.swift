// The only writer of an instance. What was queued while a transaction ran forms the next one; tasks
// resume when theirs is committed.
//
// Invariant: a record is acknowledged if and only if its transaction is committed. After a lost
// connection that is unknown: the process that served it is ended, and the records' ids are looked
// up before anything is sent again.

import Clocks
import Foundation
import ResultStore
import Synchronization

/// Writes records and erasures in batches.
final class DatabaseWriter: Sendable {
    private struct Mailbox: Sendable {
        var waiting: [PendingWrite] = []
        var isClosed = false
        var failure: StoreError?
        /// Whether to see if the database can be used again.
        var mustProbe: Bool { failure != nil && !isClosed }
    }

    /// The connection and what is known of the database.
    private final class Lane: @unchecked Sendable {  // SAFETY: only the worker's thread uses it.
        var connection: Connection?
        var names = KnownNames()
        /// The process of a connection that was lost during a transaction, and when it began.
        var suspect: (process: Int32, start: String)?
        var start = ""
        /// Added to places, because some were taken.
        var shift = 0
        /// Whether a record's idempotency key was found to be taken.
        var hasTakenKeys = false
        /// A record that the database refused, though not for its values: its disk may be full.
        var refused: PreparedRecord?

        /// Whether another attempt may succeed after an error, and prepares for it.
        func prepare(for error: DatabaseError) -> Bool {
            switch error.state {
            // A partition or a name is gone.
            case "23514", "22P02": names = KnownNames()
            case "23505" where error.constraint == "idempotency_pkey": hasTakenKeys = true
            // A record of the same millisecond has the same low bits of its number.
            case "23505": shift += 4099
            default: return error.isTransient
            }
            return true
        }
    }

    private let session: Session
    private let statements: WriteStatements
    private let onCommit: @Sendable (OwnBatch) -> Void
    private let worker = Worker(name: "database", Mailbox())
    private let lane = Lane()
    private let mostTries: Int

    /// - Parameters:
    ///   - hasSpool: whether records that can't be stored soon are kept elsewhere.
    ///   - onCommit: called with every committed batch, before the waiting tasks resume.
    init(
        _ session: Session, _ statements: WriteStatements, hasSpool: Bool,
        onCommit: @escaping @Sendable (OwnBatch) -> Void
    ) {
        self.session = session
        self.statements = statements
        self.onCommit = onCommit
        mostTries = hasSpool ? Limits.spooledTries : Limits.batchTries
        worker.start { [weak self] in self?.drain() }
    }

    deinit { worker.abandon() }

    /// Why the database could not be used; nil if all is well, or is again.
    var failure: StoreError? { worker.access { mailbox, _ in mailbox.failure } }

    /// Writes one record, or the first part of an erasure; returns when it is committed.
    func write(_ content: Content) async throws(StoreError) -> Outcome {
        let answer = await withCheckedContinuation { continuation in
            submit([PendingWrite(content: content) { continuation.resume(returning: $0) }])
        }
        return try answer.get()
    }

    /// Writes records in their order; returns when all are committed.
    ///
    /// What follows a record that the database couldn't store is not stored either.
    ///
    /// - Parameter mayBeThere: whether to store only those whose ids are not there yet.
    func write(
        _ records: [PreparedRecord], mayBeThere: Bool = false
    ) async throws(StoreError) -> [Outcome] {
        if records.isEmpty { return [] }
        let answers = WriteAnswers(records.count)
        await withCheckedContinuation { continuation in
            submit(
                records.enumerated().map { index, record in
                    PendingWrite(
                        content: .record(record, mayBeThere: mayBeThere), call: answers
                    ) {
                        if answers.take($0, at: index) { continuation.resume() }
                    }
                })
        }
        var outcomes: [Outcome] = []
        for answer in answers.all { outcomes.append(try answer.get()) }
        return outcomes
    }

    private func submit(_ pending: [PendingWrite]) {
        let isClosed = worker.access { mailbox, alarm in
            if !mailbox.isClosed {
                mailbox.waiting += pending
                alarm.ring()
            }
            return mailbox.isClosed
        }
        if isClosed { for pending in pending { pending.answer(.failure(.closed)) } }
    }

    /// Accepts nothing more; returns when what was accepted is written.
    func close() async {
        worker.access { mailbox, _ in mailbox.isClosed = true }
        await worker.stop()
    }

    // MARK: The thread

    private func drain() {
        var isIdle = true
        while true {
            let next = worker.access { mailbox, _ in
                let count = mailbox.waiting.batchSize
                defer { mailbox.waiting.removeFirst(count) }
                return Array(mailbox.waiting.prefix(count))
            }
            if next.isEmpty { break }
            isIdle = false
            let batch = next.filter { !$0.isAbandoned() }
            guard let first = batch.first else { continue }
            let error: DatabaseError?
            if case .erasure(let scope, let place, let number) = first.content {
                error = erase(scope, from: place, after: number, first)
                // That an erasure was refused says nothing about records.
                if let error, !error.endsConnection { continue }
            } else {
                error = store(batch)
            }
            note(error)
        }
        if isIdle, worker.access({ mailbox, _ in mailbox.mustProbe }) { probe() }
        worker.access { mailbox, alarm in
            if mailbox.mustProbe { alarm.ring(within: Limits.probeMilliseconds) }
        }
    }

    /// Checks whether the database stores records again.
    ///
    /// Clients may send none while the server reports that it doesn't. If the database has refused a
    /// record, it must take that one, which is rolled back.
    private func probe() {
        do throws(DatabaseError) {
            let connection = try connect()
            guard let record = lane.refused else {
                try connection.run(
                    [Head.confirmation], within: Limits.batchMilliseconds)
                return note(nil)
            }
            // Names that it adds are gone with the transaction.
            defer { lane.names = KnownNames() }
            var batch = WriteBatch([record])
            try lane.names.prepare(&batch, connection)
            try connection.writing { () throws(DatabaseError) in
                _ = try insert(batch, connection, then: [Statement(sql: "ROLLBACK")])
            }
            lane.refused = nil
            note(nil)
        } catch {
            if error.endsConnection { lose(for: error) }
            if error.isOfValues { lane.refused = nil }
            note(error)
        }
    }

    /// Notes whether the database can be used; one that refuses a record for its values can.
    ///
    /// One that has refused a record for another reason can when it takes that or another one.
    private func note(_ error: DatabaseError?) {
        let failure: StoreError? = error.flatMap { $0.isOfValues ? nil : StoreError($0) }
        if failure == nil, lane.refused != nil { return }
        worker.access { mailbox, _ in mailbox.failure = failure }
    }

    private func connect() throws(DatabaseError) -> Connection {
        if let known = lane.connection { return known }
        let connection = try session.open(statementMilliseconds: Limits.writingMilliseconds)
        if let suspect = lane.suspect {
            try connection.endProcess(suspect.process, begunAt: suspect.start)
            lane.suspect = nil
        }
        let start = try connection.run(
            Statement(
                sql: """
                    SELECT backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()
                    """), within: Limits.writingMilliseconds)
        lane.start = start.first?.text(0) ?? ""
        lane.connection = connection
        lane.names = KnownNames()
        return connection
    }

    /// Drops a connection whose transaction may or may not have been committed.
    private func lose(for error: DatabaseError) {
        if let connection = lane.connection {
            lane.suspect = (connection.backend, lane.start)
            session.note(error, of: connection)
        }
        lane.connection = nil
    }

    /// Runs `body` until it succeeds, as long as its failures pass; `isRepeated` says whether the
    /// outcome of an earlier attempt is unknown.
    private func trying<Value>(
        _ body: (Connection, _ isRepeated: Bool) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        var isRepeated = false
        var tries = 0
        while true {
            tries += 1
            do throws(DatabaseError) {
                return try body(try connect(), isRepeated)
            } catch {
                if error.endsConnection {
                    if lane.connection != nil { isRepeated = true }
                    lose(for: error)
                } else if !lane.prepare(for: error) {
                    throw error
                }
                // Nothing can have been stored: the client may as well try again.
                if error.kind == .unreachable, !isRepeated { throw error }
                guard tries < mostTries else { throw error }
                if error.endsConnection || error.isTransient {
                    let pause = Double(Limits.reconnectPauseMilliseconds) / 1000
                    Thread.sleep(forTimeInterval: pause)
                }
            }
        }
    }

    // MARK: Records

    /// What became of a record.
    private enum Fate {
        case stored(Int)
        case wasThere(Int)
        case refused(StoreError)
    }

    /// Returns why it failed.
    private func store(_ pending: [PendingWrite]) -> DatabaseError? {
        let whole = WriteBatch(pending.compactMap(\.record))
        let began = Clock.monotonicMicroseconds
        do throws(DatabaseError) {
            let fates = try trying { (connection, isRepeated) throws(DatabaseError) in
                try store(whole, connection, pending[0].trait, isRepeated: isRepeated)
            }
            lane.refused = nil
            report(whole, fates, Clock.monotonicMicroseconds - began)
            for (index, pending) in pending.enumerated() {
                var outcome = Outcome(id: whole.ids[index])
                switch fates[index] {
                case .stored(let number): outcome.sequence = number
                case .wasThere(let number): (outcome.sequence, outcome.wasThere) = (number, true)
                case .refused(let error):
                    pending.answer(.failure(error))
                    continue
                }
                pending.answer(.success(outcome))
            }
            return nil
        } catch {
            let isOfDatabase = !error.endsConnection && !error.isOfValues
            if isOfDatabase { lane.refused = whole.records.first }
            var failure = StoreError(error)
            if error.state == "22012", let number = whole.records.first?.number {
                failure = .numberTaken(number)
            }
            for pending in pending { pending.answer(.failure(failure)) }
            return error
        }
    }

    /// Stores what isn't there yet.
    private func store(
        _ whole: WriteBatch, _ connection: Connection, _ trait: PendingWrite.Trait?,
        isRepeated: Bool
    ) throws(DatabaseError) -> [Fate] {
        var fates = [Fate?](repeating: nil, count: whole.records.count)
        if isRepeated || trait?.mayBeThere == true {
            // A commit that no standby has confirmed can be seen too; this one waits for all before.
            try connection.run([Head.confirmation], within: Limits.batchMilliseconds)
        }
        if trait?.mayBeThere == true {
            // After a lost connection, this includes those that were stored then.
            for (index, found) in try Self.find(whole, connection) {
                fates[index] = .wasThere(found.sequence)
            }
        } else if isRepeated {
            for (index, found) in try Self.find(whole, connection) {
                // A replaced record has its old line, unless the new one was stored.
                let moment = whole.records[index].redecodedAt
                if moment == nil || found.redecodedAt == moment {
                    fates[index] = .stored(found.sequence)
                }
            }
        }
        if lane.hasTakenKeys {
            let taken = try connection.run(
                WriteStatements.takenKeys(whole), within: Limits.writingMilliseconds)
            for row in taken.rows where fates[row.int(0)] == nil {
                fates[row.int(0)] = .refused(.keyTaken)
            }
            lane.hasTakenKeys = false
        }
        for index in whole.repeatedClaims where fates[index] == nil {
            fates[index] = .refused(.keyTaken)
        }
        let left = fates.indices.filter { fates[$0] == nil }
        var batch = whole.keeping(left)
        if !batch.records.isEmpty {
            try lane.names.prepare(&batch, connection)
            let stored =
                trait?.replaces == true
                ? try replace(batch, connection) : try insert(batch, connection)
            for (index, fate) in zip(left, stored) { fates[index] = fate }
        }
        return fates.map { $0 ?? .refused(.unreadable) }
    }

    /// Stores records instead of those with the same ids, if there are any.
    private func replace(
        _ whole: WriteBatch, _ connection: Connection
    ) throws(DatabaseError) -> [Fate] {
        try connection.writing { () throws(DatabaseError) -> [Fate] in
            let known = try Self.find(whole, connection)
            let left = whole.records.indices.filter {
                whole.records[$0].replaces == nil || known[$0] != nil
            }
            var fates = [Fate](repeating: .refused(.erased), count: whole.records.count)
            if left.isEmpty {
                try connection.run([Statement(sql: "ROLLBACK")], within: 1000)
                return fates
            }
            // As in files, the new line takes the place of the old one.
            var batch = whole.keeping(left)
            batch.places = left.map { known[$0]?.place }
            let removal = WriteStatements.removal(
                where: "place = ANY ($1)", [.integers(batch.places)])
            let stored = try insert(
                batch, connection, after: [removal], then: [Statement(sql: "COMMIT")])
            for (index, fate) in zip(left, stored) { fates[index] = fate }
            return fates
        }
    }

    /// Inserts a batch in one turn.
    private func insert(
        _ batch: WriteBatch, _ connection: Connection, after opening: [Statement] = [],
        then closing: [Statement] = []
    ) throws(DatabaseError) -> [Fate] {
        let count = batch.records.count
        let numbers = batch.records.compactMap(\.number)
        var taking = Head.takeNumbers(count)
        if let first = numbers.first, let last = numbers.last {
            taking = Head.takeNumbers(from: first, to: last)
        }
        // A record that keeps the number of another store is no news. Nor is one that is decoded
        // again.
        let isNews = numbers.isEmpty && batch.places.isEmpty
        let news = isNews ? WriteStatements.flowNews(of: batch, shift: lane.shift) : []
        let replies = try connection.run(
            [taking] + opening + lane.names.additions(for: batch)
                + [statements.insertion(of: batch, shift: lane.shift)]
                + WriteStatements.counting(batch) + news + [statements.notification] + closing,
            within: Limits.batchMilliseconds)
        lane.names.note(batch)
        lane.shift = 0
        let last = replies[0].first?.int(0) ?? 0
        return batch.records.enumerated().map { index, record in
            .stored(record.number ?? last - count + 1 + index)
        }
    }

    /// A record in the database.
    private struct Found {
        let place: Int64
        let sequence: Int
        let redecodedAt: Timestamp?
    }

    /// The records of a batch that the database has, by their index.
    private static func find(
        _ batch: WriteBatch, _ connection: Connection
    ) throws(DatabaseError) -> [Int: Found] {
        let moments = batch.ids.map { Timestamp(unixMilliseconds: $0.milliseconds) }
        let reply = try connection.run(
            Statement(
                sql: """
                    SELECT w.number - 1, place, seq, redecoded_at
                    FROM unnest($1::uuid[], $2::bigint[], $3::bigint[])
                            WITH ORDINALITY AS w (id, first, next, number)
                        JOIN results ON place >= w.first AND place < w.next AND results.id = w.id
                    """,
                parameters: [
                    .ids(batch.ids), .integers(moments.map { Int64?(Place.start($0)) }),
                    .integers(moments.map { Int64?(Place.end($0)) }),
                ]), within: Limits.writingMilliseconds)
        var found: [Int: Found] = [:]
        for row in reply.rows {
            found[row.int(0)] = Found(
                place: row.integer(1) ?? 0, sequence: row.int(2),
                redecodedAt: row.integer(3).map { Timestamp(unixMilliseconds: $0) })
        }
        return found
    }

    private func report(_ batch: WriteBatch, _ fates: [Fate], _ microseconds: UInt64) {
        let stored = zip(batch.records.indices, fates).compactMap { index, fate -> OwnRecord? in
            guard case .stored(let sequence) = fate else { return nil }
            return OwnRecord(batch.records[index], batch.ids[index], sequence)
        }
        onCommit(OwnBatch(records: stored, bytes: batch.bytes, microseconds: microseconds))
    }

    // MARK: Erasures

    /// Erases the first records of a scope, as many as one transaction may; returns why it failed.
    private func erase(
        _ whole: Erasure.Scope, from place: Int64, after number: Int, _ pending: PendingWrite
    ) -> DatabaseError? {
        let token = RecordID(at: .now)
        /// Where the other records begin; nil if these are all.
        var rest: Int64?
        do throws(DatabaseError) {
            var outcome = try trying { (connection, isRepeated) throws(DatabaseError) -> Outcome in
                if isRepeated {
                    let replies = try connection.run(
                        [Head.confirmation, WriteStatements.erasure(withToken: token)],
                        within: Limits.writingMilliseconds)
                    if let done = replies[1].first {
                        return Outcome(sequence: done.int(0), count: done.int(1))
                    }
                }
                var (scope, after) = (whole, number)
                rest = nil
                if let bounds = statements.lastOfFirst(of: whole, from: place) {
                    let last = try connection.run(bounds, within: Limits.writingMilliseconds)
                    // An empty last part could fail, and an empty inbox is not erased once more.
                    if last.count > 1, let row = last.first {
                        let moment = Place.moment(row.integer(0) ?? 0)
                        (scope, after) = (whole.limited(to: moment, row.int(1)), Int.max)
                        rest = Place.start(moment)
                    }
                }
                let replies = try connection.run(
                    statements.erasure(scope, from: place, after: after, token: token, at: .now),
                    within: Limits.writingMilliseconds)
                return Outcome(
                    sequence: replies[0].first?.int(0) ?? 0, count: replies[1].first?.int(0) ?? 0)
            }
            outcome.rest = rest
            pending.answer(.success(outcome))
            return nil
        } catch {
            pending.answer(.failure(StoreError(error)))
            return error
        }
    }
}
