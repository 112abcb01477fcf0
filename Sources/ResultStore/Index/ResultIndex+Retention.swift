// What retention reads from the index: how much each inbox holds, and where its oldest results end.

import Clocks
import GRDB

extension ResultIndex {
    /// The facets of requests that no route took, as SQL.
    static let strayFacets = "SELECT id FROM facets WHERE kind = \(RecordKind.stray.number)"

    typealias Holding = RetentionBudget.Holding

    /// The number of results received before a time.
    nonisolated func count(receivedBefore moment: Timestamp) async throws(StoreError) -> Int {
        try await read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM results WHERE place < ?",
                arguments: [Place.start(moment)]) ?? 0
        }
    }

    /// The contents of inboxes with more than `limit` results.
    ///
    /// O(results of these inboxes).
    nonisolated func holdings(ofMoreThan limit: Int) async throws(StoreError) -> [Holding] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT inboxes.name, \(RetentionBudget.Part.sql) AS part,
                        count(*), sum(results.size + 1)
                    FROM results JOIN inboxes ON inboxes.id = results.inbox
                        JOIN facets ON facets.id = results.facet
                    WHERE inboxes.count > ? AND facets.kind != ? GROUP BY inboxes.id, part
                    """, arguments: [limit, RecordKind.stray.number]
            ).map { row in
                Holding(
                    inbox: row[0], part: RetentionBudget.Part(rawValue: row[1]) ?? .matched,
                    count: row[2], bytes: row[3])
            }
        }
    }

    /// Bytes of content of all segments, and of the erased lines in them.
    nonisolated func contentBytes() async throws(StoreError) -> (all: Int64, erased: Int64) {
        try await read { database in
            let sql = "SELECT coalesce(sum(indexed_bytes), 0) FROM segments"
            let erased = "SELECT coalesce(sum(size + 1), 0) FROM erased"
            return (
                try Int64.fetchOne(database, sql: sql) ?? 0,
                try Int64.fetchOne(database, sql: erased) ?? 0
            )
        }
    }

    /// The last of an inbox's oldest results that must go, and how many go.
    ///
    /// - Parameters:
    ///   - part: which of its results to count.
    ///   - amount: results or bytes of content, depending on `isBytes`.
    ///
    /// O(results of the inbox).
    nonisolated func oldest(
        of inbox: String, part: RetentionBudget.Part, amount: Int64, isBytes: Bool
    ) async throws(StoreError) -> (through: Erasure.Bound, count: Int)? {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT place, seq, size FROM results
                    WHERE inbox = (SELECT id FROM inboxes WHERE name = ?) AND facet IN
                        (SELECT id FROM facets
                            WHERE \(RetentionBudget.Part.sql) = ? AND kind != ?)
                    ORDER BY place
                    """, arguments: [inbox, part.rawValue, RecordKind.stray.number])
            return try Self.first(amount, isBytes: isBytes, of: rows)
        }
    }

    /// The number of strays, and the bytes of their content.
    ///
    /// O(strays).
    nonisolated func strays() async throws(StoreError) -> (count: Int, bytes: Int64) {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), coalesce(sum(size + 1), 0) FROM results
                    WHERE facet IN (\(Self.strayFacets))
                    """)
            return (row?[0] ?? 0, row?[1] ?? 0)
        }
    }

    /// The records that an erasure would cover and that have earlier lines on the disk.
    nonisolated func decodedAgain(
        in scope: Erasure.Scope
    ) async throws(StoreError) -> [RecordID] {
        try await read { database in
            let erasure = Erasure(scope: scope, sequence: .max, erasedAt: .now)
            guard let (condition, arguments) = try IndexWriter.rows(erasure, database) else {
                return []
            }
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT id_high, id_low FROM results WHERE \(condition)
                    AND (id_high, id_low) IN (SELECT id_high, id_low FROM superseded)
                    """, arguments: arguments
            ).map { row in
                RecordID(
                    high: UInt64(bitPattern: row[0] as Int64),
                    low: UInt64(bitPattern: row[1] as Int64))
            }
        }
    }

    /// The last of the oldest strays that must go, and how many go.
    ///
    /// - Parameter amount: strays or bytes of content, depending on `isBytes`.
    ///
    /// O(strays · log(strays)).
    nonisolated func oldestStrays(
        amount: Int64, isBytes: Bool
    ) async throws(StoreError) -> (through: Erasure.Bound, count: Int)? {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT place, seq, size FROM results WHERE facet IN (\(Self.strayFacets))
                    ORDER BY place
                    """)
            return try Self.first(amount, isBytes: isBytes, of: rows)
        }
    }

    /// The row at which the requested amount is reached, and how many rows that takes.
    ///
    /// - Parameter rows: place, number and size, in the order of places.
    private static func first(
        _ amount: Int64, isBytes: Bool, of rows: RowCursor
    ) throws -> (through: Erasure.Bound, count: Int)? {
        var (left, count) = (amount, 0)
        var through: Erasure.Bound?
        var row = try rows.next()
        while left > 0, let moment = row.map({ Place.moment($0[0]) }) {
            // Within a millisecond, erasures go by number, and places may not.
            var same: [(sequence: Int, size: Int64)] = []
            while let next = row, Place.moment(next[0]) == moment {
                same.append((sequence: next[1], size: next[2]))
                row = try rows.next()
            }
            for (sequence, size) in same.sorted(by: { $0.sequence < $1.sequence }) where left > 0 {
                through = Erasure.Bound(receivedAt: moment, sequence)
                count += 1
                left -= isBytes ? size + 1 : 1
            }
        }
        return through.map { ($0, count) }
    }
}
