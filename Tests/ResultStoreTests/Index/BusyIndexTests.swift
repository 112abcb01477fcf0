// Another connection that locks the index for a moment fails nothing.

import Foundation
import GRDB
import Testing

@testable import ResultStore

@Suite struct BusyIndexTests {
    /// Keeps the writer's lock of the index for a while, from another connection.
    private func lock(_ folder: TemporaryFolder) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        // The store may be writing.
        configuration.busyMode = .timeout(10)
        let database = try DatabaseQueue(
            path: folder.path + "/index.sqlite", configuration: configuration)
        try database.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            try? database.inDatabase { try $0.execute(sql: "ROLLBACK") }
            try? database.close()
        }
    }

    @Test func queriesAndCompactionWaitForTheLock() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        try lock(folder)
        let id = try await store.append(sampleRecord(1)).id
        #expect(try await store.numbers() == [1])
        try lock(folder)
        #expect(try await store.erase(id))
        #expect(try await store.numbers().isEmpty)
        try lock(folder)
        #expect(try await store.compact().removedLines == 1)
        await store.close()
    }

    @Test func openingKeepsAnIndexThatIsLocked() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        for number in 1...3 { _ = try await store.append(sampleRecord(number)) }
        #expect(try await store.numbers() == [3, 2, 1])
        await store.close()
        try lock(folder)
        let again = try ResultStore(folder)
        #expect(again.recovery.rebuildReason == nil)
        #expect(try await again.numbers() == [3, 2, 1])
        await again.close()
    }
}
