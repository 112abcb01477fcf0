// The index's tables.
//
// `place` is the row id, so every index ends with it (see `Place`). Values that many records share
// are stored as numbers of a facet, an inbox or an origin, which keeps indexes small and inserts
// cheap. Words are stored once, in `results`; `search` refers to them.

import CSQLite
import Clocks
import Foundation
import GRDB

/// The layout of `index.sqlite`.
enum IndexSchema {
    /// Increased with every change of the layout; an index of another version is rebuilt.
    private static let version = 8

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
                trace TEXT,
                answered INTEGER,
                parameters TEXT,
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
            CREATE INDEX results_by_trace ON results (trace) WHERE trace IS NOT NULL;
            CREATE INDEX results_by_idempotency ON results (idempotency)
                WHERE idempotency IS NOT NULL;
            \(columns.indexed.sorted().map { """
                CREATE INDEX results_by_\($0) ON results (\($0)) WHERE \($0) IS NOT NULL;
                """ }.joined(separator: "\n"))
            CREATE VIRTUAL TABLE search USING fts5 (
                words, content = 'results', content_rowid = 'place', columnsize = 0,
                tokenize = 'unicode61 remove_diacritics 0'
            );
            -- Continues a merge that has begun, however few lists were added since.
            INSERT INTO search (search, rank) VALUES ('usermerge', 2);
            \(namesSQL)
            CREATE TABLE state (sequence INTEGER NOT NULL, catalog TEXT NOT NULL);
            INSERT INTO state VALUES (0, '\(fingerprint)');
            PRAGMA user_version = \(version);
            """
    }

    /// Facets, inboxes and origins, positions in segments, and the erased parts of files.
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
        -- The same for each kind of record.
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
        -- Lines that a later line of the same id supersedes.
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
        -- Erased lines that are still on the disk.
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
        -- Segments with damaged lines.
        CREATE TABLE damaged (segment INTEGER PRIMARY KEY);
        """

    /// Opens a database; creates the tables if it is empty.
    ///
    /// Throws if the file isn't an index, or is one of another version or catalog.
    static func open(
        _ path: String, catalog: FieldCatalog, columns: IndexColumns
    ) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.maximumReaderCount = Limits.indexReaders
        configuration.prepareDatabase { database in
            // The index is derived data: after a machine crash it may lag, and catches up.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // Erased data must not stay in free pages.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // Nor in the free space of used pages.
            try clearFreeSpace(database)
            try database.execute(sql: "PRAGMA max_page_count = \(Limits.indexPages)")
            // In KiB: enough for the upper pages of all indexes and the pages that are being
            // filled.
            try database.execute(sql: "PRAGMA cache_size = -\(Limits.indexCacheKibibytes)")
        }
        countNoMemory
        // Made as the store's other files are, for the owner of the folder.
        if !FileManager.default.fileExists(atPath: path) { _ = try File(appendingTo: path) }
        return try waitingForLock(at: path) {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.write { try prepare($0, catalog, columns) }
            return pool
        }
    }

    /// Creates the tables of an empty database; throws if another one isn't an index.
    private static func prepare(
        _ database: Database, _ catalog: FieldCatalog, _ columns: IndexColumns
    ) throws {
        // SQLite names the new mode before it writes it, so GRDB misses a failure. Without a
        // write-ahead log, queries and the writer would lock each other out.
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal" else {
            throw DatabaseError(message: "it has no write-ahead log")
        }
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if try found == 0 && !database.tableExists("results") {
            try database.execute(sql: sql(columns, catalog.fingerprint))
        } else if let fault = try fault(of: database, catalog) {
            throw DatabaseError(message: fault)
        }
    }

    /// Begins a transaction, or opens the database, as soon as no other connection's lock prevents
    /// it.
    ///
    /// A reader takes the writer's lock for a moment when it meets a header of the log that is half
    /// written, and so do programs that open or close the index. SQLite's own waiting would also
    /// hold up the writer each time that its log can't be emptied because a query uses it.
    ///
    /// Throws `file` if the lock is held for `Limits.indexLockMilliseconds`.
    ///
    /// - Parameter body: called again if SQLite is busy, which happens only before it has changed
    ///   anything.
    static func waitingForLock<Value>(
        at path: String, _ body: () throws -> Value
    ) throws -> Value {
        let deadline = Clock.monotonicMilliseconds + Limits.indexLockMilliseconds
        while true {
            do {
                return try body()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                guard Clock.monotonicMilliseconds < deadline else {
                    throw StoreError.file(path: path, operation: "lock", reason: "\(error)")
                }
            }
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    /// Done once, before the first connection.
    private static let countNoMemory: Void = csqlite_count_no_memory()

    /// Makes SQLite overwrite free space within pages with zeros.
    private static func clearFreeSpace(_ database: Database) throws {
        // SAFETY: the connection is open during the call, and the callee doesn't keep it.
        let result = unsafe csqlite_clear_free_space(database.sqliteConnection)
        if result != 0 { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    }

    /// Throws if the file was removed or replaced: readers that are opened later would miss it.
    ///
    /// O(1): one stat(2).
    static func checkName(of database: Database) throws {
        // SAFETY: the connection is open during the call, and the callee doesn't keep it.
        let hasMoved = unsafe csqlite_has_moved(database.sqliteConnection)
        guard hasMoved == 0 else {
            throw DatabaseError(
                resultCode: .SQLITE_READONLY_DBMOVED, message: "it was removed or replaced")
        }
    }

    /// Why a database isn't an index of this version and catalog; nil if it is.
    static func fault(of database: Database, _ catalog: FieldCatalog) throws -> String? {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if found != version { return "version \(found) instead of \(version)" }
        let known = try String.fetchOne(database, sql: "SELECT catalog FROM state")
        return known == catalog.fingerprint ? nil : "the declared fields have changed"
    }
}

extension FieldCatalog {
    /// A text that differs between catalogs that lead to different index contents.
    fileprivate var fingerprint: String {
        let parts =
            fields.map { "\($0.vendor) \($0.name) \($0.paths) \($0.kind) \($0.isIndexed)" }
            + words.map { "\($0.vendor) \($0.path)" }
        let sum = Checksum.crc32(Array(parts.joined(separator: "\n").utf8)[...])
        return "\(parts.count)-\(sum)"
    }
}
