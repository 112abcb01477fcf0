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

    /// Calls `body` with the API of an empty store.
    private func withAPI(_ body: (ResultAPI) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "landfall-events-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let api = ResultAPI(
            store: try ResultStore(folder: folder, catalog: SampleRecord.catalog),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            version: "1", flowPatience: .seconds(1))
        try await body(api)
        await api.store.close()
    }

    private func events(_ api: ResultAPI, after: Int?) -> ResultEvents.AsyncIterator {
        var parameters = QueryParameters(query: [])
        let asked = ResultParameters(
            &parameters, catalog: SampleRecord.catalog, isOrdered: false)
        return ResultEvents(api, asked, after: after).makeAsyncIterator()
    }

    /// Expects the events of results up to a number, without a gap.
    private func expect(
        _ numbers: ClosedRange<Int>, of events: ResultEvents.AsyncIterator
    ) async throws {
        var text = ""
        while !text.contains("id: \(numbers.upperBound)\n"), let part = try await events.next() {
            text += String(decoding: part, as: UTF8.self)
        }
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(ids.compactMap { Int($0.dropFirst(4)) } == Array(numbers))
        #expect(!text.contains("event: gap"))
    }

    @Test func whatComesWhileStoredResultsAreSentFollowsWithoutAGap() async throws {
        try await withAPI { api in
            try await store(1...3, api)
            let events = events(api, after: 1)
            // More than are kept. A subscription for a number of results gets them last.
            let last = 3 + 2 * ResultEvents.keptResults
            let count = last - 3
            let waiter = api.store.subscribe(to: .everything, .first(count))
            try await store(4...last, api)
            await waiter.wait(for: count)
            api.store.unsubscribe(waiter)
            try await expect(2...last, of: events)
        }
    }

    @Test func moreAtOnceThanAreKeptReachAClientThatKeepsUp() async throws {
        try await withAPI { api in
            let last = 3 * ResultEvents.keptResults
            let reader = RecordImport(catalog: SampleRecord.catalog) { _ in true }
            let records = try (1...last).map { number in
                let id = "\"019aa2c4-14bb-7abc-8def-\(100_000_000_000 + number)\""
                return try reader.record(SampleRecord().with(["id": id]).text)
            }
            let events = events(api, after: nil)
            // The beginning, before which the client isn't subscribed.
            _ = try await events.next()
            async let receipts = api.store.append(records)
            try await expect(1...last, of: events)
            let count = try await receipts.count
            #expect(count == last)
        }
    }
}
