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
        // The error of the last batch may still be reported to this question.
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
}
