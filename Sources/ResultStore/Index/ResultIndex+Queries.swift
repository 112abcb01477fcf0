// The queries of the index. Each call waits until it sees everything that was submitted before.

import Clocks
import GRDB

/// An inbox that has received something.
package struct InboxSummary: Sendable, Equatable {
    package let name: String
    /// Number of its records of the requested kinds.
    package let count: Int
    /// When the latest of these records was received.
    package let lastReceivedAt: Timestamp

    package init(name: String, count: Int, lastReceivedAt: Timestamp) {
        self.name = name
        self.count = count
        self.lastReceivedAt = lastReceivedAt
    }
}

/// The number of records of one kind, vendor, contract, outcome, verdict and method.
package struct ResultCount: Sendable, Equatable {
    package let kind: RecordKind
    package let vendor: String
    package let contract: String?
    package let outcome: String?
    package let verdict: String
    package let method: String
    package let count: Int

    package init(
        kind: RecordKind, vendor: String, contract: String?, outcome: String?, verdict: String,
        method: String, count: Int
    ) {
        self.kind = kind
        self.vendor = vendor
        self.contract = contract
        self.outcome = outcome
        self.verdict = verdict
        self.method = method
        self.count = count
    }

    /// Whether it comes before another one in lists: the larger one does; of equal ones, the one
    /// whose members come first.
    package func precedes(_ other: ResultCount) -> Bool {
        if count != other.count { return count > other.count }
        return members.lexicographicallyPrecedes(other.members)
    }

    private var members: [String] {
        [kind.rawValue, vendor, contract ?? "", outcome ?? "", verdict, method]
    }
}

extension ResultIndex {
    /// Where a record's line is.
    struct Location: Sendable, Equatable {
        let place: Int64
        let sequence: Int
        let segment: SegmentName
        let generation: Int
        /// Offset in the segment's content.
        let offset: Int64
        /// Bytes of the line, without its newline.
        let size: Int
        /// The value of the field by which the query orders.
        let value: FieldValue?
    }

    /// Up to `limit` records after `cursor`, in the order of the query.
    ///
    /// See `QueryPlanner` for the cost.
    func locations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> [Location] {
        let (catalog, columns) = (catalog, columns)
        return try await read { database in
            try Self.locations(
                of: query, after: cursor, limit: limit, database, catalog, columns)
        }
    }

