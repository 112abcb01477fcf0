// The tables, and how they came to be: numbered migrations, each executed once.
//
// `results` is partitioned by the UTC day of its `place` (see `Place`), so that expired days are
// dropped as a whole. Values that many records share are numbers of a facet, an inbox or an origin,
// as in the index of files. Every writer locks the row of `head` first: numbers are then in the
// order of commits, and counts are never changed by two transactions at once.
//
// Left out: the columns of declared fields (`FieldColumns`), which follow the catalog.

/// One step from a version of the tables to the next.
struct Migration: Sendable {
    /// The version that it leads to.
    let version: Int
    /// What it does, for people.
    let summary: String
    /// The statements, in order.
    let statements: [String]
}

extension Migration {
    /// All migrations, in order.
    static let all = [first]

    /// The version that this program works with.
    static var newest: Int { all.last?.version ?? 0 }

    private static let first = Migration(
        version: 1, summary: "create the tables",
        statements: [
            """
            CREATE TABLE versions (
                version integer PRIMARY KEY,
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """,
            """
            CREATE TABLE head (
                singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
                seq bigint NOT NULL
            ) WITH (fillfactor = 10)
            """,
            "INSERT INTO head (seq) VALUES (0)",
            """
            CREATE TABLE facets (
                id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                key bytea NOT NULL UNIQUE,
                kind smallint NOT NULL,
                vendor text NOT NULL,
                contract text,
                outcome text,
                verdict text NOT NULL,
                method text NOT NULL,
                count bigint NOT NULL DEFAULT 0
            ) WITH (fillfactor = 50)
            """,
            """
            CREATE TABLE inboxes (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name text COLLATE "C" NOT NULL UNIQUE
            )
            """,
            """
            CREATE TABLE inbox_kinds (
                inbox bigint NOT NULL,
                kind smallint NOT NULL,
                count bigint NOT NULL,
                bytes bigint NOT NULL,
                last_at bigint NOT NULL,
                PRIMARY KEY (inbox, kind)
            ) WITH (fillfactor = 50)
            """,
            // An index can't hold a long path, so it holds a hash.
            """
            CREATE TABLE origins (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                key bytea NOT NULL UNIQUE,
                host text COLLATE "C" NOT NULL,
                path text COLLATE "C" NOT NULL
            )
            """,
            """
            ALTER TABLE origins
                ALTER COLUMN host SET STATISTICS 0, ALTER COLUMN path SET STATISTICS 0
            """,
            "ALTER TABLE inboxes ALTER COLUMN name SET STATISTICS 0",
            "CREATE INDEX origins_by_host ON origins USING hash (host)",
            "CREATE INDEX origins_by_path ON origins USING hash (path)",
            """
            CREATE TABLE results (
                place bigint NOT NULL,
                seq bigint NOT NULL,
                id uuid NOT NULL,
                redecoded_at bigint,
                inbox bigint NOT NULL,
                facet integer NOT NULL,
                origin bigint NOT NULL,
                flow text COLLATE "C",
                trace text COLLATE "C",
                answered integer,
                parameters text COLLATE "C",
                idempotency bigint,
                words tsvector,
                tail bytea NOT NULL,
                PRIMARY KEY (place)
            ) PARTITION BY RANGE (place)
            """,
            "CREATE INDEX results_by_seq ON results (seq)",
            "CREATE INDEX results_by_facet ON results (facet, place)",
            "CREATE INDEX results_by_inbox ON results (inbox, place)",
            "CREATE INDEX results_by_origin ON results (origin, place)",
            textIndex("flow"), textIndex("trace"),
            "CREATE INDEX results_by_words ON results USING gin (words)",
            // A key may come again: a delivery that was refused does. So each record names the one
            // with its key that its request was compared with, or claims nothing.
            """
            CREATE TABLE idempotency (
                hash bigint NOT NULL,
                predecessor bigint NOT NULL,
                part integer NOT NULL,
                seq bigint NOT NULL,
                place bigint NOT NULL,
                PRIMARY KEY (hash, predecessor, part)
            )
            """,
            """
            CREATE TABLE erasures (
                seq bigint PRIMARY KEY,
                scope text NOT NULL,
                erased_at bigint NOT NULL,
                token uuid NOT NULL UNIQUE,
                count bigint NOT NULL
            )
            """,
            // The records of flows of the last day, which all instances have to know.
            """
            CREATE TABLE flow_news (
                seq bigint PRIMARY KEY,
                place bigint NOT NULL
            )
            """,
            // Days whose partition still holds erased rows.
            """
            CREATE TABLE unclean (
                day bigint PRIMARY KEY,
                seq bigint NOT NULL
            )
            """,
            """
            CREATE TABLE fields (
                name text COLLATE "C" PRIMARY KEY,
                kind text NOT NULL,
                is_indexed boolean NOT NULL
            )
            """,
            // ATTACH doesn't block writers; CREATE … PARTITION OF does.
            """
            CREATE FUNCTION begin_day(name text, first bigint, next bigint) RETURNS void
            LANGUAGE plpgsql AS $$
            DECLARE columns record;
            BEGIN
                PERFORM pg_advisory_xact_lock(\(lockKey("days")));
                IF to_regclass(quote_ident(name)) IS NULL THEN
                    EXECUTE format('CREATE TABLE %I (LIKE results INCLUDING DEFAULTS)', name);
                    -- Statistics hold values, also those that were erased since.
                    FOR columns IN SELECT attname FROM pg_attribute
                        WHERE attrelid = to_regclass(quote_ident(name)) AND attnum > 0
                            AND (attname LIKE 'f.%' OR attname IN (
                                'flow', 'trace', 'parameters', 'words', 'tail'))
                    LOOP
                        EXECUTE format(
                            'ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0',
                            name, columns.attname);
                    END LOOP;
                    EXECUTE format(
                        'ALTER TABLE results ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                        name, first, next);
                END IF;
            END $$
            """,
        ])

