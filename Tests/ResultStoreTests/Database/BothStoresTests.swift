// Random questions about random records: both stores give the answers of plain comparison.

import Clocks
import Testing

@testable import ResultStore

@Suite(.timeLimit(.minutes(5))) struct BothStoresTests {
    @Test(arguments: StoreKind.allCases)
    func pagesOfRandomQuestionsAreWhatTheMatcherSays(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder, catalog: plannerCatalog)
        var results = RandomResults(seed: 21, vendors: 3)
        for _ in 0..<5 {
            let receipts = try await store.append((0..<80).map { _ in results.record() })
            for receipt in receipts {
                let line = try #require(try await store.line(of: receipt.id))
                #expect(line.sequence == receipt.sequence)
                try results.note(line.stored[...])
            }
        }
        for _ in 0..<150 {
            let query = ResultQuery(
                results.condition(), by: PlannerTests.keys[results.below(PlannerTests.keys.count)],
                isDescending: results.below(2) == 0)
            let expected = query.answer(among: results.facts)
            let lines = try await store.all(query, pageSize: max(5, expected.count / 4))
            let isEqual = lines.map(\.sequence) == expected
            #expect(isEqual, "\(query.key) \(query.isDescending) \(query.condition)")
            let outline = try await store.outline(of: query, limit: 1)
            let total = try await store.total(of: query, with: outline, after: nil)
            #expect(total == ResultTotal(count: expected.count, isExact: true))
        }
        await store.close()
    }

    @Test func aRecordOfOneInstanceReachesSubscriptionsAndListsOfAnother() async throws {
        let folder = try TemporaryFolder()
        let address = try TestDatabase.shared.get().address(of: folder)
        let first = try ResultStore(database: address, catalog: sampleCatalog)
        let second = try ResultStore(database: address, catalog: sampleCatalog)
        let follower = second.subscribe(to: .everything, .all(keeping: 1000))
        var numbers: [Int] = []
        for number in 1...100 {
            let store = number % 3 == 0 ? second : first
            let receipt = try await store.append(sampleRecord(number))
            #expect(try await second.line(of: receipt.id)?.number == number)
            #expect(try await first.line(of: receipt.id)?.number == number)
        }
        while numbers.count < 100 {
            await follower.wait()
            numbers += follower.take().records.map(\.facts.sequence)
        }
        #expect(numbers == Array(1...100))
        await first.close()
        await second.close()
    }
}
