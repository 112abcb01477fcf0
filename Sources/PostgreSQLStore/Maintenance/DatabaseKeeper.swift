// Maintenance of a database, by one instance at a time: makes partitions ahead, erases expired results,
// and removes what erased results leave: their rows' bytes, and names that nothing uses any more.
//
// Invariant: a round that is interrupted anywhere is completed by the next one.

import Clocks
import Foundation
import ResultStore
import Synchronization

/// Erases expired results and removes what was erased from the database's files.
final class DatabaseKeeper: Sendable {
    private struct State: Sendable {
        var isWorking = false
        var isClosing = false
        var clock = RetentionClock()
        var regular: Task<Void, Never>?
        /// Whether it was reported that the room for locks is short.
        var isShortOfLocks = false
        /// Since when another instance has had the lock, or when that was reported; nil if none has.
        var heldSince: UInt64?
        /// The database's process of the connection that has the lock; nil outside of a round.
        var owner: Int32?

        /// Whether a round may begin.
        mutating func begin() -> Bool {
            defer { isWorking = true }
            return !isWorking
        }
    }

    /// With one connection, whose statements may take long.
    let pool: QueryPool
    let writer: DatabaseWriter
    let settings: StoreSettings
    let statements: WriteStatements
    let onEvent: @Sendable (StoreEvent) -> Void
    private let state = Mutex(State())

    init(
        _ session: Session, writer: DatabaseWriter, _ statements: WriteStatements,
        settings: StoreSettings, onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        var session = session
        session.idleMilliseconds = Limits.roundSilenceMilliseconds
        pool = QueryPool(session, count: 1, statementMilliseconds: Limits.migrationMilliseconds)
        self.writer = writer
        self.statements = statements
        self.settings = settings
        self.onEvent = onEvent
    }

    /// Starts a round now and then; see `StoreSettings.compactionMilliseconds`.
    func start(onReport: @escaping @Sendable (MaintenanceReport) -> Void) {
        let pause = min(
            Limits.maintenanceMilliseconds,
            max(Limits.shortestPauseMilliseconds, settings.compactionMilliseconds))
        let task = Task {
            while !Task.isCancelled {
                do throws(StoreError) {
                    let report = try await work(waitsForOthers: false)
                    if !report.isEmpty { onReport(report) }
                } catch {
                    var report = MaintenanceReport()
                    report.failures = [error]
                    if error != .closed { onReport(report) }
                }
                try? await Task.sleep(for: .milliseconds(pause))
            }
        }
        state.withLock { $0.regular = task }
    }

    private var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Ends maintenance, and cancels its statement that runs now.
    ///
    /// That could take an hour; the next round does it again. The writer's erasures end after their
    /// transaction.
    func close() async {
        let regular = state.withLock { state in
            state.isClosing = true
            return state.regular
        }
        regular?.cancel()
        await regular?.value
        await pool.close()
    }

    /// Runs statements on the connection for maintenance.
    ///
    /// - Parameter connects: whether a new connection may be made. The statements of a round run only
    ///   on the connection to which the lock against other instances belongs; verification, which
    ///   may run beside it, may have made another one.
    func run(
        _ statements: [Statement], connects: Bool = false
    ) async throws(StoreError) -> [Reply] {
        if isClosing { throw .closed }
        let owner = state.withLock { $0.owner }
        let replies = try await pool.ask(connects: connects) {
            (connection) throws(DatabaseError) -> [Reply]? in
            guard connects || connection.backend == owner else { return nil }
            return try connection.run(
                statements, within: Limits.migrationMilliseconds, unless: { self.isClosing })
        }
        guard let replies else { throw .database(reason: "the connection was lost") }
        return replies
    }

    /// Runs one statement on the connection for maintenance.
    func run(
        _ sql: String, _ parameters: [Parameter] = [], connects: Bool = false
    ) async throws(StoreError) -> Reply {
        try await run([Statement(sql: sql, parameters: parameters)], connects: connects)[0]
    }

    /// Does all maintenance that is due.
    ///
    /// - Parameters:
    ///   - waitsForOthers: whether to wait while another instance does it; it returns an empty report
    ///     otherwise.
    ///   - patience: milliseconds for which another instance may hold the lock; after that it is
    ///     reported, or waiting throws `database`.
    func work(
        waitsForOthers: Bool, patience: UInt64 = Limits.heldMilliseconds
    ) async throws(StoreError) -> MaintenanceReport {
        while !state.withLock({ $0.begin() }) {
            guard waitsForOthers else { return MaintenanceReport() }
            try await pause()
        }
        defer { state.withLock { $0.isWorking = false } }
        let deadline = Clock.monotonicMilliseconds + patience
        while try await !lock() {
            guard waitsForOthers else {
                try await noteHeld(patience)
                return MaintenanceReport()
            }
            guard Clock.monotonicMilliseconds < deadline else {
                let holder = try await lockHolder()
                throw .database(reason: "another program's maintenance doesn't end (\(holder))")
            }
            try await pause()
        }
        let result: Result<MaintenanceReport, StoreError>
        do throws(StoreError) {
            result = .success(try await round())
        } catch {
            result = .failure(error)
        }
        // Also if this task is cancelled, which asks nothing any more.
        await Task { _ = try? await run("SELECT pg_advisory_unlock(\(Self.key))") }.value
        state.withLock { $0.owner = nil }
        return try result.get()
    }

