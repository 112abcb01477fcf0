// Random queries about random records: both stores give the answers of plain comparison.

import Clocks
import Testing

@testable import ResultStore

@Suite(.timeLimit(.minutes(5))) struct BothStoresTests {
    /// The same records in both stores.
    private struct Pair {
        let files: ResultStore
        let database: ResultStore
        var results = RandomResults(seed: 21, vendors: 3)
        /// The records that may still be there, with their inboxes.
        private var known: [(receipt: Receipt, inbox: String)] = []
        private(set) var firstNumbers: [RecordID: Int] = [:]

        init(_ folder: TemporaryFolder) throws {
            files = try StoreKind.files.open(folder, catalog: plannerCatalog)
            database = try StoreKind.database.open(folder, catalog: plannerCatalog)
        }

        func close() async {
            await files.close()
            await database.close()
        }

        /// Stores new records.
        mutating func add(_ count: Int) async throws {
            let records = (0..<count).map { _ in results.record() }
            let receipts = try await files.append(records)
            let others = try await database.append(records)
            #expect(receipts.map(\.id) == others.map(\.id))
            #expect(receipts.map(\.number) == others.map(\.number))
            known += zip(receipts, records.map(\.inbox)).map { ($0, $1) }
            for receipt in receipts { firstNumbers[receipt.id] = receipt.number }
        }

        /// Erases a record, which may have been erased before.
        mutating func eraseOne() async throws {
            let id = known[results.below(known.count)].receipt.id
            let wasThere = try await files.erase(id)
            #expect(try await database.erase(id) == wasThere)
        }

        mutating func eraseInbox() async throws {
            let name = "inbox \(results.below(5))"
            let count = try await files.erase(inbox: name)
            #expect(try await database.erase(inbox: name) == count)
        }

        /// Stores a record in the place of another one; refused if that has been erased.
        mutating func replaceOne() async throws {
            let index = results.below(known.count)
            let (old, inbox) = known[index]
            var record = results.record()
            (record.id, record.inbox, record.replaces) = (old.id, inbox, old.number)
            record.receivedAt = Timestamp(unixMilliseconds: old.id.milliseconds)
            record.redecodedAt = Timestamp(
                unixMilliseconds: record.receivedAt.unixMilliseconds + 1)
            let receipt = await Self.append(record, to: files)
            let other = await Self.append(record, to: database)
            #expect(receipt?.number == other?.number)
            if let receipt { known[index].receipt = receipt }
        }

        private static func append(_ record: NewRecord, to store: ResultStore) async -> Receipt? {
            do throws(StoreError) {
                return try await store.append(record)
            } catch {
                #expect(error == .erased)
                return nil
            }
        }

        /// Reads back what is there now.
        mutating func note() async throws {
            let query = ResultQuery(by: .seq, isDescending: false)
            let lines = try await files.all(query)
            let others = try await database.all(query)
            let areEqual = lines.map(\.stored) == others.map(\.stored)
            #expect(areEqual, "\(lines.count) and \(others.count) lines")
            for line in lines { try results.note(line.stored[...]) }
        }
    }

    @Test func fiveHundredRandomQueriesHaveTheSameAnswers() async throws {
        let folder = try TemporaryFolder()
        var pair = try Pair(folder)
        for round in 0..<6 {
            try await pair.add(80)
            for _ in 0..<8 { try await pair.replaceOne() }
            for _ in 0..<6 { try await pair.eraseOne() }
            if round % 3 == 2 { try await pair.eraseInbox() }
        }
        try await pair.note()
        #expect(pair.results.facts.count > 250)
        let keys = PlannerTests.keys
        for _ in 0..<500 {
            var condition = pair.results.condition()
            // What can't be asked for: texts of both stores end at U+0000.
            while condition.description.utf8.contains(0) { condition = pair.results.condition() }
            let query = ResultQuery(
                condition, by: keys[pair.results.below(keys.count)],
                isDescending: pair.results.below(2) == 0)
            try await compare(query, pair)
        }
        for _ in 0..<40 { try await compare(ResultQuery(pair.results.lookalikes()), pair) }
        try await compareLists(pair)
        #expect(try await pair.database.verify().findings.isEmpty)
        await pair.close()
    }

    /// The pages and totals of one query.
    private func compare(_ query: ResultQuery, _ pair: Pair) async throws {
        let expected = query.answer(
            among: pair.results.facts, firstNumbers: pair.firstNumbers)
        for (store, kind) in [(pair.files, StoreKind.files), (pair.database, .database)] {
            let lines = try await store.all(query, pageSize: max(5, expected.count / 4))
            let isEqual = lines.map(\.sequence) == expected
            #expect(isEqual, "\(kind): \(query.key) \(query.isDescending) \(query.condition)")
            // What takes too long to count is a lower bound, which a busy machine may need.
            let total = try await store.storage.countedLocations(
                of: query, after: nil, limit: 1
            ).total
            let isRight =
                total.isExact ? total.count == expected.count : total.count <= expected.count
            #expect(isRight, "\(kind): \(total), not \(expected.count), \(query.condition)")
        }
    }

    /// Inboxes, flows and counts.
    private func compareLists(_ pair: Pair) async throws {
        let (files, database) = (pair.files, pair.database)
        for kinds in RecordKind.allCases.map({ [$0] }) + [RecordKind.allCases] {
            let inboxes = try await files.inboxes(of: kinds)
            let others = try await database.inboxes(of: kinds)
            #expect(inboxes.map(\.name) == others.map(\.name))
            #expect(inboxes.map(\.count) == others.map(\.count))
            #expect(inboxes.map(\.lastReceivedAt) == others.map(\.lastReceivedAt))
        }
        let flows = try await files.flows(limit: 1000)
        #expect(try await database.flows(limit: 1000) == flows)
        #expect(flows.count > 50)
        for start in [3, 20, 40] {
            let page = try await database.flows(before: flows[start], limit: 7)
            #expect(page == Array(flows.dropFirst(start + 1).prefix(7)))
        }
        let counts = try await files.counts()
        #expect(try await database.counts() == counts)
    }

    @Test(arguments: StoreKind.allCases)
    func equalCountsComeInTheOrderOfTheirMembers(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        // Neither the order in which they came, nor that of their names backwards.
        for vendor in ["m", "z", "a", "q"] {
            _ = try await store.append(sampleRecord(1, vendor: vendor))
        }
        _ = try await store.append((1...2).map { _ in sampleRecord(1, vendor: "y") })
        #expect(try await store.counts().map(\.vendor) == ["y", "a", "m", "q", "z"])
        await store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aRecordOfTheLastMillisecondIsFoundAndALaterOneRefused(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(folder)
        let last = Timestamp(unixMilliseconds: NewRecord.endOfTime.unixMilliseconds - 1)
        let receipt = try await store.append(sampleRecord(1, at: last))
        #expect(try await store.line(of: receipt.id)?.number == 1)
        await #expect(throws: StoreError.unreadable) {
            try await store.append(sampleRecord(2, at: NewRecord.endOfTime))
        }
        await store.close()
    }

    @Test func aRecordOfOneInstanceReachesSubscriptionsAndListsOfAnother() async throws {
        let folder = try TemporaryFolder()
        let database = try TestDatabase.shared.get()
        let (first, second) = (try database.store(folder), try database.store(folder))
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
