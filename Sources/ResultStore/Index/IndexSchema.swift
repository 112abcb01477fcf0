// The index's tables, and the statements that fill them.
//
// `seq` is the row id, so every index ends with it, and (received_at, seq) orders pages. Counts per
// inbox are kept as they change: counting a million rows would take longer than a page may.

import Clocks
import GRDB

/// The layout of `index.sqlite`.
enum IndexSchema {
    /// Raised with every change of the layout; an index of another version is rebuilt.
    private static let version = 1

    private static let sql = """
        CREATE TABLE results (
            seq INTEGER PRIMARY KEY,
            id_high INTEGER NOT NULL,
            id_low INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            inbox TEXT NOT NULL,
            vendor TEXT NOT NULL,
            contract TEXT,
            outcome TEXT,
            verdict TEXT NOT NULL,
            flow TEXT,
            segment INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            size INTEGER NOT NULL
        );
        CREATE INDEX results_by_id ON results (id_high, id_low);
        CREATE INDEX results_by_time ON results (received_at);
        CREATE INDEX results_by_inbox ON results (inbox, received_at);
        CREATE INDEX results_by_vendor ON results (vendor, received_at);
        CREATE INDEX results_by_verdict ON results (verdict, received_at);
        CREATE INDEX results_by_outcome ON results (outcome, received_at);
        CREATE TABLE segments (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            indexed_bytes INTEGER NOT NULL
        );
        CREATE TABLE inboxes (
            name TEXT PRIMARY KEY,
            count INTEGER NOT NULL,
            last_received_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """

    /// Opens a database, making the tables in an empty one.
    static func open(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // The index is derived: after a crash of the machine it may lag, and catches up.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { database in
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if found == version { return }
            guard try database.tableExists("results") == false, found == 0 else {
                throw DatabaseError(message: "version \(found) instead of \(version)")
            }
            try database.execute(sql: sql)
        }
        return pool
    }

    /// Inserts rows in order, and moves counts and marks along.
    ///
    /// O(rows · log(table)).
    static func insert(_ entries: [IndexEntry], into database: Database) throws {
        var segments: [SegmentName: Int64] = [:]
        var inboxes: [String: (count: Int, last: Timestamp)] = [:]
        let statement = try database.cachedStatement(
            sql: "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for entry in entries {
            let segment = try segments[entry.segment] ?? segmentID(entry.segment, database)
            segments[entry.segment] = segment
            statement.setUncheckedArguments([
                entry.sequence, Int64(bitPattern: entry.id.high), Int64(bitPattern: entry.id.low),
                entry.receivedAt.unixMilliseconds, entry.inbox, entry.vendor, entry.contract,
                entry.outcome, entry.verdict, entry.flow, segment, entry.offset, entry.size,
            ])
            try statement.execute()
            let known = inboxes[entry.inbox] ?? (0, entry.receivedAt)
            inboxes[entry.inbox] = (known.count + 1, max(known.last, entry.receivedAt))
        }
        for (name, summary) in inboxes {
            try database.cachedStatement(
                sql: """
                    INSERT INTO inboxes VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET
                    count = count + excluded.count,
                    last_received_at = max(last_received_at, excluded.last_received_at)
                    """
            ).execute(arguments: [name, summary.count, summary.last.unixMilliseconds])
        }
        for (name, id) in segments {
            guard let last = entries.last(where: { $0.segment == name }) else { continue }
            try mark(id, last.offset + Int64(last.size) + 1, database)
        }
    }

    /// Says that a segment is indexed up to a byte, where no row says so: behind damaged lines.
    static func mark(_ segment: SegmentName, _ bytes: Int64, _ database: Database) throws {
        try mark(segmentID(segment, database), bytes, database)
    }

    private static func mark(_ segment: Int64, _ bytes: Int64, _ database: Database) throws {
        try database.cachedStatement(sql: "UPDATE segments SET indexed_bytes = ? WHERE id = ?")
            .execute(arguments: [bytes, segment])
    }

    private static func segmentID(_ name: SegmentName, _ database: Database) throws -> Int64 {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM segments WHERE name = ?"),
            arguments: [name.fileName])
        if let known { return known }
        try database.cachedStatement(
            sql: "INSERT INTO segments (name, indexed_bytes) VALUES (?, 0)"
        ).execute(arguments: [name.fileName])
        return database.lastInsertedRowID
    }
}
