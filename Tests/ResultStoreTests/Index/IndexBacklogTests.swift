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
        #expect(try await store.numbers() == (1...count).reversed())
        #expect(store.index.lag == 0)
        await store.close()
    }
}
