// Several stores on one schema, and what they make of lost connections and of a database that can't
// keep results.

import Clocks
import Foundation
import Synchronization
import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite(.timeLimit(.minutes(2))) struct DatabaseTests {
    private let database = TestDatabase.shared

    /// A record with an idempotency key.
    private func keyed(_ number: Int, _ key: String, _ claim: KeyClaim?) -> NewRecord {
        var record = sampleRecord(number)
        let request = #"{"method":"POST","target":"/","headers":[["Idempotency-Key","\#(key)"]]}"#
        record.request = RecordRequest(json: Array(request.utf8)) ?? record.request
        record.keyClaim = claim
        return record
    }

    /// The error with which storing failed; nil if it didn't.
    private func failure(
        _ store: ResultStore, _ record: NewRecord
    ) async -> StoreError? {
        do throws(StoreError) {
            _ = try await store.append(record)
            return nil
        } catch {
            return error
        }
    }

    @Test func aDataFolderBelongsToOneServer() async throws {
        let folder = try TemporaryFolder()
        let server = try TestDatabase.shared.get()
        func open() throws -> ResultStore {
            try ResultStore(
                database: server.address(of: folder), catalog: sampleCatalog,
                dataFolder: folder.path, spoolFolder: folder.path + "/spool")
        }
        let store = try open()
        store.announce(addresses: ["http://127.0.0.1:1"])
        #expect {
            _ = try open()
        } throws: { error in
            if case .locked(_, _, let addresses)? = error as? StoreError {
                addresses == ["http://127.0.0.1:1"]
            } else {
                false
            }
        }
        await store.close()
        let next = try open()
        await next.close()
    }

    @Test func whatFollowsARecordThatCantBeStoredIsNotStored() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let connection = try database.get().connection(to: folder)
        try connection.run(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$
            """)
        try connection.run(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON results FOR EACH ROW
            WHEN (position('poison'::bytea IN NEW.tail) > 0) EXECUTE FUNCTION refuse()
            """)
        // More than a transaction takes: the second one would succeed.
        let records = (0..<Limits.batchRecords + 100).map {
            sampleRecord($0, target: $0 == 7 ? "/poison" : nil)
        }
        await #expect(throws: StoreError.self) { try await store.append(records) }
        #expect(try await store.all().isEmpty)
        let rest = try await store.append(Array(records.suffix(100)))
        #expect(rest.map(\.sequence) == Array(1...100))
        await store.close()
    }

    @Test func followersGoOnAfterARecordOfANewerProgram() async throws {
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in try database.get().store(folder) }
        _ = try await stores[0].append(sampleRecord(1, vendor: "ailet"))
        try database.get().connection(to: folder).run(
            "UPDATE facets SET kind = 99 WHERE vendor = 'ailet'")
        let subscription = stores[1].subscribe(to: .everything, .all(keeping: 1000))
        // One transaction, and more than is read at once.
        let numbers = Array(10..<Limits.followedRecords + 18)
        _ = try await stores[0].append(
            [sampleRecord(7, vendor: "ailet")] + numbers.map { sampleRecord($0) })
        var found: [Int] = []
        for _ in 1...1000 where found.last != numbers.last {
            try await Task.sleep(for: .milliseconds(10))
            found += subscription.take().records.compactMap(\.line.number)
        }
        #expect(found.filter { $0 >= 10 } == numbers)
        stores[1].unsubscribe(subscription)
        for store in stores { await store.close() }
    }

    @Test func recordsThatCantBeReadAreNamedAndTheOthersAreThere() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let receipts = try await store.append(
            (1...9).map { sampleRecord($0, vendor: $0 == 4 ? "ailet" : "welltory") })
        let connection = try database.get().connection(to: folder)
        try connection.run("UPDATE facets SET kind = 99 WHERE vendor = 'ailet'")
        try connection.run("UPDATE results SET tail = 'garbage' WHERE seq = 7")
        let page = try await store.page(
            of: ResultQuery(.everything, by: .seq, isDescending: false), limit: 100)
        #expect(page.lines.compactMap(\.number) == [1, 2, 3, 5, 6, 8, 9])
        #expect(page.damage == [.unreadableRow(sequence: 4), .unreadableRow(sequence: 7)])
        await #expect(throws: StoreError.unreadableRow(sequence: 7)) {
            _ = try await store.line(of: receipts[6].id)
        }
        // What was erased isn't damaged.
        #expect(try await store.erase(receipts[6].id))
        #expect(try await store.line(of: receipts[6].id) == nil)
        await store.close()
    }

    @Test func aPageOfFlowsThatWereErasedIsNotTheLast() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        _ = try await store.append(
            (1...Limits.followedRecords).map { sampleRecord($0, inbox: "erased", flow: "a") })
        let last = try await store.append(sampleRecord(1000, flow: "b"))
        _ = try await store.erase(inbox: "erased")
        let first = try #require(try await store.flowNews(after: 0))
        #expect(first.lines.isEmpty && !first.isWhole)
        let next = try #require(try await store.flowNews(after: first.through))
        #expect(next.lines.map(\.sequence) == [last.number] && next.isWhole)
        await store.close()
    }

    @Test func newsOfFlowsNameWhatWasErasedOneByOne() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let receipts = try await store.append((1...3).map { sampleRecord($0, flow: "a") })
        #expect(try await store.flowNews(after: 0)?.erasedRecords == [])
        for receipt in receipts.prefix(2) { _ = try await store.erase(receipt.id) }
        let news = try #require(try await store.flowNews(after: 3))
        #expect(Set(news.erasedRecords) == Set(receipts.prefix(2).map(\.id)))
        await store.close()
    }

    @Test func thatARecordWasErasedIsKnownWhenItsErasureIsForgotten() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let receipts = try await store.append((1...2).map { sampleRecord($0) })
        #expect(try await store.erase(receipts[0].id))
        try database.get().connection(to: folder).run("DELETE FROM erasures")
        #expect(try await store.wasErased(receipts[0].id, since: 1))
        #expect(try await !store.wasErased(receipts[1].id, since: 2))
        await store.close()
    }

    @Test func newsOfFlowsDoNotWaitForOtherQueries() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        _ = try await store.append(sampleRecord(1, flow: "a"))
        let storage = try #require(store.storage as? PostgreSQLStorage)
        let connection = try database.get().connection(to: folder)
        try connection.run("BEGIN")
        try connection.run("LOCK TABLE unclean")
        let queries = (1...Limits.queryConnections).map { _ in
            Task {
                try await storage.pool.ask { (connection) throws(DatabaseError) in
                    try connection.run(
                        Statement(sql: "SELECT day FROM unclean"),
                        within: Limits.queryMilliseconds
                    ).count
                }
            }
        }
        /// How many of them wait for the lock.
        func waiting() throws -> Int? {
            try connection.run(
                """
                SELECT count(*) FROM pg_locks
                WHERE relation = 'unclean'::regclass AND NOT granted
                """
            ).first?.int(0)
        }
        for _ in 1...1000 {
            if try waiting() == queries.count { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await store.flowNews(after: 0)?.lines.count == 1)
        #expect(try waiting() == queries.count)
        try connection.run("COMMIT")
        for query in queries { _ = try await query.value }
        await store.close()
    }

    // MARK: Idempotency keys

    @Test func ofManyRecordsWithOneKeyOneIsStored() async throws {
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in try database.get().store(folder) }
        for round in 0..<8 {
            let key = "key-\(round / 2)"
            let known = try await stores[0].lines(
                idempotencyKey: key, inbox: "default", vendor: "welltory")
            #expect(known.count == round % 2)
            let claim = KeyClaim(follows: known.first?.sequence ?? 0)
            let failures = await withTaskGroup(of: StoreError?.self) { group in
                for number in 1...30 {
                    group.addTask {
                        await failure(stores[number % 2], keyed(number, key, claim))
                    }
                }
                // These have nothing to do with it.
                for number in 31...40 {
                    group.addTask { await failure(stores[number % 2], sampleRecord(number)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(failures.count { $0 == .keyTaken } == 29)
            #expect(failures.count { $0 == nil } == 11)
        }
        #expect(try await stores[1].verify().findings.isEmpty)
        for store in stores { await store.close() }
    }

    @Test func aDeliveryThatWasRefusedMayComeAgainWithItsKey() async throws {
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in try database.get().store(folder) }
        for number in 1...6 {
            #expect(await failure(stores[number % 2], keyed(number, "k", nil)) == nil)
        }
        let lines = try await stores[0].lines(
            idempotencyKey: "k", inbox: "default", vendor: "welltory")
        #expect(lines.compactMap(\.number) == (1...6).reversed())
        // The parts of one request share its key.
        let parts = (0..<3).map { keyed(7 + $0, "k", KeyClaim(follows: 6, part: $0)) }
        #expect(try await stores[0].append(parts).count == 3)
        #expect(await failure(stores[1], parts[1]) == .keyTaken)
        // What is erased frees its key.
        #expect(try await stores[1].erase(inbox: "default") == 9)
        #expect(await failure(stores[1], parts[1]) == nil)
        for store in stores { await store.close() }
    }

    // MARK: Places

    @Test func recordsOfOneMillisecondWhoseNumbersAgreeInTheirLowBitsAreAllThere() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let connection = try database.get().connection(to: folder)
        for number in 1...4 {
            _ = try await store.append(sampleRecord(number, at: sampleMoment))
            try connection.run("UPDATE head SET seq = seq + 1048575")
        }
        for key in [ResultQuery.Key.receivedAt, .seq] {
            let found = try await store.all(ResultQuery(by: key), pageSize: 2)
            #expect(found.compactMap(\.number) == [4, 3, 2, 1])
        }
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    // MARK: Columns

    /// The samples' catalog with fields of other names for `result.number`.
    private func catalog(_ names: [String]) -> FieldCatalog {
        var catalog = sampleCatalog
        catalog.fields += names.map {
            .init(vendor: "welltory", name: $0, paths: [["number"]], kind: .number)
        }
        return catalog
    }

    @Test func aNameWithCapitalsHasAColumnAlsoInAnOlderDatabase() async throws {
        let folder = try TemporaryFolder()
        var store = try database.get().store(folder)
        _ = try await store.append(sampleRecord(1))
        await store.close()
        // Those of Ailet's reports, and one that differs from another in its case only.
        let names = [
            "photosCounter", "scenesCounter", "nonValidPhotosCounter", "notDetectedPhotosCounter",
            "notDetectedScenesCounter", "photoscounter",
        ]
        let catalog = catalog(names)
        let columns = FieldColumns(catalog)
        #expect(columns.all.map(\.name) == catalog.names && columns.unusable.isEmpty)
        store = try database.get().store(folder, catalog: catalog)
        _ = try await store.append(sampleRecord(2))
        for name in names {
            let field = QueryField.result(name)
            #expect(try await store.numbers(.has(field)) == [2])
            #expect(try await store.numbers(.compare(field, .equal, .number(2))) == [2])
            let query = ResultQuery(by: .result(name))
            #expect(try await store.all(query).compactMap(\.number) == [2])
        }
        await store.close()
        // Records from before have values when all columns have been filled again.
        store = try ResultStore(
            database: database.get().address(of: folder), catalog: catalog,
            rebuilding: { _, _ in })
        #expect(try await store.numbers(.has(.result("photosCounter"))) == [2, 1])
        await store.close()
    }

    @Test(arguments: [String(repeating: "n", count: 53), "a name", "größe", "a\"b"])
    func aFieldWithoutAColumnIsRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) {
            _ = try database.get().store(folder, catalog: catalog([name]))
        }
        #expect(error?.description.contains(name) == true)
    }

    // MARK: Status

    @Test func anErasureThatIsRefusedSaysNothingAboutRecords() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let receipt = try await store.append(sampleRecord(1))
        let connection = try database.get().connection(to: folder)
        try connection.run(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$
            """)
        try connection.run(
            "CREATE TRIGGER refuse BEFORE DELETE ON results FOR EACH ROW EXECUTE FUNCTION refuse()")
        await #expect(throws: StoreError.self) { try await store.erase(receipt.id) }
        #expect(!store.status.isDatabaseFailing)
        #expect(try await store.numbers() == [1])
        await store.close()
    }

    @Test func aStoreThatCantAskIsFailingUntilItCan() async throws {
        let name = try database.get().make()
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in try database.get().store(folder, database: name) }
        let connection = try database.get().connection(to: folder)
        // The second one follows by a connection that it keeps.
        let subscription = stores[1].subscribe(to: .everything, .all(keeping: 10))
        _ = try await stores[0].append(sampleRecord(1))
        await subscription.wait()
        try connection.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
        await #expect(throws: StoreError.self) { try await stores[1].numbers() }
        #expect(stores[1].status.isDatabaseFailing)
        #expect(!stores[0].status.isDatabaseFailing)
        try connection.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS true")
        // Without another query, the status is updated.
        while stores[1].status.isDatabaseFailing { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await stores[1].numbers() == [1])
        for store in stores { await store.close() }
    }

    // MARK: Databases that can't keep results

    /// Why a store can't be opened.
    private func refusal(
        _ folder: TemporaryFolder, database: String = "postgres"
    ) throws -> String {
        let error = #expect(throws: StoreError.self) {
            _ = try self.database.get().store(folder, database: database)
        }
        return error?.description ?? ""
    }

    @Test func tablesOfAnotherVersionAreRefusedWithWhatToDo() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        await store.close()
        let connection = try database.get().connection(to: folder)
        try connection.run("INSERT INTO versions (version) VALUES (99)")
        #expect(try refusal(folder).contains("version 99"))
        #expect(try refusal(folder).contains("use the newer program"))
        try connection.run("DELETE FROM versions")
        #expect(try refusal(folder).contains("lack version 1"))
        #expect(try refusal(folder).contains("run `landfall store migrate`"))
    }

    @Test func aServerThatIsNotThereIsNamed() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) {
            _ = try ResultStore(
                database: DatabaseAddress("host=\(folder.path) dbname=none"),
                catalog: sampleCatalog)
        }
        let text = error?.description ?? ""
        #expect(text.contains(folder.path) && text.contains("Is the server running"))
        #expect(!text.contains("\n"))
    }

    @Test func aDatabaseWithAnotherEncodingIsRefused() throws {
        let name = try database.get().make("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        #expect(try refusal(TemporaryFolder(), database: name).contains("create one with it"))
    }

    @Test func aDatabaseThatOnlyReadsIsRefused() throws {
        let name = try database.get().make()
        let connection = try database.get().connection(to: TemporaryFolder(), database: name)
        try connection.run("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        #expect(try refusal(TemporaryFolder(), database: name).contains("read-only"))
    }

    @Test func writersTakeTurnsWhateverIsolationTheDatabaseSets() async throws {
        let name = try database.get().make()
        let folder = try TemporaryFolder()
        let holder = try database.get().connection(to: folder, database: name)
        try holder.run(
            "ALTER DATABASE \(name) SET default_transaction_isolation = 'repeatable read'")
        let connection = try database.get().connection(to: folder, database: name)
        let level = try connection.run("SELECT current_setting('transaction_isolation')")
        #expect(level.first?.text(0) == "read committed")
        let stores = try (0..<2).map { _ in try database.get().store(folder, database: name) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 {
                group.addTask { _ = try await stores[number % 2].append(sampleRecord(number)) }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].numbers() == (1...40).reversed())
        for store in stores { await store.close() }
    }

    @Test func timeLimitsOfTheDatabaseGiveWayToThoseOfTheStore() async throws {
        let name = try database.get().make()
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder, database: name)
        let connection = try database.get().connection(to: folder, database: name)
        for limit in ["statement_timeout", "lock_timeout"] {
            try connection.run("ALTER DATABASE \(name) SET \(limit) = '200ms'")
        }
        await store.close()
        let again = try database.get().store(folder, database: name)
        try connection.run("BEGIN")
        try connection.run("SELECT seq FROM head FOR UPDATE")
        let task = Task { try await again.append(sampleRecord(1)) }
        try await Task.sleep(for: .milliseconds(500))
        try connection.run("COMMIT")
        #expect(try await task.value.number == 1)
        await again.close()
    }
}