    // MARK: The lock

    /// The key of the lock against other instances.
    private static let key = Migration.lockKey("maintenance")

    private func pause() async throws(StoreError) {
        do {
            try await Task.sleep(for: .milliseconds(Limits.shortestPauseMilliseconds / 10))
        } catch {
            throw .cancelled
        }
    }

    /// Takes the lock; false if another instance has it.
    ///
    /// It doesn't wait in the database, so that closing doesn't either.
    private func lock() async throws(StoreError) -> Bool {
        let reply = try await run(
            "SELECT pg_try_advisory_lock(\(Self.key)), pg_backend_pid()", connects: true)
        guard let row = reply.first, row.int(0) == 1 else { return false }
        let process = Int32(truncatingIfNeeded: row.int(1))
        state.withLock { ($0.heldSince, $0.owner) = (nil, process) }
        return true
    }

    /// Reports that another instance has had the lock for longer than `patience`.
    private func noteHeld(_ patience: UInt64) async throws(StoreError) {
        let now = Clock.monotonicMilliseconds
        let isLong = state.withLock { state in
            let since = state.heldSince ?? now
            let isLong = now >= since + patience
            state.heldSince = isLong ? now : since
            return isLong
        }
        if !isLong { return }
        let holder = try await lockHolder()
        onEvent(.maintenanceHeld(holder: holder))
    }

    /// Which process of the database has the lock.
    private func lockHolder() async throws(StoreError) -> String {
        let found = try await run(
            """
            SELECT 'process ' || pid || coalesce(', for ' || host(client_addr), '')
            FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
            WHERE locktype = 'advisory' AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND ((classid::bigint << 32) | objid::bigint) = \(Self.key)
            """, connects: true)
        return found.first?.text(0) ?? "it has just ended"
    }

    // MARK: A round

    private func round() async throws(StoreError) -> MaintenanceReport {
        var report = MaintenanceReport()
        let today = Day(.now)
        for ahead in 0...Int64(Limits.daysAhead) {
            _ = try await run([today.advanced(by: ahead).begin])
        }
        try await checkLocks()
        try await expire(&report)
        try await clean(&report)
        let start = Timestamp(
            unixMilliseconds: Timestamp.now.unixMilliseconds - Limits.flowNewsMilliseconds)
        _ = try await run(
            "DELETE FROM flow_news WHERE place < $1", [.integer(Place.start(start))])
        let moment = Timestamp.now.unixMilliseconds - Limits.erasureMilliseconds
        let old = try await run(
            "DELETE FROM erasures WHERE erased_at < $1", [.integer(moment)])
        // They name inboxes.
        if old.changed > 0 { _ = try await rewrite(smallOf: ["erasures"], &report) }
        return report
    }

    /// Reports once that queries may soon find no room for their locks.
    private func checkLocks() async throws(StoreError) {
        let room = LockRoom(try await run([LockRoom.statement])[0])
        let isNew = state.withLock { state in
            defer { state.isShortOfLocks = room.isShort }
            return room.isShort && !state.isShortOfLocks
        }
        if isNew { onEvent(.locksShort(setting: room.setting, advised: room.advisedSetting)) }
    }

    /// The current time, as far as the clock is plausible.
    func trustedTime() async throws(StoreError) -> Timestamp {
        let newest = try await run(
            """
            SELECT place >> \(Place.numberBits) FROM results
            ORDER BY place DESC LIMIT \(Limits.clockWitnesses)
            """)
        let moments = newest.rows.map { Timestamp(unixMilliseconds: $0.integer(0) ?? 0) }
        let (now, lead) = state.withLock { state in
            let wasTrusted = state.clock.lead == 0
            let now = state.clock.now(.now, boot: Clock.bootMilliseconds, newest: moments)
            return (now, wasTrusted ? state.clock.lead : 0)
        }
        if lead > 0 { onEvent(.clockJumped(milliseconds: lead)) }
        return now
    }

    /// Removes the bytes of erased rows, and names that nothing uses any more.
    private func clean(_ report: inout MaintenanceReport) async throws(StoreError) {
        let days = try await run(
            """
            SELECT day, seq, coalesce(pg_total_relation_size(to_regclass(
                'results_' || to_char(to_timestamp(day * 86400) AT TIME ZONE 'UTC', 'YYYY_MM_DD'))), 0)
            FROM unclean ORDER BY day
            """)
        if days.count == 0 { return }
        guard try await nothingSeesErasedRows() else { return }
        let today = Day(.now)
        var cleaned: [(day: Int64, sequence: Int)] = []
        for row in days.rows {
            let day = Day(number: row.integer(0) ?? 0)
            let size = row.int(2)
            // Writing waits meanwhile, so a large partition is left for the next day.
            if day >= today, size > Limits.cleanedBytes { continue }
            if size > 0 {
                guard await rewrite(day.partition, &report) else { continue }
                report.rewrittenSegments += 1
            }
            cleaned.append((day.number, row.int(1)))
        }
        // Otherwise the next round does this again.
        guard try await removeUnusedNames(&report) else { return }
        for (day, sequence) in cleaned {
            _ = try await run(
                "DELETE FROM unclean WHERE day = $1 AND seq = $2",
                [.integer(day), .integer(sequence)])
        }
    }

