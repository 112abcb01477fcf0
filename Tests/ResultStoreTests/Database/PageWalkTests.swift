// Pages of a database that are read in steps: with low limits, a small table takes all of the steps
// that a large one does.

import Clocks
import Testing

@testable import PostgreSQLStore
@testable import ResultStore

@Suite(.timeLimit(.minutes(5))) struct PageWalkTests {
    private static let day: Int64 = 86_400_000

    /// Low limits: nearly every page has to look beyond its first candidates.
    private static let limits = [
        PageLimits(candidateRows: 3, gatheredRows: 0, mergedRanges: 1, countedResults: 20),
        PageLimits(candidateRows: 7, gatheredRows: 5, mergedRanges: 1, countedResults: 1000),
        PageLimits(candidateRows: 20, gatheredRows: 40, mergedRanges: 64, countedResults: 50),
    ]

    /// Records of many days, most of them of a few.
    private func fill(
        _ store: ResultStore, _ results: inout RandomResults
    ) async throws {
        var records: [NewRecord] = []
        for number in 0..<400 {
            var record = results.record()
            record.id = nil
            let days = number % 4 == 0 ? Int64(results.below(90)) : 0
            record.receivedAt = Timestamp(
                unixMilliseconds: record.receivedAt.unixMilliseconds - days * Self.day)
            records.append(record)
        }
        _ = try await store.append(records)
        for line in try await store.all() { try results.note(line.stored[...]) }
    }

    /// The numbers of all pages.
    private func pages(
        of query: ResultQuery, _ size: Int, _ storage: PostgreSQLStorage, _ limits: PageLimits
    ) async throws -> [Int] {
        var numbers: [Int] = []
        var cursor: PageCursor?
        while numbers.count < 10_000 {
            let page = try await storage.locations(of: query, after: cursor, limit: size, limits)
            numbers += page.map(\.sequence)
            guard page.count == size, let last = page.last else { break }
            cursor = PageCursor(
                place: last.place, sequence: last.sequence, value: last.value, of: query)
        }
        return numbers
    }

    @Test func everyStepOfAPageGivesWhatPlainComparisonDoes() async throws {
        let folder = try TemporaryFolder()
        let store = try StoreKind.database.open(folder, catalog: plannerCatalog)
        let storage = try #require(store.storage as? PostgreSQLStorage)
        var results = RandomResults(seed: 8, vendors: 3)
        try await fill(store, &results)
        for number in 0..<120 {
            var condition = results.condition()
            // What can't be asked for: texts end at U+0000.
            while condition.description.utf8.contains(0) { condition = results.condition() }
            let query = ResultQuery(
                condition, by: .receivedAt, isDescending: number.isMultiple(of: 2))
            let expected = query.answer(among: results.facts)
            for limits in Self.limits {
                let found = try await pages(
                    of: query, max(2, expected.count / 3), storage, limits)
                let isEqual = found == expected
                #expect(isEqual, "\(limits): \(query.isDescending) \(query.condition)")
                let total = try await storage.total(of: query, limits)
                let isRight =
                    total.isExact
                    ? total.count == expected.count : total.count <= expected.count
                #expect(isRight, "\(limits): \(total), not \(expected.count): \(condition)")
            }
        }
        await store.close()
    }

    /// Others move the last of the first candidates, where the next step begins.
    @Test(arguments: [true, false])
    func aPageHasEachMatchOnceWhileOthersWriteAndErase(isDescending: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = try StoreKind.database.open(folder)
        let storage = try #require(store.storage as? PostgreSQLStorage)
        _ = try await store.append((101...140).map { sampleRecord($0) })
        let isDone = Flag()
        let writer = Task {
            while !isDone.isSet {
                // Before all others in the order of the page.
                let numbers = isDescending ? 141...145 : 1...5
                let receipts = try await store.append(numbers.map { sampleRecord($0) })
                for receipt in receipts { _ = try await store.erase(receipt.id) }
            }
        }
        let among = Condition.all([
            .compare(.result("number"), .greater, .number(100)),
            .compare(.result("number"), .less, .number(141)),
        ])
        let query = ResultQuery(among, by: .receivedAt, isDescending: isDescending)
        var expected = Array(1...40)
        if isDescending { expected.reverse() }
        for _ in 1...500 {
            let page = try await storage.locations(
                of: query, after: nil, limit: 100, Self.limits[1])
            #expect(page.map(\.sequence) == expected)
            if page.map(\.sequence) != expected { break }
        }
        isDone.set()
        try await writer.value
        await store.close()
    }
}
