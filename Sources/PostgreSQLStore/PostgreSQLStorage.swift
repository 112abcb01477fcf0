// The store in PostgreSQL: `DatabaseWriter` stores, `QueryPool` asks, `Follower` hears of what
// other instances store. Left out: what storing a callback asks (`PostgreSQLStorage+Callbacks`).

import Clocks
import ResultStore

/// The records of one database.
final class PostgreSQLStorage: ResultStorage {
    let pool: QueryPool
    /// For the news of flows: nearly every callback waits for them.
    let newsPool: QueryPool
    let writer: DatabaseWriter
    let follower: Follower
    let keeper: DatabaseKeeper
    /// Of a server; nil for other programs.
    let spool: Spool?
    /// Whether records wait in the spool while the database can't be used; else they are refused.
    let spools: Bool
    /// Of the data folder, where a server says at which addresses it is; nil for other programs.
    private let lock: FolderLock?
    /// Number of records whose columns opening has filled again.
    let rebuiltRecords: Int
    let catalog: FieldCatalog
    let columns: FieldColumns

    /// Opens a database; makes the tables if it is empty.
    ///
    /// If the database doesn't answer, or takes no connections yet, but has been reached before, a store
    /// that spools opens all the same.
    ///
    /// Blocks. Throws `database`, or `locked` if another process uses the data folder.
    ///
    /// - Parameters:
    ///   - dataFolder: of a server; it is locked.
    ///   - spoolFolder: of a server; what waits there is stored.
    ///   - spools: whether records wait there while the database can't be used, or are refused.
    ///   - rebuilds: called with the progress of filling all columns again; nil not to do that.
    init(
        _ address: DatabaseAddress, catalog: FieldCatalog, settings: StoreSettings,
        dataFolder: String?, spoolFolder: String?, spools: Bool,
        rebuilding rebuilds: ((_ done: Int64, _ of: Int64) -> Void)? = nil,
        onEvent: @escaping @Sendable (StoreEvent) -> Void,
        onCommit: @escaping @Sendable (StoreCommit) -> Void, feed: Feed
    ) throws(StoreError) {
        let lock: FolderLock? = if let dataFolder { try FolderLock(dataFolder) } else { nil }
        let columns = FieldColumns(catalog)
        let preparation = Preparation(address, columns)
        let session = Session(address: address, preparation: preparation)
        let spools = spools && spoolFolder != nil
        let spool = spoolFolder.map {
            Spool($0, takesRecords: spools, catalog: catalog, onEvent: onEvent)
        }
        var rebuilt = 0
        var absence: StoreError?
        do throws(DatabaseError) {
            try preparation.ensure()
            if spools { spool?.noteReached(address) }
            if let rebuilds {
                rebuilt = try session.open(statementMilliseconds: Limits.migrationMilliseconds)
                    .rebuildColumns(columns, catalog, onProgress: rebuilds)
            }
        } catch {
            guard error.kind == .unreachable, spools, let spool, spool.hasReached(address),
                error.isPassing || !Connection.isAnswered(at: address)
            else { throw StoreError(error) }
            absence = StoreError(error)
        }
        let follower = Follower(
            session, preparation, feed: feed, catalog: catalog, absence: absence,
            onEvent: onEvent)
        self.follower = follower
        self.catalog = catalog
        self.columns = columns
        pool = QueryPool(session)
        newsPool = QueryPool(session, count: Limits.newsConnections)
        let statements = WriteStatements(columns: columns, schema: address.schema)
        let writer = DatabaseWriter(
            session, statements, hasSpool: spools,
            onCommit: { batch in
                follower.take(batch)
                onCommit(
                    StoreCommit(
                        batch.records.map(\.facts), bytes: batch.bytes,
                        microseconds: batch.microseconds))
            })
        self.writer = writer
        keeper = DatabaseKeeper(
            session, writer: writer, statements, settings: settings, onEvent: onEvent)
        self.spool = spool
        self.spools = spools
        self.lock = lock
        rebuiltRecords = rebuilt
        spool?.start(into: self)
    }

