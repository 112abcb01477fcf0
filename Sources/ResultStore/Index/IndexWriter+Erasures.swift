// Removes records from the index, and records which of their lines are still on the disk.

import Clocks
import GRDB

extension IndexWriter {
    /// The rows that an erasure covers, as SQL over `results` with its values.
    static func rows(
        _ erasure: Erasure, _ database: Database
    ) throws -> (sql: String, arguments: StatementArguments)? {
        let before = erasure.sequence
        switch erasure.scope {
        case .record(let id):
            let moment = Timestamp(unixMilliseconds: id.milliseconds)
            return (
                "place >= ? AND place < ? AND id_high = ? AND id_low = ? AND seq < ?",
                [
                    Place.start(moment), Place.end(moment), Int64(bitPattern: id.high),
                    Int64(bitPattern: id.low), before,
                ]
            )
        case .inbox(let name, let through):
            guard !name.isEmpty,
                let id = try Int64.fetchOne(
                    database, sql: "SELECT id FROM inboxes WHERE name = ?", arguments: [name])
            else { return nil }
            let (rows, bound) = Self.rows(upTo: through)
            var arguments: StatementArguments = [id]
            arguments += bound
            arguments += [before]
            return ("inbox = ? AND \(rows) AND seq < ?", arguments)
        case .unmatched(let name, let through):
            return try Self.rows(
                erasure, of: name, through, "verdict = '\(Erasure.unmatchedVerdict)'", database)
        case .deliveries(let name, let through):
            return try Self.rows(
                erasure, of: name, through, "kind = \(RecordKind.delivery.number)", database)
        case .strays(let through):
            var (rows, arguments) = Self.rows(upTo: through)
            arguments += [before]
            return ("facet IN (\(ResultIndex.strayFacets)) AND \(rows) AND seq < ?", arguments)
        case .receivedBefore(let moment):
            return ("place < ? AND seq < ?", [Place.start(moment), before])
        }
    }

    /// The rows of an inbox whose facets match a condition.
    private static func rows(
        _ erasure: Erasure, of inbox: String, _ through: Erasure.Bound, _ facets: String,
        _ database: Database
    ) throws -> (sql: String, arguments: StatementArguments)? {
        let whole = Erasure(
            scope: .inbox(inbox, through: through), sequence: erasure.sequence,
            erasedAt: erasure.erasedAt)
        guard let (condition, arguments) = try rows(whole, database) else { return nil }
        return ("\(condition) AND facet IN (SELECT id FROM facets WHERE \(facets))", arguments)
    }

    private static func rows(
        upTo bound: Erasure.Bound
    ) -> (sql: String, arguments: StatementArguments) {
        guard let moment = bound.receivedAt else { return ("seq <= ?", [bound.sequence]) }
        return (
            "place < ? AND (place < ? OR seq <= ?)",
            [Place.end(moment), Place.start(moment), bound.sequence]
        )
    }

    /// The places of the first rows that an erasure covers, at most `Limits.erasedRows`, in order.
    ///
    /// - Parameter place: of the row after which they are sought; nil for all rows.
    private static func places(
        of erasure: Erasure, after place: Int64? = nil, _ database: Database
    ) throws -> [Int64] {
        guard var (condition, arguments) = try rows(erasure, database) else { return [] }
        if let place {
            condition += " AND place > ?"
            arguments += [place]
        }
        return try Int64.fetchAll(
            database,
            sql: """
                SELECT place FROM results WHERE \(condition)
                ORDER BY place LIMIT \(Limits.erasedRows)
                """, arguments: arguments)
    }

    /// Removes the rows that an erasure covers.
    ///
    /// O(erased records · log(records)), and O(records of the inbox) if others of it are kept.
    mutating func erase(_ erasure: Erasure, _ database: Database) throws {
        guard let (condition, arguments) = try Self.rows(erasure, database) else { return }
        for statement in [
            "INSERT OR IGNORE INTO erased SELECT segment, offset, size, seq FROM superseded WHERE ",
            "DELETE FROM superseded WHERE ",
        ] {
            try database.execute(sql: statement + condition, arguments: arguments)
        }
        var places: [Int64]
        repeat {
            places = try Self.places(of: erasure, database)
            try remove(places, keeping: Self.keepingErased, database)
        } while places.count == Limits.erasedRows
    }

    /// Records where the lines of erased rows are.
    private static let keepingErased =
        "INSERT OR IGNORE INTO erased SELECT segment, offset, size, seq FROM results WHERE"

    /// Removes the first `Limits.erasedRows` rows that an erasure covers; returns the place of the
    /// last of them, or removes none and returns nil if it covers fewer.
    ///
    /// - Parameter place: what the call before returned.
    mutating func eraseFirst(
        of erasure: Erasure, after place: Int64?, _ database: Database
    ) throws -> Int64? {
        let places = try Self.places(of: erasure, after: place, database)
        guard places.count == Limits.erasedRows else { return nil }
        try remove(places, keeping: Self.keepingErased, database)
        return places.last
    }

