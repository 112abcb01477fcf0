// The index's tables.
//
// `place` is the row id, so every index ends with it (see `Place`). What is common to many records
// is a facet, an inbox or an origin, told by a number; that keeps indexes small and inserting cheap. Words are
// kept once, in `results`, and `search` refers to them.

import CSQLite
import Clocks
import GRDB

/// The layout of `index.sqlite`.
enum IndexSchema {
    /// Raised with every change of the layout; an index of another version is rebuilt.
    private static let version = 5

    private static func sql(_ columns: IndexColumns, _ fingerprint: String) -> String {
        let names = (0..<columns.count).map { "f\($0)" }
        return """
            CREATE TABLE results (
                place INTEGER PRIMARY KEY,
                seq INTEGER NOT NULL,
                id_high INTEGER NOT NULL,
                id_low INTEGER NOT NULL,
                inbox INTEGER NOT NULL,
                facet INTEGER NOT NULL,
                origin INTEGER NOT NULL,
                flow TEXT,
                idempotency INTEGER,
                segment INTEGER NOT NULL,
                offset INTEGER NOT NULL,
                size INTEGER NOT NULL,
                words TEXT\(names.map { ",\n    \($0)" }.joined())
            );
            CREATE UNIQUE INDEX results_by_seq ON results (seq);
            CREATE INDEX results_by_facet ON results (facet);
            CREATE INDEX results_by_inbox ON results (inbox);
            CREATE INDEX results_by_origin ON results (origin);
            CREATE INDEX results_by_flow ON results (flow) WHERE flow IS NOT NULL;
            CREATE INDEX results_by_idempotency ON results (idempotency)
                WHERE idempotency IS NOT NULL;
            \(columns.indexed.sorted().map { """
                CREATE INDEX results_by_\($0) ON results (\($0)) WHERE \($0) IS NOT NULL;
                """ }.joined(separator: "\n"))
            CREATE VIRTUAL TABLE search USING fts5 (
                words, content = 'results', content_rowid = 'place', columnsize = 0,
                tokenize = 'unicode61 remove_diacritics 0'
            );
            -- A merging that has begun goes on, however few lists have come since.
            INSERT INTO search (search, rank) VALUES ('usermerge', 2);
            \(namesSQL)
            CREATE TABLE state (sequence INTEGER NOT NULL, catalog TEXT NOT NULL);
            INSERT INTO state VALUES (0, '\(fingerprint)');
            PRAGMA user_version = \(version);
            """
    }

    /// What records have in common, where they stand, and what of the files is erased.
    private static let namesSQL = """
        CREATE TABLE facets (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            vendor TEXT NOT NULL,
            contract TEXT,
            outcome TEXT,
            verdict TEXT NOT NULL,
            method TEXT NOT NULL,
            count INTEGER NOT NULL
        );
        CREATE TABLE inboxes (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            count INTEGER NOT NULL,
            last_place INTEGER NOT NULL
        );
        -- The same of an inbox's records of each kind.
        CREATE TABLE inbox_kinds (
            inbox INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            count INTEGER NOT NULL,
            last_place INTEGER NOT NULL,
            PRIMARY KEY (inbox, kind)
        ) WITHOUT ROWID;
        CREATE TRIGGER inbox_is_gone AFTER DELETE ON inboxes BEGIN
            DELETE FROM inbox_kinds WHERE inbox = old.id;
        END;
        CREATE TABLE origins (
            id INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            path TEXT NOT NULL,
            UNIQUE (host, path)
        );
        CREATE INDEX origins_by_path ON origins (path);
        CREATE TABLE segments (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            generation INTEGER NOT NULL,
            indexed_bytes INTEGER NOT NULL,
            first_place INTEGER NOT NULL,
            last_place INTEGER NOT NULL
        );
        -- Lines that a later line of the same id has taken the place of.
        CREATE TABLE superseded (
            place INTEGER NOT NULL,
            seq INTEGER PRIMARY KEY,
            id_high INTEGER NOT NULL,
            id_low INTEGER NOT NULL,
            inbox INTEGER NOT NULL,
            facet INTEGER NOT NULL,
            segment INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            size INTEGER NOT NULL
        );
        -- Lines that are erased, and still on the disk.
        CREATE TABLE erased (
            segment INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            size INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (segment, offset)
        ) WITHOUT ROWID;
        -- Erasures that hold an inbox's name.
        CREATE TABLE erasures (
            segment INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            size INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            inbox INTEGER NOT NULL,
            PRIMARY KEY (segment, offset)
        ) WITHOUT ROWID;
        -- Segments in which a line was found that is not intact.
        CREATE TABLE damaged (segment INTEGER PRIMARY KEY);
        """

    /// Opens a database, making the tables in an empty one.
    ///
    /// Throws when it is no index, or one of another version or catalog.
    static func open(
        _ path: String, catalog: FieldCatalog, columns: IndexColumns
    ) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // The index is derived: after a crash of the machine it may lag, and catches up.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // What was erased must not stay in pages that are free.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // Nor in the free space of others.
            try clearFreeSpace(database)
            try database.execute(sql: "PRAGMA max_page_count = \(Limits.indexPages)")
            // KiB: the upper pages of all indexes, and those that are being filled.
            try database.execute(sql: "PRAGMA cache_size = -\(Limits.indexCacheKibibytes)")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { database in
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if try found == 0 && !database.tableExists("results") {
                try database.execute(sql: sql(columns, catalog.fingerprint))
            } else if let fault = try fault(of: database, catalog) {
                throw DatabaseError(message: fault)
            }
        }
        return pool
    }

    /// Has free space within pages written as zeros.
    private static func clearFreeSpace(_ database: Database) throws {
        // SAFETY: the connection is open while this is called, and only lent.
        let result = unsafe csqlite_clear_free_space(database.sqliteConnection)
        if result != 0 { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    }

    /// Why a database is no index of this version and catalog; nil when it is one.
    static func fault(of database: Database, _ catalog: FieldCatalog) throws -> String? {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if found != version { return "version \(found) instead of \(version)" }
        let known = try String.fetchOne(database, sql: "SELECT catalog FROM state")
        return known == catalog.fingerprint ? nil : "the declared fields have changed"
    }
}

extension FieldCatalog {
    /// A text that differs between catalogs that fill an index differently.
    fileprivate var fingerprint: String {
        let parts =
            fields.map { "\($0.vendor) \($0.name) \($0.paths) \($0.kind) \($0.isIndexed)" }
            + words.map { "\($0.vendor) \($0.path)" }
        let sum = Checksum.crc32(Array(parts.joined(separator: "\n").utf8)[...])
        return "\(parts.count)-\(sum)"
    }
}