    func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        if spools, let receipt = try await append([record]).first { return receipt }
        let outcome = try await writer.write(
            .record(PreparedRecord(record, catalog: catalog), mayBeThere: false))
        guard let id = outcome.id else { throw .unreadable }
        return Receipt(id: id, sequence: outcome.sequence)
    }

    func append(_ records: [NewRecord]) async throws(StoreError) -> [Receipt] {
        guard spools, let spool else { return try await write(records) }
        return try await spool.append(records) { records throws(StoreError) in
            try await write(records)
        }
    }

    private func write(_ records: [NewRecord]) async throws(StoreError) -> [Receipt] {
        var prepared: [PreparedRecord] = []
        for record in records { prepared.append(try PreparedRecord(record, catalog: catalog)) }
        var receipts: [Receipt] = []
        for outcome in try await writer.write(prepared) {
            guard let id = outcome.id else { throw .unreadable }
            receipts.append(Receipt(id: id, sequence: outcome.sequence))
        }
        return receipts
    }

    func appendMissing(_ records: [NewRecord]) async throws(StoreError) -> Int {
        var prepared: [PreparedRecord] = []
        var seen: Set<RecordID> = []
        for record in records where record.id.map({ seen.insert($0).inserted }) ?? true {
            prepared.append(try PreparedRecord(record, catalog: catalog))
        }
        return try await writer.write(prepared, mayBeThere: true).count { !$0.wasThere }
    }

    func copy(
        _ lines: [StoredLine], keepingNumbers keepsNumbers: Bool
    ) async throws(StoreError) -> Int {
        var prepared: [PreparedRecord] = []
        for line in lines {
            guard
                let record = PreparedRecord(line, keepingNumber: keepsNumbers, catalog: catalog)
            else { throw .unreadable }
            prepared.append(record)
        }
        return try await writer.write(prepared, mayBeThere: !keepsNumbers)
            .count { !$0.wasThere }
    }

    func erase(_ id: RecordID) async throws(StoreError) -> Bool {
        guard try await location(of: id) != nil else { return false }
        var count = 0
        try await writer.erase(.record(id), counting: &count)
        return count > 0
    }

    func erase(inbox name: String) async throws(StoreError) -> Int {
        let names = try await inboxes(of: RecordKind.allCases, after: nil, limit: .max).map(\.name)
        guard names.contains(name) else { return 0 }
        // Everything that is committed when the erasure's turn comes.
        let scope = Erasure.Scope.inbox(name, through: Erasure.Bound(.max))
        var count = 0
        do throws(StoreError) {
            try await writer.erase(scope, counting: &count)
        } catch {
            throw count == 0 ? error : .partlyErased(count, error)
        }
        return count
    }

    /// Always: a database forgets erasures after an hour, and deliveries can take longer.
    func hasErased(after sequence: Int) -> Bool { true }

    func newestSequence() async throws(StoreError) -> Int {
        try await pool.ask { (connection) throws(DatabaseError) in
            try connection.run(Head.newest, within: Limits.newsMilliseconds).first?.int(0) ?? 0
        }
    }

    func announce(addresses: [String]) {
        try? lock?.announce(addresses)
    }

    var status: StoreStatus {
        StoreStatus(
            failure: writer.failure ?? follower.failure ?? pool.checkedFailure(), isDatabase: true,
            spooled: spool?.waiting ?? 0, spoolFailure: spool?.failure)
    }

    func close() async {
        announce(addresses: [])
        await spool?.close()
        await keeper.close()
        await writer.close()
        await follower.close()
        await pool.close()
        await newsPool.close()
        lock?.unlock()
    }

    // MARK: Maintenance

    func storedBytes() async throws(StoreError) -> Int64 {
        try await pool.ask { (connection) throws(DatabaseError) in
            let sizes = Statement(
                sql: """
                    SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint
                    FROM pg_inherits WHERE inhparent = 'results'::regclass
                    """)
            return try connection.run(sizes, within: Limits.queryMilliseconds).first?
                .integer(0) ?? 0
        }
    }

    func damagedFiles() -> [String] { [] }

    func verify() async throws(StoreError) -> VerificationReport {
        try await keeper.verify(catalog)
    }

    func startMaintenance(onReport: @escaping @Sendable (MaintenanceReport) -> Void) {
        keeper.start(onReport: onReport)
    }

    func compact() async throws(StoreError) -> MaintenanceReport {
        try await keeper.work(waitsForOthers: true)
    }

    // MARK: Pages

    func locations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> [ResultLocation] {
        try await locations(of: query, after: cursor, limit: limit, PageLimits())
    }

    func countedLocations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> (locations: [ResultLocation], total: ResultTotal) {
        let locations = try await locations(of: query, after: cursor, limit: limit)
        if cursor == nil, locations.count < limit {
            return (locations, ResultTotal(count: locations.count, isExact: true))
        }
        return (locations, try await total(of: query, PageLimits()))
    }

    func locations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int, _ limits: PageLimits
    ) async throws(StoreError) -> [ResultLocation] {
        let (catalog, columns) = (catalog, columns)
        return try await pool.ask { (connection) throws(DatabaseError) in
            let page = PageQuery(
                query: query, catalog: catalog, columns: columns, cursor: cursor, limit: limit,
                context: try Self.context(of: query, connection), limits: limits)
            var kind: FieldCatalog.Kind?
            if case .result(let name) = query.key { kind = catalog.kind(of: name) }
            return try page.rows(connection).map { Self.location($0, kind) }
        }
    }

    private static func context(
        of query: ResultQuery, _ connection: Connection
    ) throws(DatabaseError) -> PageContext {
        let inbox = PageContext.inbox(query)
        let replies = try connection.run(
            [KnownFacet.statement, Head.newest] + (inbox.map { [KnownInbox.statement($0)] } ?? []),
            within: Limits.queryMilliseconds)
        return PageContext(
            facets: replies[0].rows.map { KnownFacet($0) }, newest: replies[1].first?.int(0) ?? 0,
            inbox: inbox.map { KnownInbox($0, replies[2]) })
    }

    static func location(_ row: Reply.Row, _ kind: FieldCatalog.Kind?) -> ResultLocation {
        var value: FieldValue?
        switch kind {
        case .number: value = row.number(4).map { .number($0) }
        case .text: value = row.text(4).map { .text($0) }
        case .flag: value = row.integer(4).map { .flag($0 != 0) }
        case nil: break
        }
        return ResultLocation(
            place: row.integer(0) ?? 0, sequence: row.int(1), size: row.int(2), value: value,
            isDecodedAgain: row.integer(3) != nil)
    }

    func location(of id: RecordID) async throws(StoreError) -> ResultLocation? {
        var sql = ConditionSQL(columns)
        let condition = sql.id(id)
        let parameters = sql.parameters
        return try await pool.ask { (connection) throws(DatabaseError) in
            let statement = Statement(
                sql: "SELECT \(PageQuery.rowColumns) FROM results WHERE \(condition)",
                parameters: parameters, isKept: true)
            return try connection.run(statement, within: Limits.queryMilliseconds).first
                .map { Self.location($0, nil) }
        }
    }

    func isDecodedAgain(_ location: ResultLocation) -> Bool { location.isDecodedAgain }

    func lines(
        at locations: [ResultLocation]
    ) async throws(StoreError) -> (lines: [StoredLine], damage: [StoreError]) {
        try await lines(at: locations, pool)
    }

    func lines(
        at locations: [ResultLocation], _ pool: QueryPool
    ) async throws(StoreError) -> (lines: [StoredLine], damage: [StoreError]) {
        if locations.isEmpty { return ([], []) }
        let (places, catalog) = (locations.map(\.place), catalog)
        let found = try await pool.ask { (connection) throws(DatabaseError) in
            let statement = Statement(
                sql: """
                    SELECT \(LineRow.columns) FROM results
                        JOIN facets ON facets.id = results.facet WHERE place = ANY ($1)
                    """, parameters: [.integers(places.map { Int64?($0) })], isKept: true)
            var found: [Int64: Result<StoredLine, StoreError>] = [:]
            let reply = try connection.run(statement, within: Limits.queryMilliseconds)
            for row in reply.rows {
                found[row.integer(0) ?? 0] = LineRow.readableLine(row, catalog)
            }
            return found
        }
        var (lines, damage): ([StoredLine], [StoreError]) = ([], [])
        for place in places {
            switch found[place] {
            case .success(let line)?: lines.append(line)
            case .failure(let error)?: damage.append(error)
            case nil: break
            }
        }
        return (lines, damage)
    }

    /// The number of records that match a query; a lower bound if counting takes too long.
    func total(
        of query: ResultQuery, _ limits: PageLimits
    ) async throws(StoreError) -> ResultTotal {
        let (catalog, columns) = (catalog, columns)
        var condition = query.condition
        if case .result(let name) = query.key {
            condition = .all([condition, .has(.result(name))])
        }
        let counted = ResultQuery(condition)
        return try await pool.ask { (connection) throws(DatabaseError) in
            let context = try Self.context(of: counted, connection)
            let groups = FacetGroup.groups(
                context.facets, Matcher(counted.condition, catalog: catalog))
            if let count = context.total(groups) { return ResultTotal(count: count, isExact: true) }
            let page = PageQuery(
                query: counted, catalog: catalog, columns: columns, cursor: nil,
                limit: limits.countedResults + 1, context: context, limits: limits)
            switch page.plan() {
            case nil: return ResultTotal(count: 0, isExact: true)
            case .statement(let rows):
                return try Self.count(rows, upTo: limits.countedResults, connection)
            case .walk(let walk): return try walk.total(connection)
            }
        }
    }

    /// Counts rows up to the limit, for a limited time.
    private static func count(
        _ rows: Statement, upTo most: Int, _ connection: Connection
    ) throws(DatabaseError) -> ResultTotal {
        do throws(DatabaseError) {
            let replies = try connection.run(
                [
                    Statement(
                        sql: "SELECT set_config('statement_timeout', $1, true)",
                        parameters: [.text("\(Limits.countingMilliseconds)")], isKept: true),
                    Statement(
                        sql: "SELECT count(*) FROM (\(rows.sql)) AS counted",
                        parameters: rows.parameters),
                ], within: Limits.queryMilliseconds)
            let count = replies.last?.first?.int(0) ?? 0
            return ResultTotal(count: min(count, most), isExact: count <= most)
        } catch {
            if error.state == "57014" { return ResultTotal(count: 0, isExact: false) }
            throw error
        }
    }

    // MARK: Lists

    func inboxes(
        of kinds: [RecordKind], after name: String?, limit: Int
    ) async throws(StoreError) -> [InboxSummary] {
        try await pool.ask { (connection) throws(DatabaseError) in
            let statement = Statement(
                sql: """
                    SELECT name, sum(count)::bigint, max(last_at) FROM inboxes
                        JOIN inbox_kinds ON inbox_kinds.inbox = inboxes.id
                    WHERE count > 0 AND name > $1 AND kind = ANY ($2)
                    GROUP BY name ORDER BY name LIMIT $3
                    """,
                parameters: [
                    .text(name ?? ""), .integers(kinds.map(\.number)), .integer(limit),
                ], isKept: true)
            return try connection.run(statement, within: Limits.queryMilliseconds).rows.map {
                InboxSummary(
                    name: $0.text(0) ?? "", count: $0.int(1),
                    lastReceivedAt: Timestamp(unixMilliseconds: $0.integer(2) ?? 0))
            }
        }
    }

    func flows(before name: String?, limit: Int) async throws(StoreError) -> [String] {
        try await pool.ask { (connection) throws(DatabaseError) in
            let start = "left(flow, \(Limits.indexedCharacters))"
            let bound = "left($1, \(Limits.indexedCharacters))"
            let statement = Statement(
                sql: """
                    SELECT DISTINCT ON (\(start), flow) flow FROM results
                    WHERE flow IS NOT NULL AND (\(start), flow) < (\(bound), $1)
                    ORDER BY \(start) DESC, flow DESC LIMIT $2
                    """, parameters: [.text(name ?? "\u{10FFFF}"), .integer(limit)])
            return try connection.run(statement, within: Limits.queryMilliseconds).rows
                .compactMap { $0.text(0) }
        }
    }

    func counts() async throws(StoreError) -> [ResultCount] {
        try await pool.ask { (connection) throws(DatabaseError) in
            try connection.run(KnownFacet.statement, within: Limits.queryMilliseconds).rows
                .map { KnownFacet($0).values }.sorted { $0.precedes($1) }
        }
    }
}