    /// Records where an erasure's own line contains the name of an inbox.
    mutating func noteName(
        in erasure: Erasure, _ segment: SegmentName, _ end: Int64, _ database: Database
    ) throws {
        guard let name = erasure.inbox else { return }
        let inbox = try Int64.fetchOne(
            database, sql: "SELECT id FROM inboxes WHERE name = ?", arguments: [name])
        let size = erasure.lineSize
        try database.execute(
            sql: "INSERT OR IGNORE INTO erasures VALUES (?, ?, ?, ?, ?)",
            arguments: [
                segmentID(segment, database), end - 1 - Int64(size), size, erasure.sequence,
                inbox ?? 0,
            ])
    }

    /// Removes a record's row because a later line has the same id.
    ///
    /// - Returns: its place, which the new line takes, so that a list that is read page by page has
    ///   the record once; nil if there is no such row.
    mutating func supersede(
        _ id: RecordID, before sequence: Int, _ database: Database
    ) throws -> Int64? {
        let erasure = Erasure(scope: .record(id), sequence: sequence, erasedAt: .now)
        let places = try Self.places(of: erasure, database)
        try remove(
            places,
            keeping: """
                INSERT INTO superseded
                SELECT place, seq, id_high, id_low, inbox, facet, segment, offset, size
                FROM results WHERE
                """, database)
        return places.last
    }

    /// Removes rows, their words and their share of the counts.
    ///
    /// By their places: with a condition of several bounds, SQLite would read each row that one of
    /// them allows, in every statement.
    ///
    /// - Parameter keeping: a statement that records where their lines are.
    private mutating func remove(
        _ places: [Int64], keeping: String, _ database: Database
    ) throws {
        if places.isEmpty { return }
        try flushCounts(database)
        let condition = "place IN (\(places.map { "\($0)" }.joined(separator: ",")))"
        let inboxes = try Int64.fetchAll(
            database, sql: "SELECT DISTINCT inbox FROM results WHERE \(condition)")
        for statement in [
            "\(keeping) \(condition)",
            """
            INSERT INTO search (search, rowid, words)
            SELECT 'delete', place, words FROM results WHERE words IS NOT NULL AND \(condition)
            """,
            """
            WITH changed AS
                (SELECT facet, count(*) AS number FROM results WHERE \(condition) GROUP BY facet)
            UPDATE facets SET count = count - changed.number FROM changed
            WHERE facets.id = changed.facet
            """,
            """
            WITH changed AS
                (SELECT inbox, count(*) AS number FROM results WHERE \(condition) GROUP BY inbox)
            UPDATE inboxes SET count = count - changed.number FROM changed
            WHERE inboxes.id = changed.inbox
            """,
            """
            WITH changed AS
                (SELECT inbox, facets.kind AS kind, count(*) AS number
                FROM results JOIN facets ON facets.id = results.facet
                WHERE \(condition) GROUP BY 1, 2)
            UPDATE inbox_kinds SET count = count - changed.number FROM changed
            WHERE inbox_kinds.inbox = changed.inbox AND inbox_kinds.kind = changed.kind
            """,
            "DELETE FROM results WHERE \(condition)",
        ] {
            try database.execute(sql: statement)
        }
        for inbox in inboxes { try Self.updateLastPlaces(of: inbox, database) }
    }

    /// Updates the places of an inbox's newest rows after rows were removed.
    ///
    /// Only for a kind whose newest row is gone. Usually the one before it is near; if the store
    /// has few rows of the kind, all of them are read instead.
    private static func updateLastPlaces(of inbox: Int64, _ database: Database) throws {
        let kinds = try GRDB.Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT kind, 16 * (SELECT sum(count) FROM facets
                        WHERE facets.kind = inbox_kinds.kind)
                        < (SELECT count FROM inboxes WHERE id = inbox_kinds.inbox)
                    FROM inbox_kinds WHERE inbox = ? AND last_place > 0
                        AND NOT EXISTS (SELECT 1 FROM results WHERE place = last_place)
                    """), arguments: [inbox])
        for row in kinds {
            let kind: Int = try row.decode(atIndex: 0)
            let isRare: Bool = try row.decode(atIndex: 1)
            try database.cachedStatement(
                sql: """
                    UPDATE inbox_kinds SET last_place = CASE count WHEN 0 THEN 0 ELSE coalesce(
                        (SELECT max(place) FROM results
                            INDEXED BY results_by_\(isRare ? "facet" : "inbox")
                            WHERE inbox = ? AND place < last_place
                            AND facet IN (SELECT id FROM facets WHERE kind = ?)), 0) END
                    WHERE inbox = ? AND kind = ?
                    """
            ).execute(arguments: [inbox, kind, inbox, kind])
        }
        try database.execute(
            sql: """
                UPDATE inboxes SET last_place = coalesce(
                    (SELECT max(last_place) FROM inbox_kinds WHERE inbox = inboxes.id), 0)
                WHERE id = ?
                """, arguments: [inbox])
    }
}
