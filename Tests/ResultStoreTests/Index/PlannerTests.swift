// Pages of random queries about random results: whichever way they are read off the index, they
// are what the matcher says of all records, in the right order.

import Clocks
import GRDB
import Testing

@testable import ResultStore

/// A way in which a page is read.
enum PlannedRoad: String, CaseIterable {
    case nothing, few, recent, words, origins, inboxInOrder, inboxGathered, field
    case facetsMerged, facetsGathered, ordered, sorted

    /// Whether the few rows that this reads may be sorted; all others come in the page's order, so
    /// that reading stops when the page is full.
    var sorts: Bool {
        switch self {
        case .few, .recent, .inboxGathered, .field, .facetsGathered, .sorted: true
        case .nothing, .words, .origins, .inboxInOrder, .facetsMerged, .ordered: false
        }
    }

    /// Recognised by the statement.
    init(_ plan: QueryPlan?, _ query: ResultQuery, _ columns: IndexColumns) {
        guard let sql = plan?.sql else {
            self = .nothing
            return
        }
        var own: String?
        if case .result(let name) = query.key { own = columns.names[name] }
        let field = columns.names.values.first { sql.contains("INDEXED BY results_by_\($0)") }
        self =
            if sql.contains("FROM search CROSS JOIN") {
                .words
            } else if sql.contains("results_by_origin") {
                .origins
            } else if sql.contains("results_by_inbox") {
                query.key == .receivedAt ? .inboxInOrder : .inboxGathered
            } else if sql.contains("results_by_facet") {
                sql.contains("facet = ?") ? .facetsMerged : .facetsGathered
            } else if sql.contains("WHERE 0 AND") || sql.contains("AND 0)") {
                .nothing
            } else if sql.contains("results_by_seq") {
                query.key == .seq ? .ordered : .recent
            } else if let field {
                field == own ? .ordered : .field
            } else if ["results_by_flow", "results_by_trace", "id_high = ?"]
                .contains(where: { sql.contains($0) })
            {
                .few
            } else {
                // By a field without an index, everything is sorted.
                own == nil ? .ordered : .sorted
            }
    }
}

extension ResultQuery {
    /// The kind of the values by which results are ordered.
    fileprivate var kind: FieldCatalog.Kind? {
        guard case .result(let name) = key else { return nil }
        return plannerCatalog.kind(of: name)
    }
}

extension QueryPlan {
    /// What SQLite says that it will do.
    fileprivate func steps(_ database: Database) throws -> [String] {
        try Row.fetchAll(
            database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: StatementArguments(values)
        ).map { $0["detail"] }
    }
}

@Suite struct PlannerTests {
    static let keys: [ResultQuery.Key] = [
        .receivedAt, .seq, .result("stress"), .result("token"), .result("is_offline"),
    ]

    /// A store of random results that recovery has indexed.
    private func store(
        _ results: inout RandomResults, _ count: Int, in folder: TemporaryFolder
    ) throws -> ResultStore {
        try folder.makeFolder("results")
        try folder.write(results.lines(count), to: "results/2026-11-21.jsonl")
        return try ResultStore(folder: folder.path, catalog: plannerCatalog)
    }

    @Test func pagesTogetherAreWhatTheMatcherSaysHoweverTheyAreRead() async throws {
        var roads: Set<PlannedRoad> = []
        for vendors in 1...3 {
            let folder = try TemporaryFolder()
            var results = RandomResults(seed: UInt64(vendors), vendors: vendors)
            let store = try store(&results, 700, in: folder)
            #expect(store.recovery.indexedRecords == 700)
            for _ in 0..<150 { try ask(store, &results, &roads) }
            await store.close()
        }
        #expect(roads == Set(PlannedRoad.allCases))
    }

    /// One random query, with limits as if there were a millionth of the records, or a million
    /// times as many.
    private func ask(
        _ store: ResultStore, _ results: inout RandomResults, _ roads: inout Set<PlannedRoad>
    ) throws {
        let query = ResultQuery(
            results.condition(), by: Self.keys[results.below(Self.keys.count)],
            isDescending: results.below(2) == 0)
        let expected = query.answer(among: results.facts)
        let size = max(1 + results.below(50), expected.count / 4)
        let choices = [(64, 2000), (0, 0), (8, 60), (1000, 20), (1000, 400)]
        let limits = choices[results.below(choices.count)]
        do {
            let found = try store.index.readNow { database in
                try Self.pages(of: query, size, store.index, database, limits, &roads)
            }
            expectEqual(found, expected, query)
        } catch {
            Issue.record("\(error): \(query.key) \(query.condition)")
        }
    }

