// What the index answers. Each call waits until it sees all that was submitted before.

import Clocks
import GRDB

extension ResultIndex {
    /// Where a record's line stands.
    struct Location: Sendable {
        let sequence: Int
        let receivedAt: Timestamp
        let segment: SegmentName
        let offset: Int64
        let size: Int

        init?(_ row: Row) {
            guard let segment = SegmentName(fileName: row["name"]) else { return nil }
            self.segment = segment
            sequence = row["seq"]
            receivedAt = Timestamp(unixMilliseconds: row["received_at"])
            offset = row["offset"]
            size = row["size"]
        }
    }

    private static let locationSQL = """
        SELECT seq, received_at, name, offset, size
        FROM results JOIN segments ON segments.id = results.segment
        """

    /// Up to `limit` records behind `cursor`, newest first.
    ///
    /// O(limit · log(records)) where an index serves the filter.
    nonisolated func locations(
        matching filter: ResultFilter, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> [Location] {
        var (conditions, values) = filter.conditions
        if let cursor {
            conditions.append("(received_at, seq) < (?, ?)")
            values.append(.integer(cursor.receivedAt.unixMilliseconds))
            values.append(.integer(Int64(cursor.sequence)))
        }
        let clause = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = "\(Self.locationSQL) \(clause) ORDER BY received_at DESC, seq DESC LIMIT \(limit)"
        let arguments = StatementArguments(values.map(Self.databaseValue))
        return try await read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: sql), arguments: arguments
            ).compactMap { Location($0) }
        }
    }

    /// Where a record stands; nil when there is none of that id.
    ///
    /// O(log(records)).
    nonisolated func location(of id: RecordID) async throws(StoreError) -> Location? {
        let arguments: StatementArguments = [
            Int64(bitPattern: id.high), Int64(bitPattern: id.low),
        ]
        return try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "\(Self.locationSQL) WHERE id_high = ? AND id_low = ?"),
                arguments: arguments
            ).flatMap { Location($0) }
        }
    }

    /// All inboxes, by name.
    ///
    /// O(inboxes).
    nonisolated func inboxes() async throws(StoreError) -> [InboxSummary] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM inboxes ORDER BY name").map { row in
                InboxSummary(
                    name: row["name"], count: row["count"],
                    lastReceivedAt: Timestamp(unixMilliseconds: row["last_received_at"]))
            }
        }
    }

    /// The last sequence number, and up to which byte each segment is indexed; for recovery.
    nonisolated func progress() throws(StoreError) -> (sequence: Int, bytes: [String: Int64]) {
        do {
            return try database.read { database in
                let sequence = try Int.fetchOne(database, sql: "SELECT max(seq) FROM results") ?? 0
                let rows = try Row.fetchAll(
                    database, sql: "SELECT name, indexed_bytes FROM segments")
                let pairs = rows.map { ($0["name"] as String, $0["indexed_bytes"] as Int64) }
                return (sequence, Dictionary(pairs, uniquingKeysWith: max))
            }
        } catch {
            throw .index(reason: "\(error)")
        }
    }

    /// The record of the highest number, for recovery; nil when there is none.
    nonisolated func newest() throws(StoreError) -> (id: RecordID, location: Location)? {
        do {
            return try database.read { database in
                try Row.fetchOne(
                    database,
                    sql: """
                        SELECT id_high, id_low, seq, received_at, name, offset, size
                        FROM results JOIN segments ON segments.id = results.segment
                        ORDER BY seq DESC LIMIT 1
                        """
                ).flatMap { row in
                    let id = RecordID(
                        high: UInt64(bitPattern: row["id_high"]),
                        low: UInt64(bitPattern: row["id_low"]))
                    return Location(row).map { (id, $0) }
                }
            }
        } catch {
            throw .index(reason: "\(error)")
        }
    }

    private nonisolated func read<Value: Sendable>(
        _ query: @Sendable @escaping (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await catchUp()
        do {
            return try await database.read(query)
        } catch {
            throw .index(reason: "\(error)")
        }
    }

    private static func databaseValue(_ value: ResultFilter.SQLValue) -> DatabaseValue {
        switch value {
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }
}
