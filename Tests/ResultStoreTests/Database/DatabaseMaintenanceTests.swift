// What maintenance of a database removes while other stores go on, and what a newer program adds.

import Clocks
import Foundation
import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite(.timeLimit(.minutes(2))) struct DatabaseMaintenanceTests {
    private let database = TestDatabase.shared

    private func daysAgo(_ days: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: Timestamp.now.unixMilliseconds - days * 86_400_000)
    }

    /// Whether a day has a partition.
    private func isThere(_ day: Day, _ connection: Connection) throws -> Bool {
        let found = try connection.run(
            "SELECT to_regclass($1) IS NOT NULL", [.text(day.partition)])
        return found.first?.int(0) == 1
    }

    @Test func littleRoomForLocksIsReportedOnce() async throws {
        let folder = try TemporaryFolder()
        let server = try TestDatabase(["max_connections=20", "max_locks_per_transaction=16"])
        let book = EventBook()
        let store = try ResultStore(
            database: server.address(of: folder), catalog: sampleCatalog,
            onEvent: { book.note($0) })
        _ = try await store.compact()
        #expect(book.all.isEmpty)
        for days in 1...20 {
            _ = try await store.append(sampleRecord(days, at: daysAgo(Int64(days))))
        }
        for _ in 1...2 { _ = try await store.compact() }
        let schema = DatabaseSchema(server.address(of: folder), catalog: sampleCatalog)
        let room = try #require(try schema.shortLockRoom())
        #expect(room.setting == 16 && room.advisedSetting > 16)
        #expect(book.all == [.locksShort(setting: 16, advised: room.advisedSetting)])
        await store.close()
        try server.control("stop")
    }

    @Test func maintenanceThatAnotherProgramDoesNotEndIsReportedAndLeft() async throws {
        let folder = try TemporaryFolder()
        let book = EventBook()
        let store = try ResultStore(
            database: database.get().address(of: folder), catalog: sampleCatalog,
            onEvent: { book.note($0) })
        let keeper = try #require(store.storage as? PostgreSQLStorage).keeper
        let holder = try database.get().connection(to: folder)
        try holder.run("SELECT pg_advisory_lock(\(Migration.lockKey("maintenance")))")
        let process = "process \(holder.backend)"
        let error = await #expect(throws: StoreError.self) {
            try await keeper.work(waitsForOthers: true, patience: 200)
        }
        #expect(error?.description.contains(process) == true)
        #expect(try await keeper.work(waitsForOthers: false).isEmpty)
        #expect(book.all.isEmpty)
        #expect(try await keeper.work(waitsForOthers: false, patience: 0).isEmpty)
        #expect(book.all == [.maintenanceHeld(holder: process)])
        try holder.run("SELECT pg_advisory_unlock_all()")
        #expect(try await keeper.work(waitsForOthers: true).failures.isEmpty)
        await store.close()
    }

    @Test func anExpiredDayGoesWithItsPartitionWhileAnotherStoreWritesAndAsks() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.retentionMilliseconds = 5 * 86_400_000
        let keeper = try database.get().store(folder, settings: settings)
        let other = try database.get().store(folder)
        for days in [9, 8, 7, 1] as [Int64] {
            _ = try await other.append(
                (1...50).map { sampleRecord(Int(days) * 100 + $0, at: daysAgo(days)) })
        }
        let connection = try database.get().connection(to: folder)
        let isDone = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var number = 10_000
                while !isDone.isSet {
                    number += 1
                    _ = try await other.append(sampleRecord(number, at: .now))
                    // One that comes late, into a day that may just go.
                    if number % 20 == 0 {
                        _ = try await other.append(sampleRecord(0, inbox: "late", at: daysAgo(8)))
                    }
                }
            }
            group.addTask {
                while !isDone.isSet { _ = try await other.all(pageSize: 50) }
            }
            for _ in 1...5 {
                _ = try await keeper.compact()
                try await Task.sleep(for: .milliseconds(100))
            }
            isDone.set()
            try await group.waitForAll()
        }
        _ = try await keeper.compact()
        #expect(try await keeper.numbers(.compare(.inbox, .equal, .text("late"))).isEmpty)
        let left = try await other.numbers()
        #expect(left.suffix(50) == (101...150).reversed())
        for days in [9, 8, 7] as [Int64] {
            #expect(try !isThere(Day(daysAgo(days)), connection))
        }
        #expect(try isThere(Day(daysAgo(1)), connection))
        #expect(try await keeper.verify().findings.isEmpty)
        #expect(try await other.inboxes().map(\.count) == [left.count])
        await keeper.close()
        await other.close()
    }

    /// Deleting the results of a day takes long, and all writers wait meanwhile.
    @Test func anExpiredDayWhosePartitionIsInUseStaysForTheNextRound() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.retentionMilliseconds = 5 * 86_400_000
        let store = try database.get().store(folder, settings: settings)
        _ = try await store.append((1...3).map { sampleRecord($0, at: daysAgo(8)) })
        // Of the day that goes on expiring.
        let moment = Timestamp(unixMilliseconds: daysAgo(5).unixMilliseconds - 1000)
        _ = try await store.append(sampleRecord(4, at: moment))
        let reader = try database.get().connection(to: folder)
        try reader.run("BEGIN")
        try reader.run("LOCK TABLE \(Day(daysAgo(8)).partition) IN ACCESS SHARE MODE")
        let report = try await store.compact()
        #expect(report.expired.byAge == 1 && report.failures.count == 1)
        #expect(try await store.numbers().count == 3)
        try reader.run("COMMIT")
        #expect(try await store.compact().expired.byAge == 3)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    /// Results for a large erasure: seven of each millisecond, so that a transaction takes some of
    /// one.
    private func records(_ count: Int) -> [NewRecord] {
        (0..<count).map {
            let moment = sampleMoment.unixMilliseconds + Int64($0 / 7)
            return sampleRecord($0, at: Timestamp(unixMilliseconds: moment))
        }
    }

    @Test func aLargeErasureIsSeveralTransactionsAndSaysWhatIsErasedWhenOneFails() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let count = Limits.erasedAtOnce + 2000
        _ = try await store.append(records(count))
        _ = try await store.append(sampleRecord(-1, inbox: "other"))
        let connection = try database.get().connection(to: folder)
        try connection.run(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$
            """)
        try connection.run(
            """
            CREATE TRIGGER refuse BEFORE DELETE ON results FOR EACH ROW
            WHEN (OLD.seq = \(count)) EXECUTE FUNCTION refuse()
            """)
        let error = await #expect(throws: StoreError.self) {
            try await store.erase(inbox: "default")
        }
        if case .partlyErased(let erased, .database)? = error {
            #expect(erased == Limits.erasedAtOnce)
        } else {
            Issue.record("\(String(describing: error))")
        }
        #expect(try await store.inboxes().map(\.count) == [2000, 1])
        #expect(try await store.verify().findings.isEmpty)
        try connection.run("DROP TRIGGER refuse ON results")
        #expect(try await store.erase(inbox: "default") == 2000)
        #expect(try await store.numbers() == [-1])
        let rows = try connection.run("SELECT count FROM erasures ORDER BY seq").rows
        #expect(rows.map { $0.int(0) } == [Limits.erasedAtOnce, 2000])
        await store.close()
    }

    @Test func theLastPartOfALargeErasureIsNotEmptyAndCoversWhatHasComeMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let storage = try #require(store.storage as? PostgreSQLStorage)
        _ = try await store.append(records(2 * Limits.erasedAtOnce))
        let earlier = Timestamp(unixMilliseconds: sampleMoment.unixMilliseconds - 1000)
        let inbox = Erasure.Scope.inbox("default", through: Erasure.Bound(.max))
        var (count, parts) = (0, 0)
        try await storage.writer.erase(inbox, counting: &count) {
            () async throws(StoreError) in
            parts += 1
            if parts == 2 { _ = try await store.append(sampleRecord(-1, at: earlier)) }
        }
        #expect(parts == 2)
        #expect(count == 2 * Limits.erasedAtOnce + 1)
        #expect(try await store.numbers().isEmpty)
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    /// Returns when a process waits for the lock of a table.
    private func untilOneWaits(for table: String, _ connection: Connection) async throws {
        for _ in 1...1000 {
            let waiting = try connection.run(
                "SELECT count(*) FROM pg_locks WHERE relation = to_regclass($1) AND NOT granted",
                [.text(table)])
            if waiting.first?.int(0) == 1 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("no process waits for \(table)")
    }

    @Test func closingCancelsAStatementOfMaintenanceThatTakesLong() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let holder = try database.get().connection(to: folder)
        try holder.run("BEGIN")
        try holder.run("LOCK TABLE unclean")
        store.startMaintenance(onReport: { _ in })
        try await untilOneWaits(for: "unclean", holder)
        await store.close()
        // The process that had it has ended.
        let lock = "SELECT pg_try_advisory_lock(\(Migration.lockKey("maintenance")))"
        var isFree = false
        for _ in 1...1000 {
            isFree = try holder.run(lock).first?.int(0) == 1
            if isFree { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(isFree)
        try holder.run("ROLLBACK")
        try holder.run("SELECT pg_advisory_unlock_all()")
        let next = try database.get().store(folder)
        #expect(try await next.compact().failures.isEmpty)
        await next.close()
    }

    @Test func closingEndsALargeErasureOfMaintenanceAfterTheTransactionThatRuns() async throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings()
        settings.retentionInboxResults = 1
        let store = try database.get().store(folder, settings: settings)
        let keeper = try #require(store.storage as? PostgreSQLStorage).keeper
        _ = try await store.append(records(Limits.erasedAtOnce + 2000))
        let connection = try database.get().connection(to: folder)
        try connection.run(
            """
            CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN PERFORM FROM halts; RETURN OLD; END $$
            """)
        try connection.run("CREATE TABLE halts ()")
        try connection.run(
            """
            CREATE TRIGGER halt BEFORE DELETE ON results FOR EACH ROW
            WHEN (OLD.seq = 1) EXECUTE FUNCTION halt()
            """)
        try connection.run("BEGIN")
        try connection.run("LOCK TABLE halts")
        store.startMaintenance(onReport: { _ in })
        try await untilOneWaits(for: "halts", connection)
        let closing = Task { await store.close() }
        // Until it has begun.
        while (try? await keeper.run("SELECT 1", connects: true)) != nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        try connection.run("COMMIT")
        await closing.value
        let left = try connection.run("SELECT count(*) FROM results")
        #expect(left.first?.int(0) == 2000)
    }

    /// The files of a schema's tables and indexes that hold some bytes.
    private func files(
        with words: [String], _ connection: Connection
    ) throws -> [String] {
        try connection.run("CHECKPOINT")
        let tables = try connection.run(
            """
            SELECT relname::text, pg_relation_filepath(c.oid), pg_relation_filepath(reltoastrelid)
            FROM pg_class AS c WHERE relnamespace = current_schema()::regnamespace
            AND relkind IN ('r', 'i')
            """)
        let setting = try connection.run("SELECT current_setting('data_directory') || '/'")
        let data = try #require(setting.first?.text(0))
        var found: [String] = []
        for row in tables.rows {
            for path in [row.text(1), row.text(2)].compactMap(\.self) {
                let content = try Data(contentsOf: URL(filePath: data + path))
                for word in words where content.range(of: Data(word.utf8)) != nil {
                    found.append("\(word) in \(row.text(0) ?? "")")
                }
            }
        }
        return found
    }

    @Test(arguments: ErasedPart.allCases)
    func whatIsErasedLeavesTheTablesFiles(part: ErasedPart) async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let words = ["Quokka", "quokka", "Xylophone", "okapi", "numbat", "hidden"]
        // Long enough for PostgreSQL to keep it apart from its row.
        let name = (1...500).map { "Quokka \($0 * 7919)" }.joined(separator: " ")
        for number in 1...20 { _ = try await store.append(sampleRecord(number, at: .now)) }
        let receipt = try await store.append(
            sampleRecord(
                77, inbox: "hidden", at: .now, name: name, flow: "flow-Xylophone",
                target: "/okapi/?token=numbat"))
        let connection = try database.get().connection(to: folder)
        #expect(try !files(with: words, connection).isEmpty)
        switch part {
        case .record: #expect(try await store.erase(receipt.id))
        case .inbox: #expect(try await store.erase(inbox: "hidden") == 1)
        }
        // Other stores have read the erasure by then.
        try connection.run("UPDATE erasures SET erased_at = 0")
        #expect(try await store.compact().failures.isEmpty)
        #expect(try files(with: words, connection) == [])
        #expect(try await store.numbers().sorted() == Array(1...20))
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    /// Rows that were erased after a query began are kept for it.
    @Test func whatAQueryStillSeesLeavesTheFilesInTheNextRound() async throws {
        let folder = try TemporaryFolder()
        let name = try database.get().make()
        let store = try database.get().store(folder, database: name)
        let receipt = try await store.append(sampleRecord(1, at: .now, name: "Quokka"))
        _ = try await store.append(sampleRecord(2, at: .now))
        let connection = try database.get().connection(to: folder, database: name)
        let reader = try database.get().connection(to: folder, database: name)
        try reader.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try reader.run("SELECT count(*) FROM head")
        #expect(try await store.erase(receipt.id))
        _ = try await store.compact()
        try reader.run("COMMIT")
        #expect(try await store.compact().failures.isEmpty)
        #expect(try files(with: ["Quokka"], connection) == [])
        await store.close()
    }

    /// One of another database keeps the rows too, and has no session.
    @Test func whatAPreparedTransactionKeepsLeavesTheFilesInTheNextRound() async throws {
        let folder = try TemporaryFolder()
        let server = try TestDatabase(["max_prepared_transactions=1"])
        let store = try server.store(folder)
        let receipt = try await store.append(sampleRecord(1, at: .now, name: "Quokka"))
        _ = try await store.append(sampleRecord(2, at: .now))
        let connection = try server.connection(to: folder)
        let other = try server.connection(to: folder, database: server.make())
        try other.run("CREATE TABLE public.written (number integer)")
        try other.run("BEGIN")
        try other.run("INSERT INTO public.written VALUES (1)")
        try other.run("PREPARE TRANSACTION 'prepared'")
        #expect(try await store.erase(receipt.id))
        _ = try await store.compact()
        #expect(try connection.run("SELECT day FROM unclean").count == 1)
        try other.run("ROLLBACK PREPARED 'prepared'")
        #expect(try await store.compact().failures.isEmpty)
        #expect(try connection.run("SELECT day FROM unclean").count == 0)
        #expect(try files(with: ["Quokka"], connection) == [])
        await store.close()
        try server.control("stop")
    }

    @Test func namesThatNothingUsesGoAndStoresThatKnewThemStillStoreThem() async throws {
        let folder = try TemporaryFolder()
        let stores = try (0..<2).map { _ in try database.get().store(folder) }
        for store in stores {
            for number in 1...3 {
                _ = try await store.append(
                    sampleRecord(number, inbox: "inbox \(number)", at: .now))
            }
        }
        let connection = try database.get().connection(to: folder)
        func names() throws -> [String] {
            try connection.run("SELECT name FROM inboxes UNION ALL SELECT path FROM origins")
                .rows.compactMap { $0.text(0) }.sorted()
        }
        let all = ["/1", "/2", "/3", "inbox 1", "inbox 2", "inbox 3"]
        #expect(try names() == all)
        for number in 1...2 {
            #expect(try await stores[0].erase(inbox: "inbox \(number)") == 2)
        }
        #expect(try await stores[0].compact().failures.isEmpty)
        #expect(try names() == ["/3", "inbox 3"])
        for store in stores {
            let records = (1...3).map { sampleRecord($0, inbox: "inbox \($0)", at: .now) }
            _ = try await store.append(records)
        }
        #expect(try names() == all)
        #expect(try await stores[1].inboxes().map(\.count) == [2, 2, 4])
        let path = Condition.compare(.path, .equal, .text("/1"))
        #expect(try await stores[1].numbers(path) == [1, 1])
        #expect(try await stores[1].verify().findings.isEmpty)
        for store in stores { await store.close() }
    }

    /// Reading it takes long in a large inbox, and all writers wait meanwhile.
    @Test func whenAnInboxsNewestResultCameIsReadOnlyIfThatOneIsErased() async throws {
        let folder = try TemporaryFolder()
        let store = try database.get().store(folder)
        let records = (1...4).map { sampleRecord($0) }
        let receipts = try await store.append(records)
        let connection = try database.get().connection(to: folder)
        func last() async throws -> Timestamp? {
            try await store.inboxes().first?.lastReceivedAt
        }
        // Reading it would find another time.
        let known = Timestamp(unixMilliseconds: 4_102_444_800_000)
        try connection.run("UPDATE inbox_kinds SET last_at = 4102444800000")
        #expect(try await store.erase(receipts[0].id))
        #expect(try await last() == known)
        _ = try await store.append(records[1].decodedAgain(after: receipts[1]))
        #expect(try await last() == known)
        let newest = records[3].receivedAt
        try connection.run(
            "UPDATE inbox_kinds SET last_at = $1", [.integer(newest.unixMilliseconds)])
        _ = try await store.append(records[3].decodedAgain(after: receipts[3]))
        #expect(try await last() == newest)
        for index in [3, 2] {
            #expect(try await store.erase(receipts[index].id))
            #expect(try await last() == records[index - 1].receivedAt)
        }
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test func aNewerCatalogAddsColumnsThatOlderRecordsFillWhenDecodedAgain() async throws {
        let folder = try TemporaryFolder()
        let older = try database.get().store(folder)
        let first = try await older.append(sampleRecord(1, name: "quoll"))
        var catalog = sampleCatalog
        catalog.fields += [
            .init(vendor: "welltory", name: "text", paths: [["text"]], kind: .text),
            .init(vendor: "welltory", name: "twice", paths: [["number"]], kind: .number),
        ]
        let newer = try database.get().store(folder, catalog: catalog)
        _ = try await newer.append(sampleRecord(2, padding: 3))
        _ = try await older.append(sampleRecord(3, padding: 3))
        func numbers(_ condition: Condition) async throws -> [Int] {
            try await newer.numbers(condition)
        }
        let isText = Condition.compare(.result("text"), .equal, .text("xxx"))
        #expect(try await numbers(isText) == [2])
        #expect(try await numbers(.has(.result("twice"))) == [2])
        #expect(try await numbers(.has(.result("number"))) == [3, 2, 1])
        var again = sampleRecord(1, name: "quoll", padding: 3)
        (again.id, again.redecodedAt, again.replaces) = (first.id, .now, first.number)
        _ = try await newer.append(again)
        #expect(try await numbers(isText) == [2, 1])
        #expect(
            try await newer.all(ResultQuery(by: .result("twice"))).compactMap(\.number) == [2, 1])
        #expect(try await older.numbers(.words(["quoll"], lastIsPrefix: false)) == [1])
        #expect(try await newer.verify().findings.isEmpty)
        await older.close()
        await newer.close()
    }
}
