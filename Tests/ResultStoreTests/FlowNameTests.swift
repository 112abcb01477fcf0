// The names of the flows that records belong to.

import Testing

@testable import ResultStore

@Suite struct FlowNameTests {
    @Test(arguments: [1, 2, 100], StoreKind.allCases)
    func flowsAreListedOnceEachInDescendingOrder(size: Int, kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        for number in 1...30 {
            let flow = number % 3 == 0 ? nil : "flow-\(number % 7)"
            _ = try await store.append(sampleRecord(number, flow: flow))
        }
        var found: [String] = []
        while true {
            let page = try await store.flows(before: found.last, limit: size)
            found += page
            if page.count < size { break }
        }
        #expect(found == (0...6).reversed().map { "flow-\($0)" })
        await store.close()
    }
}
