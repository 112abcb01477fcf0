// What stores make of connections that are lost: what was acknowledged is there once, and what was
// committed before a connection was lost is not done again.

import Foundation
import Synchronization
import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite(.timeLimit(.minutes(2))) struct LostConnectionTests {
    /// What writers and followers have seen.
    private final class Book: Sendable {
        struct State {
            var acknowledged: [Receipt] = []
            var followed: [[Int]] = [[], []]
            var hasGap = false
            var isDone = false
        }

        private let state = Mutex(State())

        var current: State { state.withLock { $0 } }

        func note(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

        /// Appends records until the end; a failure says nothing about whether one was stored.
        func write(_ writer: Int, to store: ResultStore) async {
            var number = writer * 100_000
            while !current.isDone {
                number += 1
                let record = sampleRecord(number, inbox: "\(writer)")
                if let receipt = try? await store.append(record) {
                    note { $0.acknowledged.append(receipt) }
                }
            }
        }

        func follow(_ subscription: Subscription, _ index: Int) async {
            while !subscription.isEnded {
                await subscription.wait()
                let arrival = subscription.take()
                note { state in
                    if arrival.gap != nil { state.hasGap = true }
                    state.followed[index] += arrival.records.map(\.facts.sequence)
                }
            }
        }
    }

    private static let processes = """
        FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        """

    @Test func killedConnectionsLoseNothingAndDoubleNothing() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let name = try database.make()
        let stores = try (0..<2).map { _ in try database.store(folder, database: name) }
        let book = Book()
        let subscriptions = stores.map { $0.subscribe(to: .everything, .all(keeping: 100_000)) }
        let followers = subscriptions.enumerated().map { index, subscription in
            Task { await book.follow(subscription, index) }
        }
        let writers = (0..<8).map { writer in
            Task { await book.write(writer, to: stores[writer % 2]) }
        }
        let killer = try database.connection(to: folder, database: name)
        for _ in 0..<60 {
            try killer.run(
                "SELECT pg_terminate_backend(pid) \(Self.processes) ORDER BY random() LIMIT 1")
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...100)))
        }
        book.note { $0.isDone = true }
        for writer in writers { await writer.value }

        let lines = try await stores[0].all(ResultQuery(by: .seq, isDescending: false))
        for _ in 1...2000 where book.current.followed.contains(where: { $0.count < lines.count }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        for (store, subscription) in zip(stores, subscriptions) { store.unsubscribe(subscription) }
        for follower in followers { await follower.value }
        expect(lines, book.current)
        #expect(try await stores[1].verify().findings.isEmpty)
        for store in stores { await store.close() }
    }

    /// What was acknowledged is there once, and every follower has seen everything once, in order.
    private func expect(_ lines: [StoredLine], _ seen: Book.State) {
        let numbers = lines.map(\.sequence)
        #expect(seen.acknowledged.count > 50)
        #expect(Set(lines.compactMap(\.number)).count == lines.count)
        #expect(Set(numbers).count == lines.count)
        let known = lines.reduce(into: [String: Int]()) {
            $0[$1.root?["id"]?.string ?? ""] = $1.sequence
        }
        for receipt in seen.acknowledged {
            #expect(known[receipt.id.description] == receipt.number)
        }
        #expect(!seen.hasGap)
        for followed in seen.followed {
            let isEqual = followed == numbers
            #expect(isEqual, "\(followed.count) of \(numbers.count)")
        }
    }

    /// Calls `body` for the process that waits for something, when there is one.
    private func whenOneWaits(
        for event: String, _ connection: Connection, _ body: (Int) throws -> Void
    ) async throws {
        for _ in 1...1000 {
            let found = try connection.run(
                "SELECT pid \(Self.processes) AND (wait_event_type = $1 OR wait_event = $1)",
                [.text(event)])
            if let process = found.first?.int(0) { return try body(process) }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("no process waits for \(event)")
    }

    @Test func anErasureWhoseConnectionIsLostBeforeItBeginsIsDoneOnce() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let name = try database.make()
        let store = try database.store(folder, database: name)
        let receipts = try await store.append((1...5).map { sampleRecord($0) })
        let holder = try database.connection(to: folder, database: name)
        try holder.run("BEGIN")
        try holder.run("SELECT seq FROM head FOR UPDATE")
        let task = Task { try await store.erase(receipts[2].id) }
        let killer = try database.connection(to: folder, database: name)
        for _ in 1...2 {
            try await whenOneWaits(for: "Lock", killer) { process in
                try killer.run("SELECT pg_terminate_backend(\(process))")
            }
        }
        try holder.run("ROLLBACK")
        #expect(try await task.value)
        #expect(try await store.numbers() == [5, 4, 2, 1])
        #expect(try await !store.erase(receipts[2].id))
        #expect(try await store.storage.newestSequence() == 6)
        // One that is cancelled is not done, and says so.
        try holder.run("BEGIN")
        try holder.run("SELECT seq FROM head FOR UPDATE")
        let cancelled = Task { try await store.erase(receipts[3].id) }
        try await whenOneWaits(for: "Lock", killer) { process in
            try killer.run("SELECT pg_cancel_backend(\(process))")
        }
        let error = await #expect(throws: StoreError.self) { try await cancelled.value }
        #expect(error?.description.contains("statement_timeout") == true)
        try holder.run("ROLLBACK")
        #expect(try await store.numbers() == [5, 4, 2, 1])
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test func aDatabaseThatIsBackIsReadyBeforeAnythingIsWritten() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let name = try database.make()
        let store = try database.store(folder, database: name)
        _ = try await store.append(sampleRecord(1))
        let other = try database.connection(to: folder)
        try other.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
        try other.run(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1",
            [.text(name)])
        await #expect(throws: StoreError.self) { try await store.append(sampleRecord(2)) }
        #expect(store.status.isDatabaseFailing)
        try other.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
        // Without another write, the writer notices it.
        for _ in 1...1000 where store.status.isDatabaseFailing {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(!store.status.isDatabaseFailing)
        await store.close()
    }

    @Test func aServerThatOnlyReadsIsLeftByAllConnections() async throws {
        let folder = try TemporaryFolder()
        let servers = try [TestDatabase(), TestDatabase()]
        // It takes over with empty tables.
        try await servers[1].store(folder).close()
        let hosts = servers.map(\.folder).joined(separator: ",")
        let store = try ResultStore(
            database: DatabaseAddress(
                "host=\(hosts) user=postgres dbname=postgres",
                schema: servers[0].address(of: folder).schema), catalog: sampleCatalog)
        let following = store.subscribe(to: .everything, .all(keeping: 100))
        /// What several connections find at once.
        func found() async throws -> Set<[Int]> {
            try await withThrowingTaskGroup(of: [Int].self, returning: Set<[Int]>.self) { group in
                for _ in 1...2 * Limits.queryConnections {
                    group.addTask { try await store.numbers() }
                }
                return try await group.reduce(into: []) { $0.insert($1) }
            }
        }
        _ = try await store.append((1...2).map { sampleRecord($0) })
        #expect(try await found() == [[2, 1]])
        // It ends no connection.
        let first = try servers[0].connection(to: folder)
        try first.run("ALTER SYSTEM SET default_transaction_read_only = on")
        try first.run("SELECT pg_reload_conf()")
        for _ in 1...1000 {
            let setting = try first.run("SHOW default_transaction_read_only")
            if setting.first?.text(0) == "on" { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        // The process of the store's connection may learn of it later.
        var newest = 3
        while try await store.append(sampleRecord(newest)).number != 1, newest < 100 {
            newest += 1
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await found() == [[newest]])
        var followed: [Int] = []
        for _ in 1...1000 where !followed.contains(newest) {
            try await Task.sleep(for: .milliseconds(10))
            followed += following.take().records.compactMap(\.line.number)
        }
        #expect(followed.contains(newest))
        await store.close()
        for server in servers { try server.control("stop") }
    }

    @Test func aDatabaseWhoseDiskIsFullIsNotReadyUntilItStoresRecords() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let store = try database.store(folder)
        let first = try await store.append(sampleRecord(1))
        let connection = try database.connection(to: folder)
        try connection.run(
            """
            CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'full' USING errcode = '53100'; END $$
            """)
        try connection.run(
            """
            CREATE TRIGGER full_disk BEFORE INSERT ON results
            FOR EACH ROW EXECUTE FUNCTION full_disk()
            """)
        await #expect(throws: StoreError.self) { try await store.append(sampleRecord(2)) }
        // That it erases says nothing about room for records.
        #expect(try await store.erase(first.id))
        for _ in 1...15 {
            try await Task.sleep(for: .milliseconds(100))
            #expect(store.status.isDatabaseFailing)
        }
        try connection.run("DROP TRIGGER full_disk ON results")
        for _ in 1...600 where store.status.isDatabaseFailing {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(!store.status.isDatabaseFailing)
        // Looking stored nothing; the erasure has the number 2.
        #expect(try await store.append(sampleRecord(3)).number == 3)
        #expect(try await store.numbers() == [3])
        await store.close()
    }

    @Test func aRecordThatIsRefusedForItsValuesLeavesTheDatabaseReady() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let store = try database.store(folder)
        _ = try await store.append(sampleRecord(1))
        try database.connection(to: folder).run(
            "ALTER TABLE results ADD CHECK (flow IS DISTINCT FROM 'refused')")
        await #expect(throws: StoreError.self) {
            try await store.append(sampleRecord(2, flow: "refused"))
        }
        // The writer notes what came of a record after it has answered.
        try await Task.sleep(for: .milliseconds(100))
        #expect(!store.status.isDatabaseFailing)
        #expect(try await store.append(sampleRecord(3)).number == 2)
        await store.close()
    }

    @Test func aTransactionInWhichItsProgramIsSilentEndsWithItsConnection() async throws {
        let folder = try TemporaryFolder()
        let address = try TestDatabase.shared.get().address(of: folder)
        let silent = try Session(address: address).open(statementMilliseconds: 30_000)
        let limit = try silent.run("SELECT current_setting('idle_in_transaction_session_timeout')")
        #expect(limit.first?.text(0) == "10s")
        try silent.run("SET idle_in_transaction_session_timeout = 100")
        try silent.run("BEGIN")
        try await Task.sleep(for: .milliseconds(500))
        let error = #expect(throws: DatabaseError.self) { try silent.run("SELECT seq FROM head") }
        #expect(error?.endsConnection == true)
    }

    @Test func onlyMaintenanceLosesAConnectionOnWhichItIsSilentAndConnectsAgain() async throws {
        let folder = try TemporaryFolder()
        let store = try TestDatabase.shared.get().store(folder)
        let storage = try #require(store.storage as? PostgreSQLStorage)
        let setting = "SELECT current_setting('idle_session_timeout')"
        let limit = try await storage.pool.ask { (connection) throws(DatabaseError) in
            let reply = try connection.run(Statement(sql: setting), within: 1000)
            return reply.first?.text(0)
        }
        #expect(limit == "0")
        let keeper = storage.keeper
        #expect(try await keeper.run(setting, connects: true).first?.text(0) == "5min")
        _ = try await keeper.run(
            "SELECT set_config('idle_session_timeout', '100', false)", connects: true)
        try await Task.sleep(for: .milliseconds(500))
        _ = try await store.compact()
        #expect(try await keeper.run(setting, connects: true).first?.text(0) == "5min")
        await store.close()
    }

    @Test func maintenanceWhoseConnectionIsLostEnds() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let name = try database.make()
        let store = try database.store(folder, database: name)
        let holder = try database.connection(to: folder, database: name)
        let killer = try database.connection(to: folder, database: name)
        try holder.run("BEGIN")
        try holder.run("LOCK TABLE flow_news")
        let round = Task { try await store.compact() }
        try await whenOneWaits(for: "Lock", killer) { process in
            try killer.run("SELECT pg_terminate_backend(\(process))")
        }
        try holder.run("ROLLBACK")
        // Its lock is lost, so it does nothing more.
        await #expect(throws: StoreError.self) { try await round.value }
        _ = try await store.compact()
        await store.close()
    }

    @Test func maintenanceDoesNotGoOnOnAConnectionThatVerifyingHasMade() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let name = try database.make()
        var settings = StoreSettings()
        settings.retentionInboxResults = 2
        let store = try database.store(folder, settings: settings, database: name)
        _ = try await store.append((1...5).map { sampleRecord($0) })
        let holder = try database.connection(to: folder, database: name)
        let killer = try database.connection(to: folder, database: name)
        try holder.run("BEGIN")
        try holder.run("SELECT seq FROM head FOR UPDATE")
        let round = Task { try await store.compact() }
        // Its erasure, which the writer sends.
        try await whenOneWaits(for: "Lock", killer) { _ in
            try killer.run(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_locks
                WHERE locktype = 'advisory' AND granted AND database = (
                    SELECT oid FROM pg_database WHERE datname = current_database())
                """)
        }
        #expect(try await store.verify().findings.isEmpty)
        try holder.run("ROLLBACK")
        await #expect(throws: StoreError.self) { try await round.value }
        #expect(try await store.compact().failures.isEmpty)
        #expect(try await store.numbers() == [5, 4])
        await store.close()
    }

    @Test func maintenanceThatIsCancelledReturnsItsLock() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let name = try database.make()
        let store = try database.store(folder, database: name)
        let holder = try database.connection(to: folder, database: name)
        let watcher = try database.connection(to: folder, database: name)
        try holder.run("BEGIN")
        try holder.run("LOCK TABLE flow_news")
        let round = Task { try await store.compact() }
        try await whenOneWaits(for: "Lock", watcher) { _ in round.cancel() }
        try holder.run("ROLLBACK")
        await #expect(throws: StoreError.cancelled) { try await round.value }
        let key = Migration.lockKey("maintenance")
        #expect(try watcher.run("SELECT pg_try_advisory_lock(\(key))").first?.int(0) == 1)
        await store.close()
    }

    @Test func whoWaitsForMaintenanceCanBeCancelled() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let store = try database.store(folder)
        let holder = try database.connection(to: folder)
        try holder.run("SELECT pg_advisory_lock(\(Migration.lockKey("maintenance")))")
        let round = Task { try await store.compact() }
        try await Task.sleep(for: .milliseconds(200))
        let other = Task { try await store.compact() }
        try await Task.sleep(for: .milliseconds(200))
        other.cancel()
        await #expect(throws: StoreError.cancelled) { try await other.value }
        try holder.run("SELECT pg_advisory_unlock_all()")
        _ = try await round.value
        await store.close()
    }

    /// A transaction that waits for a standby is committed, and its connection can be lost before
    /// that is said.
    @Test func whatIsCommittedWhenItsConnectionIsLostIsNotDoneAgain() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase()
        let store = try database.store(folder)
        let receipts = try await store.append((1...5).map { sampleRecord($0) })
        let killer = try database.connection(to: folder)
        try killer.run("SELECT set_config('synchronous_commit', 'local', false)")
        func setStandby(_ name: String) throws {
            try killer.run("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
            try killer.run("SELECT pg_reload_conf()")
        }
        func loseTheNextCommit() async throws {
            try await whenOneWaits(for: "SyncRep", killer) { process in
                try killer.run("SELECT pg_terminate_backend(\(process))")
            }
            try setStandby("")
        }
        try setStandby("none")
        try await Task.sleep(for: .seconds(2))
        let append = Task { try await store.append(sampleRecord(6)).number }
        try await loseTheNextCommit()
        #expect(try await append.value == 6)
        try setStandby("none")
        try await Task.sleep(for: .seconds(2))
        let erasure = Task { try await store.erase(receipts[0].id) }
        try await loseTheNextCommit()
        #expect(try await erasure.value)
        #expect(try await store.numbers() == [6, 5, 4, 3, 2])
        #expect(try await store.storage.newestSequence() == 7)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }
}
