// An import in progress takes memory from the budget of large requests.

import Foundation
import Logging
import ResultStore
import Testing

@testable import HTTP1
@testable import ResultAPI

@Suite struct ResultImportTests {
    @Test func aLargeLineWaitsForMemory() async throws {
        let folder = NSTemporaryDirectory() + "landfall-import-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try ResultStore(folder: folder, catalog: SampleRecord.catalog)
        let api = ResultAPI(
            store: store, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            version: "1", flowPatience: .seconds(1))
        let results = ResultImport(into: store)
        let held = await api.memory.permit(for: Limits.workMemoryBytes)
        try await api.take(SampleRecord().text + Array("\n".utf8), results)
        let padding = String(repeating: "a", count: 100_000)
        let large = SampleRecord().with([
            "id": "\"019a9e61-7800-7000-8000-000000000001\"",
            "received_at": "\"2025-11-19T23:09:39.200Z\"", "result": "{\"a\":\"\(padding)\"}",
        ])
        async let taken: Void = api.take(large.text + Array("\n".utf8), results)
        // Even no bytes are given out while somebody waits.
        while api.memory.take(0) { await Task.yield() }
        held?.release()
        try await taken
        try await results.store()
        let report = await results.report
        #expect(report.imported == 2 && report.refused.isEmpty)
        #expect(api.memory.used == 0)
        await store.close()
    }
}