    /// Compares without printing a thousand numbers.
    private func expectEqual(_ found: [Int], _ expected: [Int], _ query: ResultQuery) {
        let isEqual = found == expected
        let missing = Set(expected).subtracting(found).sorted().prefix(5)
        let wrong = Set(found).subtracting(expected).sorted().prefix(5)
        let place = zip(found, expected).enumerated().first { $0.1.0 != $0.1.1 }?.offset
        #expect(
            isEqual,
            """
            missing \(missing), wrong \(wrong), differs from \(place ?? -1) on: \(query.key) \
            \(query.isDescending ? "down" : "up") \(query.condition)
            """)
    }

    /// The numbers of all pages.
    private static func pages(
        of query: ResultQuery, _ size: Int, _ index: ResultIndex, _ database: Database,
        _ limits: (ranges: Int, rows: Int), _ roads: inout Set<PlannedRoad>
    ) throws -> [Int] {
        var numbers: [Int] = []
        var cursor: PageCursor?
        while true {
            var planner = QueryPlanner(
                database: database, query: query, catalog: index.catalog,
                columns: index.columns, cursor: cursor, limit: size)
            planner.mergedRanges = limits.ranges
            planner.gatheredRows = limits.rows
            let plan = try planner.plan()
            let road = PlannedRoad(plan, query, index.columns)
            roads.insert(road)
            guard let plan else { return numbers }
            let steps = try plan.steps(database)
            // Rows that are looked up one by one, by number or by what words give, may be sorted.
            let areFew = steps.filter { $0.contains("SEARCH results") }
                .allSatisfy { $0.hasSuffix("(seq=?)") || $0.hasSuffix("(rowid=?)") }
            #expect(
                road.sorts || areFew || !steps.contains { $0.contains("TEMP B-TREE") },
                "\(road): \(steps) for \(plan.sql)")
            let locations = try ResultIndex.fetch(plan, query.kind, database)
            numbers += locations.map(\.sequence)
            guard locations.count == size, let last = locations.last else { return numbers }
            let next = PageCursor(
                place: last.place, sequence: last.sequence, value: last.value, of: query)
            cursor = PageCursor(next.text)
            // Pages that do not go on would be read for ever.
            #expect(cursor == next)
            if cursor == nil || numbers.count > 10_000 { return numbers }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func pagesStayAsTheyAreWhileResultsComeBetweenThem(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        var results = RandomResults(seed: 4, vendors: 3)
        let store = try kind.open(folder, catalog: plannerCatalog)
        for receipt in try await store.append((0..<300).map { _ in results.record() }) {
            let line = try await store.line(of: receipt.id)
            try results.note(#require(line).stored[...])
        }
        for _ in 0..<40 {
            let condition = results.condition()
            let query = ResultQuery(
                condition, by: Self.keys[results.below(Self.keys.count)],
                isDescending: results.below(2) == 0)
            let before = query.answer(among: results.facts)
            let known = results.facts.count
            var found: [Int] = []
            var cursor: PageCursor?
            repeat {
                let page = try await store.page(
                    of: query, after: cursor, limit: max(5, before.count / 4))
                #expect(page.damage.isEmpty)
                found += page.lines.map(\.sequence)
                cursor = page.next
                let receipt = try await store.append(results.record())
                let line = try await store.line(of: receipt.id)
                try results.note(#require(line).stored[...])
            } while cursor != nil
            // What has come since may be there or not; what was there is there once, in its order.
            expectEqual(found.filter { $0 <= known }, before, query)
            let after = query.answer(among: results.facts)
            expectEqual(found, after.filter(Set(found).contains), query)
        }
        await store.close()
    }

    @Test(arguments: [(1, 1), (64, 1), (65, 2), (1200, 32), (20_000, 512)])
    func manyPartsOfAConditionAreNotNestedDeeply(count: Int, chains: Int) throws {
        let parts = (0..<count).map { SQLPart(sql: "\($0) = ?", values: [$0.databaseValue]) }
        let joined = SQLPart.joined(parts, by: "AND", empty: "0")
        #expect(joined.sql.count { $0 == "(" } == 2 * chains - 1)
        let holds = try DatabaseQueue().read { database in
            try Bool.fetchOne(
                database, sql: "SELECT \(joined.sql)", arguments: StatementArguments(joined.values))
        }
        #expect(holds == true)
    }

    @Test func recordsOfOneMillisecondWhoseNumbersAgreeInTheirLowBitsHavePlacesOfTheirOwn()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let segment = try #require(SegmentName(fileName: "2026-11-21.jsonl"))
        let numbers = [7, 7 + 1 << 20, 7 + 2 << 20, 8]
        var generator = SystemRandomNumberGenerator()
        for (offset, number) in numbers.enumerated() {
            var facts = facts(fields: [nil, nil])
            facts.id = RecordID(at: facts.receivedAt.unixMilliseconds, using: &generator)
            facts.sequence = number
            let entry = IndexEntry(
                facts: facts, segment: segment, offset: Int64(offset) * 100, size: 99)
            var steps = Int.max
            _ = try store.index.insert([.record(entry)], erasingIn: &steps)
            #expect(try await store.index.location(of: facts.id)?.offset == entry.offset)
        }
        for key in [ResultQuery.Key.receivedAt, .seq] {
            let found = try await store.index.locations(
                of: ResultQuery(by: key), after: nil, limit: 9)
            #expect(Set(found.map(\.sequence)) == Set(numbers))
        }
        await store.close()
    }
}
