// Callbacks that come while the database can't be used: all of them are in it once, afterwards.

import Foundation
import Synchronization
import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite(.timeLimit(.minutes(2))) struct SpoolTests {
    /// What the store has reported.
    private final class Events: Sendable {
        private let all = Mutex<[StoreEvent]>([])

        func add(_ event: StoreEvent) { all.withLock { $0.append(event) } }
        func contains(_ event: StoreEvent) -> Bool { all.withLock { $0.contains(event) } }
    }

    /// Whether writers have to end.
    private final class Stop: Sendable {
        private let isSet = Mutex(false)

        var hasCome: Bool { isSet.withLock { $0 } }
        func come() { isSet.withLock { $0 = true } }
    }

    /// A database of its own, which can be made unusable, and a spool.
    private final class Setting {
        let folder: TemporaryFolder
        let server: TestDatabase
        let name: String
        let events = Events()

        init() throws {
            folder = try TemporaryFolder()
            server = try TestDatabase.shared.get()
            name = "spool_\(UUID().uuidString.prefix(8).lowercased())"
            try server.connection(to: folder).run("CREATE DATABASE \(name)")
        }

        func store(spools: Bool = true) throws -> ResultStore {
            try ResultStore(
                database: server.address(of: folder, database: name), catalog: sampleCatalog,
                spoolFolder: folder.path + "/spool", spools: spools,
                onEvent: { [events] in events.add($0) })
        }

        /// Refuses new connections, and ends those that there are.
        func breakDatabase() throws {
            let connection = try server.connection(to: folder)
            try connection.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
            try connection.run(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE datname = $1
                """, [.text(name)])
        }

        func mendDatabase() throws {
            try server.connection(to: folder)
                .run("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
        }

        /// Waits until nothing is in the spool any more.
        func waitUntilDrained(_ store: ResultStore) async throws {
            while try !spoolNames.isEmpty || store.status.spooled > 0 {
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        var spoolNames: [String] {
            get throws {
                FileManager.default.fileExists(atPath: folder.path + "/spool")
                    ? try folder.names(in: "spool").filter { $0 != "reached" } : []
            }
        }
    }

    /// The ids of all stored records.
    private func ids(_ store: ResultStore) async throws -> [RecordID] {
        try await store.all().compactMap { store.facts(in: $0)?.id }
    }

    @Test func recordsOfAnOutageAreStoredOnceInTheirOrder() async throws {
        let setting = try Setting()
        let store = try setting.store()
        #expect(try await store.append(sampleRecord(0)).sequence == 1)
        try setting.breakDatabase()
        var receipts: [Receipt] = []
        for number in 1...40 { receipts.append(try await store.append(sampleRecord(number))) }
        receipts += try await store.append((41...60).map { sampleRecord($0) })
        #expect(receipts.allSatisfy { $0.knownSequence == nil })
        #expect(store.status.spooled == 60 && store.status.isDatabaseFailing)
        await #expect(throws: StoreError.self) { try await store.all() }
        try setting.mendDatabase()
        try await setting.waitUntilDrained(store)
        let lines = try await store.all(ResultQuery(.everything, by: .seq, isDescending: false))
        #expect(lines.compactMap(\.number) == Array(0...60))
        #expect(lines.dropFirst().compactMap { store.facts(in: $0)?.id } == receipts.map(\.id))
        #expect(setting.events.contains(.spoolDrained(records: 60)))
        #expect(try await store.append(sampleRecord(61)).sequence == 62)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test func whileTheRowOfHeadIsGoneNothingIsLostOrErasedAndThatIsNamed() async throws {
        let setting = try Setting()
        let store = try setting.store()
        let first = try await store.append(sampleRecord(1))
        let connection = try setting.server.connection(to: setting.folder, database: setting.name)
        try connection.run("DELETE FROM head")
        for number in 2...3 {
            #expect(try await store.append(sampleRecord(number)).knownSequence == nil)
        }
        while !store.status.isDatabaseFailing { try await Task.sleep(for: .milliseconds(20)) }
        #expect(store.status.spooled == 2)
        await #expect(throws: StoreError.self) { try await store.erase(first.id) }
        // No count has changed.
        #expect(try await store.verify().findings.map(\.file) == ["head"])
        let address = setting.server.address(of: setting.folder, database: setting.name)
        let schema = DatabaseSchema(address, catalog: sampleCatalog)
        let error = #expect(throws: StoreError.self) { try schema.missing() }
        #expect(error?.description.contains("its table head has lost its row") == true)
        #expect(throws: StoreError.self) { _ = try setting.store() }
        try connection.run("INSERT INTO head (seq) SELECT max(seq) FROM results")
        try await setting.waitUntilDrained(store)
        let query = ResultQuery(by: .seq, isDescending: false)
        #expect(try await store.all(query).compactMap(\.number) == [1, 2, 3])
        #expect(try await store.append(sampleRecord(4)).sequence == 4)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test(arguments: [true, false])
    func whatAnEarlierRunHasLeftIsStored(spools: Bool) async throws {
        let setting = try Setting()
        var store = try setting.store()
        try setting.breakDatabase()
        let receipts = try await store.append((1...5).map { sampleRecord($0) })
        await store.close()
        #expect(try setting.spoolNames == ["1"])
        try setting.mendDatabase()
        store = try setting.store(spools: spools)
        try await setting.waitUntilDrained(store)
        #expect(try await Set(ids(store)) == Set(receipts.map(\.id)))
        await store.close()
    }

    @Test func whatWaitsIsLessWithEachPageThatIsStored() async throws {
        let setting = try Setting()
        var store = try setting.store()
        let server = setting.server
        let holder = try server.connection(to: setting.folder, database: setting.name)
        try holder.run(
            """
            CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$
            """)
        try holder.run(
            """
            CREATE TRIGGER hold BEFORE INSERT ON results FOR EACH ROW
            WHEN (position('/held'::bytea IN NEW.tail) > 0) EXECUTE FUNCTION hold()
            """)
        try setting.breakDatabase()
        let last = ResultStore.pageLimit + 100
        _ = try await store.append(
            (1...last).map { sampleRecord($0, target: $0 == last ? "/held" : nil) })
        #expect(store.status.spooled == last)
        // What an earlier run has left counts, too.
        await store.close()
        try setting.mendDatabase()
        let other = try server.connection(to: setting.folder, database: setting.name)
        try other.run("SELECT pg_advisory_lock(42)")
        store = try setting.store()
        while store.status.spooled != 100 { try await Task.sleep(for: .milliseconds(5)) }
        try other.run("SELECT pg_advisory_unlock_all()")
        try await setting.waitUntilDrained(store)
        #expect(try await ids(store).count == last)
        await store.close()
    }

    /// - Parameter isIndexed: whether the spool's index knows the record that is damaged.
    @Test(arguments: [true, false])
    func aDamagedRecordOfTheSpoolIsKeptAndDelaysNoOther(isIndexed: Bool) async throws {
        let setting = try Setting()
        var store = try setting.store()
        try setting.breakDatabase()
        var receipts = try await store.append((1...3).map { sampleRecord($0, name: "n\($0)") })
        await store.close()
        let name = try #require(setting.folder.names(in: "spool/1/results").first)
        let file = "spool/1/results/" + name
        var bytes = try setting.folder.bytes(of: file)
        let place = try #require(bytes.firstRange(of: Array(#""n2""#.utf8))).lowerBound
        bytes[place + 1] ^= 1
        try setting.folder.write(bytes, to: file)
        if !isIndexed { try setting.folder.remove("spool/1/index.sqlite") }
        try setting.mendDatabase()
        store = try setting.store()
        while try setting.spoolNames != ["1.damaged"] {
            try await Task.sleep(for: .milliseconds(20))
        }
        receipts.remove(at: 1)
        #expect(try await Set(ids(store)) == Set(receipts.map(\.id)))
        // The next outage is as any other.
        try setting.breakDatabase()
        receipts.append(try await store.append(sampleRecord(4)))
        #expect(try setting.spoolNames == ["1.damaged", "2"])
        try setting.mendDatabase()
        while try setting.spoolNames != ["1.damaged"] {
            try await Task.sleep(for: .milliseconds(20))
        }
        receipts.append(try await store.append(sampleRecord(5)))
        #expect(receipts.last?.knownSequence != nil)
        #expect(try await Set(ids(store)) == Set(receipts.map(\.id)))
        await store.close()
    }

    @Test func aSpoolThatTakesNothingIsReportedUntilItDoes() async throws {
        let setting = try Setting()
        let store = try setting.store()
        try setting.breakDatabase()
        try setting.folder.remove("spool")
        try setting.folder.write([], to: "spool")
        await #expect(throws: StoreError.self) { try await store.append(sampleRecord(1)) }
        #expect(store.status.spoolFailure != nil)
        while !store.status.isDatabaseFailing { try await Task.sleep(for: .milliseconds(20)) }
        try setting.folder.remove("spool")
        let receipt = try await store.append(sampleRecord(2))
        #expect(store.status.spoolFailure == nil && store.status.spooled == 1)
        try setting.mendDatabase()
        try await setting.waitUntilDrained(store)
        #expect(try await ids(store) == [receipt.id])
        await store.close()
    }

    @Test func aStoreOpensWhileTheDatabaseThatItKnowsIsAway() async throws {
        let folder = try TemporaryFolder()
        let server = try TestDatabase()
        func store(_ spool: String?) throws -> ResultStore {
            try ResultStore(
                database: server.address(of: folder), catalog: sampleCatalog,
                spoolFolder: spool.map { folder.path + "/" + $0 })
        }
        var reopened = try store("spool")
        _ = try await reopened.append(sampleRecord(1))
        await reopened.close()
        try server.control("stop", "--mode=immediate")
        // A wrong address looks the same: nobody should wait for it for ever.
        #expect(throws: StoreError.self) { _ = try store("other") }
        #expect(throws: StoreError.self) { _ = try store(nil) }
        reopened = try store("spool")
        #expect(reopened.status.isDatabaseFailing && reopened.lastSequence == nil)
        await #expect(throws: StoreError.self) { try await reopened.sequenceReachedByFeed() }
        let receipts = try await reopened.append([sampleRecord(2), sampleRecord(3)])
        #expect(receipts.allSatisfy { $0.knownSequence == nil })
        let subscription = reopened.subscribe(to: .everything, .all(keeping: 10))
        try server.control("start")
        var numbers: [Int] = []
        while numbers.count < 2 {
            await subscription.wait()
            numbers += subscription.take().records.map(\.facts.sequence)
        }
        // Not what was stored before.
        #expect(numbers == [2, 3] && reopened.lastSequence == 3)
        let query = ResultQuery(by: .seq, isDescending: false)
        #expect(try await reopened.all(query).compactMap(\.number) == [1, 2, 3])
        await reopened.close()
    }

    @Test func aStoreOpensWhileOnlyAStandbyAnswers() async throws {
        let setting = try Setting()
        var store = try setting.store()
        _ = try await store.append(sampleRecord(1))
        await store.close()
        let connection = try setting.server.connection(to: setting.folder)
        // To libpq, this is what a standby looks like.
        try connection.run("ALTER DATABASE \(setting.name) SET default_transaction_read_only = on")
        #expect(throws: StoreError.self) { _ = try setting.store(spools: false) }
        store = try setting.store()
        #expect(store.status.isDatabaseFailing)
        #expect(try await store.append(sampleRecord(2)).knownSequence == nil)
        try connection.run("ALTER DATABASE \(setting.name) RESET default_transaction_read_only")
        try await setting.waitUntilDrained(store)
        let query = ResultQuery(by: .seq, isDescending: false)
        #expect(try await store.all(query).compactMap(\.number) == [1, 2])
        await store.close()
        // A database that is gone does not come by itself.
        try setting.breakDatabase()
        try connection.run("ALTER DATABASE \(setting.name) RENAME TO \(setting.name)_gone")
        #expect(throws: StoreError.self) { _ = try setting.store() }
    }

    @Test func inAnOutageAKeyIsNotLookedUp() async throws {
        let setting = try Setting()
        let store = try setting.store()
        _ = try await store.append(sampleRecord(1))
        try setting.breakDatabase()
        _ = try await store.append(sampleRecord(2))
        // A query would fail.
        let storage = try #require(store.storage as? PostgreSQLStorage)
        await storage.pool.close()
        let lines = try await store.lines(
            idempotencyKey: "k", inbox: "default", vendor: "welltory")
        #expect(lines.isEmpty)
        await store.close()
    }

    /// A request of its own for each number, always with the same key.
    ///
    /// - Parameter part: its position in a list of three; nil if it comes alone.
    private func keyed(_ number: Int, part: Int? = nil) -> NewRecord {
        var record = sampleRecord(1)
        let batch = part.map { #","batch":{"index":\#($0),"count":3}"# } ?? ""
        record.request =
            RecordRequest(
                json: Array(
                    #"""
                    {"method":"POST","target":"/\#(number)","body":null,\#
                    "headers":[["Idempotency-Key","k"]]\#(batch)}
                    """#.utf8)) ?? record.request
        record.keyClaim = KeyClaim(follows: 0, part: part ?? 0)
        return record
    }

    /// The lines that a spool would have of some records.
    private func spooled(_ records: [NewRecord]) async throws -> [StoredLine] {
        let folder = try TemporaryFolder()
        let spool = try ResultStore(folder)
        _ = try await spool.append(records)
        let lines = try await spool.all(ResultQuery(by: .seq, isDescending: false))
        await spool.close()
        return lines
    }

    @Test func aRequestThatTwoServersHaveSpooledIsStoredOnce() async throws {
        let setting = try Setting()
        let stores = try (0..<2).map { _ in try setting.store(spools: false) }
        let lines = [try await spooled([keyed(1)]), try await spooled([keyed(1), keyed(2)])]
        let holder = try setting.server.connection(to: setting.folder, database: setting.name)
        try holder.run("BEGIN")
        try holder.run("SELECT seq FROM head FOR UPDATE")
        let tasks = try zip(stores, lines).map { store, lines in
            let storage = try #require(store.storage as? PostgreSQLStorage)
            return Task { try await storage.store(spooled: lines) }
        }
        // Both have looked the key up, and want to store. A transaction sees activity only once.
        let watcher = try setting.server.connection(to: setting.folder, database: setting.name)
        let waiting = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        while try watcher.run(waiting).first?.int(0) != 2 {
            try await Task.sleep(for: .milliseconds(5))
        }
        try holder.run("ROLLBACK")
        for task in tasks { _ = try await task.value }
        let requests = try await stores[0].all().compactMap { $0.root?["request"] }
        #expect(requests.compactMap { $0["target"]?.string }.sorted() == ["/1", "/2"])
        #expect(try await stores[0].verify().findings.isEmpty)
        for store in stores { await store.close() }
    }

    /// - Parameter count: how much of the list was stored before, as if a server had crashed.
    @Test(arguments: [0, 1, 2])
    func aListThatTwoServersStoreIsStoredOnce(count: Int) async throws {
        let setting = try Setting()
        let stores = try (0..<2).map { _ in try setting.store(spools: false) }
        let list = (0..<3).map { keyed($0, part: $0) }
        if count > 0 { _ = try await stores[1].append(Array(list.prefix(count))) }
        let storage = try #require(stores[0].storage as? PostgreSQLStorage)
        let lines = try await spooled(list)
        #expect(try await storage.store(spooled: lines) == 3 - count)
        // The other one has looked up its key before.
        await #expect(throws: StoreError.keyTaken) {
            try await stores[1].append(Array(list.dropFirst(count)))
        }
        // A list of other records with the key.
        let others = (0..<3).map { keyed($0 + 3, part: $0) }
        for _ in 1...2 { _ = try await storage.store(spooled: spooled(others)) }
        let requests = try await stores[0].all().compactMap { $0.root?["request"] }
        let targets = requests.compactMap { $0["target"]?.string }
        #expect(targets.sorted() == (0..<6).map { "/\($0)" })
        for store in stores { await store.close() }
    }

    @Test func aRepetitionThatWasSpooledIsStoredOnce() async throws {
        let setting = try Setting()
        let store = try setting.store()
        let first = try await store.append(keyed(1))
        try setting.breakDatabase()
        #expect(
            try await store.lines(idempotencyKey: "k", inbox: "default", vendor: "welltory").isEmpty
        )
        // The same request, and another one with its key.
        _ = try await store.append(keyed(1))
        let other = try await store.append(keyed(2))
        _ = try await store.append(keyed(2))
        try setting.mendDatabase()
        try await setting.waitUntilDrained(store)
        #expect(try await Set(ids(store)) == [first.id, other.id])
        await store.close()
    }

    @Test func aDeliveryAfterRefusedOnesWithItsIDIsStored() async throws {
        let setting = try Setting()
        let store = try setting.store()
        func delivery(isRefused: Bool, target: String = "/") -> NewRecord {
            var record = sampleRecord(1)
            let json = """
                {"method":"POST","target":"\(target)","body":null,"headers":[["svix-id","m"]],\
                "delivery":"m"}
                """
            record.request = RecordRequest(json: Array(json.utf8)) ?? record.request
            if isRefused {
                record.diagnostics.append(code: RecordDiagnostics.refusedCode) { json in
                    json.object { $0.member("code", RecordDiagnostics.refusedCode) }
                }
            }
            return record
        }
        let first = try await store.append(delivery(isRefused: true))
        try setting.breakDatabase()
        let second = try await store.append(delivery(isRefused: true))
        let valid = try await store.append(delivery(isRefused: false))
        // The signature doesn't cover the target.
        _ = try await store.append(delivery(isRefused: false, target: "/?again"))
        try setting.mendDatabase()
        try await setting.waitUntilDrained(store)
        #expect(try await Set(ids(store)) == [first.id, second.id, valid.id])
        await store.close()
    }

    @Test func aStoreThatDoesNotSpoolRefusesRecords() async throws {
        let setting = try Setting()
        let store = try setting.store(spools: false)
        try setting.breakDatabase()
        await #expect {
            try await store.append(sampleRecord(1))
        } throws: { error in
            if case .database? = error as? StoreError { true } else { false }
        }
        #expect(try setting.spoolNames.isEmpty)
        try setting.mendDatabase()
        #expect(try await store.append(sampleRecord(2)).sequence == 1)
        await store.close()
    }

    @Test func manyShortOutagesLoseNothingAndDoubleNothing() async throws {
        let setting = try Setting()
        let store = try setting.store()
        let stop = Stop()
        let receipts = try await withThrowingTaskGroup(of: [Receipt].self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var receipts: [Receipt] = []
                    while !stop.hasCome {
                        let number = writer * 100_000 + receipts.count
                        receipts.append(try await store.append(sampleRecord(number)))
                    }
                    return receipts
                }
            }
            for round in 0..<6 {
                try await Task.sleep(for: .milliseconds(150))
                try setting.breakDatabase()
                try await Task.sleep(for: .milliseconds(round * 100))
                try setting.mendDatabase()
            }
            stop.come()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try await setting.waitUntilDrained(store)
        let stored = try await ids(store)
        #expect(receipts.contains { $0.knownSequence == nil })
        #expect(Set(stored) == Set(receipts.map(\.id)))
        #expect(stored.count == receipts.count)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }
}
