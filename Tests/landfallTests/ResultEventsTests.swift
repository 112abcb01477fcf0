// Events for a client that resumes: stored results, then those that come, without a gap between.

import Foundation
import Logging
import Problems
import ResultStore
import Testing

@testable import ResultAPI

@Suite struct ResultEventsTests {
    /// Stores callbacks that differ by their ids.
    private func store(_ numbers: ClosedRange<Int>, _ api: ResultAPI) async throws {
        let results = ResultImport(into: api.store)
        for number in numbers {
            let id = "\"019aa2c4-14bb-7abc-8def-\(100_000_000_000 + number)\""
            try await api.take(SampleRecord().with(["id": id]).text + Array("\n".utf8), results)
        }
        try await results.store()
    }

    @Test func whatComesWhileStoredResultsAreSentFollowsWithoutAGap() async throws {
        let folder = NSTemporaryDirectory() + "landfall-events-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let api = ResultAPI(
            store: try ResultStore(folder: folder, catalog: SampleRecord.catalog),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            version: "1", flowPatience: .seconds(1))
        try await store(1...3, api)
        var parameters = QueryParameters(query: [])
        let asked = ResultParameters(
            &parameters, catalog: SampleRecord.catalog, isOrdered: false)
        let events = ResultEvents(api, asked, after: 1).makeAsyncIterator()
        // More than are kept. A subscription for a number of results gets them last.
        let last = 3 + 2 * ResultEvents.keptResults
        let count = last - 3
        let waiter = api.store.subscribe(to: .everything, .first(count))
        try await store(4...last, api)
        await waiter.wait(for: count)
        api.store.unsubscribe(waiter)
        var text = ""
        while !text.contains("id: \(last)\n"), let part = try await events.next() {
            text += String(decoding: part, as: UTF8.self)
        }
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(ids.compactMap { Int($0.dropFirst(4)) } == Array(2...last))
        #expect(!text.contains("event: gap"))
        await api.store.close()
    }
}