    static func locations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int, _ database: Database,
        _ catalog: FieldCatalog, _ columns: IndexColumns
    ) throws -> [Location] {
        let planner = QueryPlanner(
            database: database, query: query, catalog: catalog, columns: columns, cursor: cursor,
            limit: limit)
        guard let plan = try planner.plan() else { return [] }
        var kind: FieldCatalog.Kind?
        if case .result(let name) = query.key { kind = catalog.kind(of: name) }
        return try fetch(plan, kind, database)
    }

    /// Where a record is; nil if there is no record with that id.
    ///
    /// O(log(records) + records of the same millisecond).
    func location(of id: RecordID) async throws(StoreError) -> Location? {
        try await read { database in
            let moment = Timestamp(unixMilliseconds: id.milliseconds)
            let plan = QueryPlan(
                sql: """
                    SELECT \(QueryPlan.rowColumns) FROM results
                    WHERE place >= ? AND place < ? AND id_high = ? AND id_low = ?
                    """,
                values: [
                    Place.start(moment).databaseValue, Place.end(moment).databaseValue,
                    Int64(bitPattern: id.high).databaseValue,
                    Int64(bitPattern: id.low).databaseValue,
                ])
            return try Self.fetch(plan, nil, database, isKept: true).first
        }
    }

    /// The locations of records that have not been erased since they were looked up.
    ///
    /// O(locations · log(records)).
    func present(_ locations: [Location]) async throws(StoreError) -> [Location] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM results WHERE place = ?")
            return try locations.filter {
                try Int.fetchOne(statement, arguments: [$0.place]) != nil
            }
        }
    }

    /// Where the line of a location is now, or the one that has taken its place; nil if the record
    /// was erased.
    func location(now known: Location) async throws(StoreError) -> Location? {
        try await read { database in
            let plan = QueryPlan(
                sql: """
                    SELECT \(QueryPlan.rowColumns) FROM results WHERE seq = ? OR place = ?
                    ORDER BY seq = ? DESC LIMIT 1
                    """,
                values: [
                    known.sequence.databaseValue, known.place.databaseValue,
                    known.sequence.databaseValue,
                ])
            return try Self.fetch(plan, nil, database, isKept: true).first
        }
    }

    /// Records that an earlier request with this idempotency key may have created, by the key's
    /// hash; latest first.
    func locations(idempotency: Int64, limit: Int) async throws(StoreError) -> [Location] {
        try await read { database in
            let plan = QueryPlan(
                sql: """
                    SELECT \(QueryPlan.rowColumns) FROM results
                    WHERE idempotency IS NOT NULL AND idempotency = ? ORDER BY seq DESC LIMIT ?
                    """, values: [idempotency.databaseValue, limit.databaseValue])
            return try Self.fetch(plan, nil, database, isKept: true)
        }
    }

    /// The rows of a plan.
    ///
    /// - Parameters:
    ///   - kind: type of the field by which rows are ordered.
    ///   - isKept: whether the prepared statement is cached. The number of different queries is
    ///     unlimited, so only statements that never change are cached.
    static func fetch(
        _ plan: QueryPlan, _ kind: FieldCatalog.Kind?, _ database: Database, isKept: Bool = false
    ) throws -> [Location] {
        var segments: [Int64: (name: SegmentName, generation: Int)] = [:]
        let statement =
            try isKept
            ? database.cachedStatement(sql: plan.sql) : database.makeStatement(sql: plan.sql)
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(plan.values))
        var locations: [Location] = []
        while let row = try rows.next() {
            let number: Int64 = try row.decode(atIndex: 2)
            guard let segment = try segments[number] ?? segment(number, database) else { continue }
            segments[number] = segment
            var value: FieldValue?
            switch kind {
            case .number: value = .number(try row.decode(atIndex: 5))
            case .text: value = .text(try row.decode(atIndex: 5))
            case .flag: value = .flag(try row.decode(atIndex: 5))
            case nil: break
            }
            locations.append(
                Location(
                    place: try row.decode(atIndex: 0), sequence: try row.decode(atIndex: 1),
                    segment: segment.name, generation: segment.generation,
                    offset: try row.decode(atIndex: 3), size: try row.decode(atIndex: 4),
                    value: value))
        }
        return locations
    }

    private static func segment(
        _ number: Int64, _ database: Database
    ) throws -> (name: SegmentName, generation: Int)? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT name, generation FROM segments WHERE id = ?"),
            arguments: [number])
        guard let row, let name = SegmentName(fileName: try row.decode(atIndex: 0)) else {
            return nil
        }
        return (name, try row.decode(atIndex: 1))
    }

    static func segmentNames(
        _ database: Database
    ) throws -> [Int64: (name: SegmentName, generation: Int)] {
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT id, name, generation FROM segments"))
        var names: [Int64: (name: SegmentName, generation: Int)] = [:]
        for row in rows {
            guard let name = SegmentName(fileName: try row.decode(atIndex: 1)) else { continue }
            names[try row.decode(atIndex: 0)] = (name, try row.decode(atIndex: 2))
        }
        return names
    }

    /// Inboxes with records of some kinds, by name, starting after `name`.
    ///
    /// O(inboxes).
    func inboxes(
        of kinds: [RecordKind] = RecordKind.allCases, after name: String? = nil,
        limit: Int = .max
    ) async throws(StoreError) -> [InboxSummary] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT name, sum(inbox_kinds.count), max(inbox_kinds.last_place)
                    FROM inboxes JOIN inbox_kinds ON inbox_kinds.inbox = inboxes.id
                    WHERE inbox_kinds.count > 0 AND name > ?
                        AND kind IN (\(kinds.map { "\($0.number)" }.joined(separator: ",")))
                    GROUP BY name ORDER BY name LIMIT ?
                    """, arguments: [name ?? "", limit]
            ).map { row in
                InboxSummary(
                    name: try row.decode(atIndex: 0), count: try row.decode(atIndex: 1),
                    lastReceivedAt: Place.moment(try row.decode(atIndex: 2)))
            }
        }
    }

    /// The number of records of each facet, largest first; equal ones in the order of their members.
    ///
    /// O(facets).
    func counts() async throws(StoreError) -> [ResultCount] {
        try await read { database in
            try QueryPlanner.facets(database).map { summary in
                let facet = summary.facet
                return ResultCount(
                    kind: facet.kind, vendor: facet.vendor, contract: facet.contract,
                    outcome: facet.outcome,
                    verdict: facet.verdict, method: facet.method, count: summary.count)
            }.sorted { $0.precedes($1) }
        }
    }

    /// The flows that records belong to, each once, in descending order of their names.
    ///
    /// O(limit · log(records with a flow)).
    ///
    /// - Parameter name: the last name of the previous page; nil for the first page.
    func flows(before name: String?, limit: Int) async throws(StoreError) -> [String] {
        try await read { database in
            // Each step is one seek in the index: the number of records in a flow doesn't matter.
            let statement = try database.cachedStatement(
                sql: """
                    WITH RECURSIVE names (flow) AS (
                        SELECT max(flow) FROM results WHERE flow IS NOT NULL AND flow < ?
                        UNION ALL
                        SELECT (SELECT max(flow) FROM results
                                WHERE flow IS NOT NULL AND flow < names.flow)
                        FROM names WHERE names.flow IS NOT NULL LIMIT ?
                    )
                    SELECT flow FROM names WHERE flow IS NOT NULL
                    """)
            return try String.fetchAll(statement, arguments: [name ?? "\u{10FFFF}", limit])
        }
    }

    /// The last sequence number, and the indexed bytes of each segment; for recovery.
    func progress() throws(StoreError) -> (
        sequence: Int, bytes: [SegmentName: Int64]
    ) {
        try readNow { database in
            let sequence = try Int.fetchOne(database, sql: "SELECT sequence FROM state") ?? 0
            let rows = try Row.fetchAll(database, sql: "SELECT name, indexed_bytes FROM segments")
            let pairs = try rows.compactMap { row in
                let bytes: Int64 = try row.decode(atIndex: 1)
                return SegmentName(fileName: try row.decode(atIndex: 0)).map { ($0, bytes) }
            }
            return (sequence, Dictionary(pairs, uniquingKeysWith: max))
        }
    }

    /// The latest times of receipt.
    ///
    /// Not those of the results that were stored last: many old ones may have been imported.
    func newestMoments() async throws(StoreError) -> [Timestamp] {
        try await read { database in
            try Int64.fetchAll(
                database, sql: "SELECT place FROM results ORDER BY place DESC LIMIT ?",
                arguments: [Limits.clockWitnesses]
            ).map { Place.moment($0) }
        }
    }

    /// Reads after everything that was submitted before has been indexed.
    func read<Value: Sendable>(
        _ query: @Sendable @escaping (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await catchUp()
        return try await readIndexed(query)
    }

    /// Reads what is indexed already: for a second query of a request whose first one has waited.
    ///
    /// Throws `rebuilding` while the index is rebuilt.
    func readIndexed<Value: Sendable>(
        _ query: @Sendable @escaping (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        if let progress = rebuilding { throw .rebuilding(done: progress.done, of: progress.of) }
        let interruption = Interruption()
        let answer = await withTaskCancellationHandler {
            await readers.run { [self] _ in
                let pool = database
                return Result { try pool.snapshot { try interruption.run($0, query) } }
                    .mapError { error in
                        let failure = failure(error)
                        // Another query has found the damage before.
                        guard case .index = failure, rebuilding != nil || pool !== database else {
                            return failure
                        }
                        return .rebuilding(done: 0, of: 0)
                    }
            }
        } onCancel: {
            interruption.interrupt()
        }
        return try answer.get()
    }

    /// Reads at once; blocks the thread.
    func readNow<Value>(
        _ query: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try database.snapshot(query)
        } catch {
            throw failure(error)
        }
    }
}

extension DatabasePool {
    /// Reads in one transaction, on the caller's thread.
    ///
    /// GRDB's `read` would use a null pointer if the pool is closed while the caller waits for a
    /// connection; this throws `SQLITE_MISUSE` then.
    fileprivate func snapshot<Value>(_ query: (Database) throws -> Value) throws -> Value {
        try unsafeRead { database in
            try database.beginTransaction(.deferred)
            defer { try? database.rollback() }
            return try query(database)
        }
    }
}
