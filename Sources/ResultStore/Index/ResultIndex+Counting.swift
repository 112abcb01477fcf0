// Counts the records that match a query, within a bound: a list says how long it is, and that must
// cost no more than its first page.
//
// Invariant: a count that isn't exact is a lower bound. Left out: the order of the query, which
// doesn't change the number.

import CSQLite
import GRDB

/// The number of records that match a query.
package struct ResultTotal: Sendable, Equatable {
    package var count: Int
    /// Whether no more than `count` records match.
    package var isExact: Bool

    package init(count: Int, isExact: Bool) {
        self.count = count
        self.isExact = isExact
    }
}

extension ResultIndex {
    /// Up to `limit` records after `cursor`, and the number of all that match.
    ///
    /// One read: under load, each read waits for a thread.
    func countedLocations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> (locations: [Location], total: ResultTotal) {
        let (catalog, columns) = (catalog, columns)
        return try await read { database in
            let locations = try Self.locations(
                of: query, after: cursor, limit: limit, database, catalog, columns)
            if cursor == nil, locations.count < limit {
                return (locations, ResultTotal(count: locations.count, isExact: true))
            }
            return (locations, try Self.total(of: query, database, catalog, columns))
        }
    }

    /// The number of indexed records that match a query.
    ///
    /// O(facets) if facets or one inbox decide which records match; otherwise at most
    /// `Limits.countedResults` records and `Limits.countingSteps` steps of SQLite.
    private static func total(
        of query: ResultQuery, _ database: Database, _ catalog: FieldCatalog,
        _ columns: IndexColumns
    ) throws -> ResultTotal {
        var condition = query.condition
        if case .result(let name) = query.key {
            condition = .all([condition, .has(.result(name))])
        }
        let planner = QueryPlanner(
            database: database, query: ResultQuery(condition), catalog: catalog, columns: columns,
            cursor: nil, limit: Limits.countedResults + 1)
        if let count = try planner.keptCount() {
            return ResultTotal(count: count, isExact: true)
        }
        guard let plan = try planner.plan() else { return ResultTotal(count: 0, isExact: true) }
        return try count(plan, database)
    }

    /// Counts the rows of a plan until there are more than the limit, or SQLite has made as many
    /// steps as it may.
    private static func count(_ plan: QueryPlan, _ database: Database) throws -> ResultTotal {
        // SAFETY: the connection is open during both calls, and the callee doesn't keep it.
        unsafe csqlite_limit_steps(database.sqliteConnection, Limits.countingSteps)
        defer { unsafe csqlite_limit_steps(database.sqliteConnection, 0) }
        var count = 0
        do {
            let rows = try Row.fetchCursor(
                database.makeStatement(sql: plan.sql), arguments: StatementArguments(plan.values))
            while count < Limits.countedResults {
                guard try rows.next() != nil else {
                    return ResultTotal(count: count, isExact: true)
                }
                count += 1
            }
            return ResultTotal(count: count, isExact: try rows.next() == nil)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            return ResultTotal(count: count, isExact: false)
        }
    }
}