    /// The key of an advisory lock, as SQL; each schema of a database has keys of its own.
    ///
    /// - Parameter work: what only one program at a time does.
    static func lockKey(_ work: String) -> String {
        "hashtextextended('landfall ' || current_setting('search_path') || ' \(work)', 0)"
    }

    /// An index of the beginnings of texts; see `Limits.indexedCharacters`.
    static func textIndex(_ column: String, called name: String? = nil) -> String {
        """
        CREATE INDEX "results_by_\(name ?? column)" ON results
        (left("\(column)", \(Limits.indexedCharacters)), place) WHERE "\(column)" IS NOT NULL
        """
    }
}

/// The state of a database's tables.
enum SchemaState: Sendable, Equatable {
    /// There are none.
    case empty
    /// The tables have this version.
    case version(Int)
}

extension Connection {
    /// The version of the tables.
    func schemaState() throws(DatabaseError) -> SchemaState {
        let found = try run(
            Statement(sql: "SELECT to_regclass('versions')::text"),
            within: Limits.queryMilliseconds)
        guard found.first?.octets(0) != nil else { return .empty }
        let newest = try run(
            Statement(sql: "SELECT coalesce(max(version), 0) FROM versions"),
            within: Limits.queryMilliseconds)
        return .version(newest.first?.int(0) ?? 0)
    }

    /// The migrations that a database lacks.
    ///
    /// Throws `failed` for tables of a newer program.
    func missingMigrations() throws(DatabaseError) -> [Migration] {
        switch try schemaState() {
        case .empty: return Migration.all
        case .version(let version) where version > Migration.newest:
            throw DatabaseError(
                kind: .failed, state: "LF001",
                message: "its tables have version \(version), and this program knows versions up "
                    + "to \(Migration.newest): use the newer program")
        case .version(let version): return Migration.all.filter { $0.version > version }
        }
    }

    /// Executes the migrations that are missing, one program at a time; returns them.
    func migrate(schema: String) throws(DatabaseError) -> [Migration] {
        let lock = Statement(sql: "SELECT pg_advisory_lock(\(Migration.lockKey("migrations")))")
        try run([lock], within: Limits.migrationMilliseconds)
        defer { _ = try? run([Statement(sql: "SELECT pg_advisory_unlock_all()")], within: 1000) }
        let known = try run(
            Statement(
                sql: "SELECT 1 FROM pg_namespace WHERE nspname = $1", parameters: [.text(schema)]),
            within: Limits.queryMilliseconds)
        if known.first == nil {
            try run(
                [Statement(sql: "CREATE SCHEMA \"\(schema)\"")],
                within: Limits.migrationMilliseconds)
        }
        let missing = try missingMigrations()
        for migration in missing {
            let done = Statement(
                sql: "INSERT INTO versions (version) VALUES ($1)",
                parameters: [.integer(migration.version)])
            try run(
                migration.statements.map { Statement(sql: $0) } + [done],
                within: Limits.migrationMilliseconds)
        }
        return missing
    }
}