    /// Whether no transaction sees rows that were erased before this call; waits for it for a while.
    ///
    /// A table that is rewritten keeps what one sees, also on a standby that reports it through a
    /// replication slot; PostgreSQL ignores a slot that is lost. A prepared transaction of any
    /// database counts: what it has done is not settled for those that begin now. Transactions of
    /// other roles are known only to roles with `pg_read_all_stats`.
    private func nothingSeesErasedRows() async throws(StoreError) -> Bool {
        let next = try await run("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        for _ in 1...Limits.readerTries {
            let older = try await run(
                """
                SELECT (
                    SELECT count(*) FROM pg_stat_activity
                    WHERE pid <> pg_backend_pid() AND (age(backend_xid) > next.age OR (
                        age(backend_xmin) > next.age
                        AND coalesce(datname, current_database()) = current_database()))
                ) + (
                    SELECT count(*) FROM pg_replication_slots
                    WHERE age(xmin) > next.age AND wal_status IS DISTINCT FROM 'lost'
                ) + (SELECT count(*) FROM pg_prepared_xacts WHERE age(transaction) > next.age)
                FROM (SELECT age(($1::bigint % 4294967296)::text::xid) AS age) AS next
                """, [.integer(next.first?.int(0) ?? 0)])
            if older.first?.int(0) == 0 { return true }
            try? await Task.sleep(for: .milliseconds(Limits.readerPauseMilliseconds))
        }
        return false
    }

    /// Rewrites a table without erased rows; false if others use it for longer than a second.
    private func rewrite(_ table: String, _ report: inout MaintenanceReport) async -> Bool {
        do throws(StoreError) {
            // A transaction would keep it from working, so the setting is the session's.
            try await waitForLocks(1000)
            let result: Result<Void, StoreError>
            do throws(StoreError) {
                _ = try await run("VACUUM FULL \"\(table)\"")
                result = .success(())
            } catch {
                result = .failure(error)
            }
            try await waitForLocks(Limits.migrationMilliseconds)
            try result.get()
            return true
        } catch {
            report.failures.append(error)
            return false
        }
    }

    /// Rewrites tables of names, but for large ones: writing waits meanwhile.
    private func rewrite(
        smallOf tables: [String], _ report: inout MaintenanceReport
    ) async throws(StoreError) -> Bool {
        guard try await nothingSeesErasedRows() else { return false }
        for table in tables {
            let size = try await run(
                "SELECT pg_total_relation_size(to_regclass($1))", [.text(table)])
            if size.first?.int(0) ?? 0 > Limits.cleanedBytes { continue }
            guard await rewrite(table, &report) else { return false }
        }
        return true
    }

    private func waitForLocks(_ milliseconds: Int32) async throws(StoreError) {
        _ = try await run(
            "SELECT set_config('lock_timeout', $1, false)", [.text("\(milliseconds)")])
    }

    /// Removes names that nothing uses, which may themselves be what was to be erased; false if their
    /// bytes may still be there.
    private func removeUnusedNames(
        _ report: inout MaintenanceReport
    ) async throws(StoreError) -> Bool {
        try await deleteUnusedNames()
        return try await rewrite(smallOf: ["inboxes", "origins"], &report)
    }

    private func deleteUnusedNames() async throws(StoreError) {
        let lock = Statement(sql: "SELECT seq FROM head FOR UPDATE")
        _ = try await run([
            lock,
            Statement(
                sql: """
                    DELETE FROM inboxes WHERE NOT EXISTS (
                        SELECT FROM inbox_kinds WHERE inbox = inboxes.id AND count > 0)
                    """),
            Statement(
                sql: "DELETE FROM inbox_kinds WHERE inbox NOT IN (SELECT id FROM inboxes)"),
        ])
        while true {
            let unused = try await run(
                """
                SELECT id FROM origins AS o
                WHERE NOT EXISTS (SELECT FROM results WHERE origin = o.id) LIMIT 1000
                """)
            let ids = unused.rows.map { $0.integer(0) }
            if ids.isEmpty { return }
            // Meanwhile another instance may have used one of them.
            let replies = try await run([
                lock,
                Statement(
                    sql: """
                        DELETE FROM origins AS o WHERE id = ANY ($1)
                        AND NOT EXISTS (SELECT FROM results WHERE origin = o.id)
                        """, parameters: [.integers(ids)]),
            ])
            if replies[1].changed == 0 { return }
        }
    }
}
