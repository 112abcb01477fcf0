// Changes that wait for the index: taken from the front in batches, and kept when a batch can't be
// inserted.

import GRDB
import Testing

@testable import ResultStore

@Suite struct IndexBacklogTests {
    @Test func aBacklogOfSeveralBatchesIsIndexedInOrderAlsoAfterFailures() async throws {
        let count = 3 * Limits.indexGatheredRecords
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let database = store.index.database
        try await database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA query_only = 1")
        }
        for number in 1...count { _ = try await store.append(sampleRecord(number)) }
        for _ in 1...3 {
            await #expect(throws: StoreError.self) { try await store.numbers() }
        }
        #expect(store.index.lag == count)
        try await database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA query_only = 0")
        }
        // The error of the last batch may still be reported to this query.
        _ = try? await store.numbers()
        #expect(try await store.numbers() == (1...count).reversed())
        #expect(store.index.lag == 0)
        await store.close()
    }

    @Test(arguments: [-1, 0, 1, 2 * Limits.erasedRows])
    func anErasureInSeveralTransactionsRemovesWhatItCoversAndNothingElse(excess: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        for number in 1...Limits.erasedRows + excess {
            _ = try await store.append(sampleRecord(2 * number, inbox: "large"))
            _ = try await store.append(sampleRecord(2 * number + 1, inbox: "kept"))
        }
        let count = try await store.erase(inbox: "large")
        #expect(count == Limits.erasedRows + excess)
        _ = try await store.append(sampleRecord(1, inbox: "large"))
        for isReopened in [false, true] {
            let opened = isReopened ? try ResultStore(folder) : store
            #expect(
                try await opened.inboxes().map { "\($0.name) \($0.count)" }.sorted()
                    == ["kept \(count)", "large 1"])
            #expect(try await opened.numbers().count == count + 1)
            #expect(try await opened.counts().reduce(0) { $0 + $1.count } == count + 1)
            await opened.close()
        }
    }

    @Test func aLargeErasureStopsWhenTheStoreClosesAndTheNextStartContinuesIt() async throws {
        let count = 4 * Limits.erasedRows
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        _ = try await store.append((1...count).map { sampleRecord($0, inbox: "large") })
        _ = try await store.append(sampleRecord(0, inbox: "kept"))
        store.index.stopErasing()
        #expect(try await store.erase(inbox: "large") == count)
        await store.close()
        let index = try DatabaseQueue(path: folder.path + "/index.sqlite")
        let left = try await index.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM results")
        }
        try index.close()
        #expect((left ?? 0) > 1)
        let again = try ResultStore(folder)
        #expect(again.recovery.rebuildReason == nil)
        #expect(try await again.numbers() == [0])
        #expect(try await again.verify().findings.isEmpty)
        await again.close()
    }

    /// A folder with an erasure that has only begun, of more records than a server waits for; the
    /// records `kept` follow it.
    private func interruptedErasure(followedBy kept: [Int]) async throws -> TemporaryFolder {
        let count = (Limits.awaitedErasingSteps + 16) * Limits.erasedRows
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        _ = try await store.append((1...count).map { sampleRecord($0, inbox: "large") })
        store.index.stopErasing()
        #expect(try await store.erase(inbox: "large") == count)
        for number in kept {
            _ = try await store.append(sampleRecord(number, target: "/kept-\(number)"))
        }
        await store.close()
        return folder
    }

    /// Opens a store as a server does, or as a command.
    private func open(
        _ folder: TemporaryFolder, serves: Bool, _ book: EventBook = EventBook()
    ) throws -> ResultStore {
        var settings = StoreSettings()
        if serves { settings.awaitedIndexBytes = StoreSettings.servedAwaitedIndexBytes }
        return try ResultStore(
            folder: folder.path, catalog: sampleCatalog, settings: settings,
            onEvent: { book.note($0) })
    }

    @Test(arguments: [true, false])
    func onlyACommandWaitsForALargeErasureBeforeItStarts(serves: Bool) async throws {
        let folder = try await interruptedErasure(followedBy: [2])
        let store = try open(folder, serves: serves)
        #expect((store.recovery.lackingBytes > 0) == serves)
        #expect(store.recovery.rebuildReason == nil)
        _ = try await store.append(sampleRecord(3))
        #expect(try await store.numbersWhenReady() == [3, 2])
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
        let again = try open(folder, serves: true)
        #expect(again.recovery.lackingBytes == 0)
        #expect(try await again.numbers() == [3, 2])
        await again.close()
    }

    @Test func aServerThatStopsBeforeALargeErasureIsAppliedGoesOnAtItsNextStart() async throws {
        let folder = try await interruptedErasure(followedBy: [2])
        for number in 3...4 {
            let store = try open(folder, serves: true)
            _ = try await store.append(sampleRecord(number))
            await store.close()
        }
        let store = try open(folder, serves: true)
        #expect(store.recovery.rebuildReason == nil)
        #expect(try await store.numbersWhenReady() == [4, 3, 2])
        #expect(try await store.verify().findings.isEmpty)
        await store.close()
    }

    @Test func damageAndATornEndAfterALargeErasureAreReportedOnce() async throws {
        let folder = try await interruptedErasure(followedBy: [2, 3, 4])
        let segment = "results/2026-11-21.jsonl"
        var bytes = try folder.bytes(of: segment)
        let damaged = try #require(bytes.suffix(2000).firstRange(of: Array("/kept-3".utf8)))
        bytes[damaged.lowerBound] ^= 0xFF
        let start = try #require(
            bytes[..<damaged.lowerBound].lastIndex(of: UInt8(ascii: "\n")))
        let torn = Array(#"{"crc32":"#.utf8)
        try folder.write(bytes + torn, to: segment)
        let book = EventBook()
        let store = try open(folder, serves: true, book)
        #expect(store.recovery.lackingBytes > 0)
        #expect(store.recovery.torn?.size == Int64(torn.count))
        #expect(try await store.append(sampleRecord(5)).sequence > 0)
        #expect(try await store.numbersWhenReady() == [5, 4, 2])
        let found: [Int64] = book.all.compactMap { event in
            if case .damageFound(let damage) = event { damage.offset } else { nil }
        }
        #expect(store.recovery.damage.map(\.offset) + found == [Int64(start + 1)])
        await store.close()
        #expect(try folder.bytes(of: segment).prefix(bytes.count) == bytes[...])
    }
}
