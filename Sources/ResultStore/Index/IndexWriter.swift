// Applies changes to the index's tables, in the order of the journal.
//
// Left out: transactions, which the caller runs. After one that failed, a new writer is needed,
// because this one remembers numbers that were never stored.

import Clocks
import GRDB

/// Applies changes, and caches the numbers of inboxes, facets, origins and segments.
struct IndexWriter {
    private let columns: IndexColumns
    /// The sets of fields, by their indices in the catalog, whose INSERT statements are cached.
    ///
    /// Binding all columns would cost as much as SQLite's own work.
    private var insertions: Set<[Int]> = []
    private var inboxes: [ExactText: Int64] = [:]
    private var facets: [Facet: Int64] = [:]
    private var origins: [Origin: Int64] = [:]
    private var segments: [SegmentName: Int64] = [:]
    /// Of the last record: most have the same as the one before, and comparing costs less than
    /// hashing.
    private var lastFacet: (facet: Facet, id: Int64)?
    private var lastOrigin: (origin: Origin, id: Int64)?

    /// A record that has no row yet, and the numbers of what it refers to.
    private struct Row {
        let entry: IndexEntry
        /// Its place, if no other row has it.
        let place: Int64
        let segment: Int64
        let inbox: Int64
        let facet: Int64
        let origin: Int64
    }

    /// The statements of one transaction, and the records that wait for them: most records have the
    /// same fields as the one before, and are inserted together with it.
    private struct Statements {
        var fields: [Int] = []
        /// For one row, which may exist already.
        var single: RowInsertion?
        /// For `Limits.insertedRows` rows.
        var group: RowInsertion?
        /// All of them have `fields`.
        var rows: [Row] = []
        /// For one row of the list of words.
        ///
        /// With several rows a statement would be a transaction of its own, at whose end FTS5 writes
        /// its lists.
        var search: RowInsertion?

        init() {
            rows.reserveCapacity(Limits.insertedRows)
        }

        /// Adds a row to the list of words.
        mutating func search(_ words: String, at place: Int64, _ database: Database) throws {
            var row =
                try search
                ?? RowInsertion(
                    database.cachedStatement(sql: "INSERT INTO search (rowid, words) VALUES (?, ?)")
                )
            row.bind(place)
            row.bind(words)
            guard try row.execute(in: database) else {
                throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
            }
            search = row
        }
    }

    /// A text that equals only texts of the same bytes.
    ///
    /// As `String`, different texts are equal if they are canonically equivalent.
    private struct ExactText: Hashable {
        let text: String

        static func == (left: Self, right: Self) -> Bool {
            left.text.isSame(as: right.text)
        }
    }

    private struct Origin: Hashable {
        let host: ExactText
        let path: ExactText
    }

    /// The records of one kind in an inbox.
    private struct InboxKind: Hashable {
        let inbox: Int64
        let kind: RecordKind
    }

    /// Changes of counts that are not yet in the tables.
    private var facetCounts: [Int64: Int] = [:]
    private var inboxCounts: [InboxKind: (count: Int, lastPlace: Int64)] = [:]
    private var ranges: [Int64: (first: Int64, last: Int64)] = [:]

    init(_ columns: IndexColumns) {
        self.columns = columns
    }

    /// Applies changes in order; updates counts and marks.
    ///
    /// O(changes · log(records)), and O(erased records).
    mutating func apply(_ changes: ArraySlice<IndexChange>, to database: Database) throws {
        var marks: [SegmentName: Int64] = [:]
        var statements = Statements()
        for change in changes {
            switch change {
            case .record(let entry): try insert(entry, by: &statements, database)
            case .erasure(let erasure, let segment, let end):
                try flush(&statements, database)
                try erase(erasure, database)
                try noteName(in: erasure, segment, end, database)
            }
            marks[change.segment] = change.end
        }
        try flush(&statements, database)
        try flushCounts(database)
        for (segment, end) in marks { try mark(segment, end, database) }
        if let last = changes.last {
            try database.cachedStatement(sql: "UPDATE state SET sequence = max(sequence, ?)")
                .execute(arguments: [last.sequence])
        }
    }

    /// Records that a segment is indexed up to an offset of its content.
    mutating func mark(_ segment: SegmentName, _ bytes: Int64, _ database: Database) throws {
        let id = try segmentID(segment, database)
        try database.cachedStatement(sql: "UPDATE segments SET indexed_bytes = ? WHERE id = ?")
            .execute(arguments: [bytes, id])
    }

    /// Records that a segment contains a damaged line.
    mutating func noteDamage(in segment: SegmentName, _ database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO damaged VALUES (?)",
            arguments: [segmentID(segment, database)])
    }

    // MARK: Records

    /// Inserts a record, at once or together with the next ones.
    private mutating func insert(
        _ entry: IndexEntry, by statements: inout Statements, _ database: Database
    ) throws {
        let facts = entry.facts
        let fields = fields(of: facts)
        if entry.supersedes || fields != statements.fields {
            try flush(&statements, database)
            if fields != statements.fields {
                (statements.fields, statements.single, statements.group) = (fields, nil, nil)
            }
        }
        var place: Int64?
        if entry.supersedes { place = try supersede(facts.id, before: facts.sequence, database) }
        statements.rows.append(
            Row(
                entry: entry, place: place ?? entry.place,
                segment: try segmentID(entry.segment, database),
                inbox: try inboxID(facts.inbox, database), facet: try facetID(facts, database),
                origin: try originID(facts, database)))
        if statements.rows.count == Limits.insertedRows { try insertGroup(&statements, database) }
    }

    /// Inserts the records that wait.
    private mutating func flush(_ statements: inout Statements, _ database: Database) throws {
        for row in statements.rows { try insert(row, by: &statements, database) }
        statements.rows.removeAll(keepingCapacity: true)
    }

    /// Inserts `Limits.insertedRows` records of the same fields.
    private mutating func insertGroup(
        _ statements: inout Statements, _ database: Database
    ) throws {
        var group =
            try statements.group
            ?? RowInsertion(
                statement(of: statements.fields, rows: Limits.insertedRows, "FAIL", database))
        for row in statements.rows {
            Self.bind(row, at: row.place, statements.fields, to: &group)
        }
        let isComplete = try group.execute(in: database)
        statements.group = group
        // The rows before the first one that exists already are inserted.
        let count = isComplete ? statements.rows.count : database.changesCount
        for row in statements.rows.prefix(count) {
            try note(row, at: row.place, &statements, database)
        }
        for row in statements.rows.dropFirst(count) {
            try insert(row, by: &statements, database)
        }
        statements.rows.removeAll(keepingCapacity: true)
    }

    /// Inserts one record, unless it exists already.
    private mutating func insert(
        _ row: Row, by statements: inout Statements, _ database: Database
    ) throws {
        var single =
            try statements.single
            ?? RowInsertion(statement(of: statements.fields, rows: 1, "IGNORE", database))
        defer { statements.single = single }
        var place = row.place
        while true {
            Self.bind(row, at: place, statements.fields, to: &single)
            guard try single.execute(in: database) else {
                throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
            }
            if database.changesCount > 0 { break }
            if try Self.isKnown(row, database) { return }
            // Another record of the same millisecond has a number with the same low bits.
            place += 1
        }
        try note(row, at: place, &statements, database)
    }

    private static func bind(
        _ row: Row, at place: Int64, _ fields: [Int], to insertion: inout RowInsertion
    ) {
        let (entry, facts) = (row.entry, row.entry.facts)
        insertion.bind(place)
        insertion.bind(Int64(facts.sequence))
        insertion.bind(Int64(bitPattern: facts.id.high))
        insertion.bind(Int64(bitPattern: facts.id.low))
        insertion.bind(row.inbox)
        insertion.bind(row.facet)
        insertion.bind(row.origin)
        insertion.bind(facts.flow)
        insertion.bind(facts.trace)
        insertion.bind(facts.answered.map { Int64($0) })
        insertion.bind(PathParameters.text(of: facts.parameters))
        insertion.bind(entry.idempotency)
        insertion.bind(row.segment)
        insertion.bind(entry.offset)
        insertion.bind(Int64(entry.size))
        insertion.bind(facts.words.isEmpty ? nil : facts.words)
        for value in facts.fields.entries where fields.contains(value.index) {
            insertion.bind(value.value)
        }
    }

    /// Counts a record that has been inserted, and adds its words.
    private mutating func note(
        _ row: Row, at place: Int64, _ statements: inout Statements, _ database: Database
    ) throws {
        let facts = row.entry.facts
        if !facts.words.isEmpty { try statements.search(facts.words, at: place, database) }
        facetCounts[row.facet, default: 0] += 1
        let inboxKind = InboxKind(inbox: row.inbox, kind: facts.kind)
        let known = inboxCounts[inboxKind] ?? (0, place)
        inboxCounts[inboxKind] = (known.count + 1, max(known.lastPlace, place))
        let range = ranges[row.segment] ?? (place, place)
        ranges[row.segment] = (min(range.first, place), max(range.last, place))
    }

    /// Indices in the catalog of the fields that a record has, with one column each.
    private func fields(of facts: RecordFacts) -> [Int] {
        var used: [Int] = []
        used.reserveCapacity(facts.fields.entries.count)
        for entry in facts.fields.entries
        where columns.vendorOfField[entry.index] == facts.vendor {
            let column = columns.columnOfField[entry.index]
            if !used.contains(where: { columns.columnOfField[$0] == column }) {
                used.append(entry.index)
            }
        }
        return used
    }

    /// The statement that inserts rows with these fields.
    ///
    /// - Parameter conflict: what SQLite does about a row that exists already.
    private mutating func statement(
        of fields: [Int], rows: Int, _ conflict: String, _ database: Database
    ) throws -> Statement {
        let names = Self.commonColumns + fields.map { "f\(columns.columnOfField[$0])" }
        let marks = "(" + Array(repeating: "?", count: names.count).joined(separator: ",") + ")"
        let sql = """
            INSERT OR \(conflict) INTO results (\(names.joined(separator: ",")))
            VALUES \(Array(repeating: marks, count: rows).joined(separator: ","))
            """
        // A peer that omits fields at will must not fill the memory with statements.
        guard insertions.contains(fields) || insertions.count < Limits.rememberedInsertions else {
            return try database.makeStatement(sql: sql)
        }
        insertions.insert(fields)
        return try database.cachedStatement(sql: sql)
    }

    private static let commonColumns = [
        "place", "seq", "id_high", "id_low", "inbox", "facet", "origin", "flow", "trace",
        "answered", "parameters", "idempotency", "segment", "offset", "size", "words",
    ]

    /// Whether the number of a record exists already.
    ///
    /// If the other line is of the same record, this one is a copy of it, as of a file that was
    /// restored from a backup: compaction removes it, so that erasing the record leaves none.
    private static func isKnown(_ row: Row, _ database: Database) throws -> Bool {
        let facts = row.entry.facts
        let known = try GRDB.Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT id_high, id_low, segment, offset FROM results WHERE seq = ?"),
            arguments: [facts.sequence])
        guard let known else { return false }
        let isCopy =
            known[0] == Int64(bitPattern: facts.id.high)
            && known[1] == Int64(bitPattern: facts.id.low)
            && (known[2] != row.segment || known[3] != row.entry.offset)
        if isCopy {
            try database.execute(
                sql: "INSERT OR IGNORE INTO erased VALUES (?, ?, ?, ?)",
                arguments: [row.segment, row.entry.offset, row.entry.size, facts.sequence])
        }
        return true
    }

    mutating func flushCounts(_ database: Database) throws {
        for (id, count) in facetCounts {
            try database.cachedStatement(sql: "UPDATE facets SET count = count + ? WHERE id = ?")
                .execute(arguments: [count, id])
        }
        for (id, change) in inboxCounts {
            try database.cachedStatement(
                sql: """
                    UPDATE inboxes SET count = count + ?, last_place = max(last_place, ?)
                    WHERE id = ?
                    """
            ).execute(arguments: [change.count, change.lastPlace, id.inbox])
            try database.cachedStatement(
                sql: """
                    INSERT INTO inbox_kinds VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                    count = count + excluded.count, last_place = max(last_place, excluded.last_place)
                    """
            ).execute(arguments: [id.inbox, id.kind.number, change.count, change.lastPlace])
        }
        for (id, range) in ranges {
            try database.cachedStatement(
                sql: """
                    UPDATE segments SET first_place = min(first_place, ?),
                    last_place = max(last_place, ?) WHERE id = ?
                    """
            ).execute(arguments: [range.first, range.last, id])
        }
        facetCounts.removeAll(keepingCapacity: true)
        inboxCounts.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
    }

    // MARK: Numbers

    /// Clears the caches; every number is read again.
    mutating func forgetNumbers() {
        self = IndexWriter(columns)
    }

    mutating func segmentID(_ name: SegmentName, _ database: Database) throws -> Int64 {
        if let known = segments[name] { return known }
        let id = try Self.id(
            "SELECT id FROM segments WHERE name = ?",
            else: "INSERT INTO segments VALUES (NULL, ?, 0, 0, \(Int64.max), 0)",
            [name.fileName], database)
        segments[name] = id
        return id
    }

    private mutating func inboxID(_ name: String, _ database: Database) throws -> Int64 {
        let key = ExactText(text: name)
        if let known = inboxes[key] { return known }
        if inboxes.count >= Limits.rememberedNames { inboxes.removeAll() }
        let id = try Self.id(
            "SELECT id FROM inboxes WHERE name = ?",
            else: "INSERT INTO inboxes VALUES (NULL, ?, 0, 0)", [name], database)
        inboxes[key] = id
        return id
    }

    private mutating func originID(_ facts: RecordFacts, _ database: Database) throws -> Int64 {
        let key = Origin(host: ExactText(text: facts.host), path: ExactText(text: facts.path))
        if let lastOrigin, lastOrigin.origin == key { return lastOrigin.id }
        let id = try originID(key, facts, database)
        lastOrigin = (key, id)
        return id
    }

    private mutating func originID(
        _ key: Origin, _ facts: RecordFacts, _ database: Database
    ) throws -> Int64 {
        if let known = origins[key] { return known }
        if origins.count >= Limits.rememberedNames { origins.removeAll() }
        let id = try Self.id(
            "SELECT id FROM origins WHERE host = ? AND path = ?",
            else: "INSERT INTO origins VALUES (NULL, ?, ?)", [facts.host, facts.path], database)
        origins[key] = id
        return id
    }

    private mutating func facetID(_ facts: RecordFacts, _ database: Database) throws -> Int64 {
        let facet = Facet(facts)
        if let lastFacet, lastFacet.facet == facet { return lastFacet.id }
        let id = try facetID(facet, database)
        lastFacet = (facet, id)
        return id
    }

    private mutating func facetID(_ facet: Facet, _ database: Database) throws -> Int64 {
        if let known = facets[facet] { return known }
        let id = try Self.id(
            """
            SELECT id FROM facets WHERE kind = ? AND vendor = ? AND contract IS ? AND outcome IS ?
            AND verdict = ? AND method = ?
            """,
            else: "INSERT INTO facets VALUES (NULL, ?, ?, ?, ?, ?, ?, 0)",
            [
                facet.kind.number, facet.vendor, facet.contract, facet.outcome, facet.verdict,
                facet.method,
            ], database)
        facets[facet] = id
        return id
    }

    private static func id(
        _ select: String, else insert: String, _ arguments: StatementArguments,
        _ database: Database
    ) throws -> Int64 {
        let statement = try database.cachedStatement(sql: select)
        if let known = try Int64.fetchOne(statement, arguments: arguments) { return known }
        try database.cachedStatement(sql: insert).execute(arguments: arguments)
        return database.lastInsertedRowID
    }
}

extension FieldValue {
    /// The value as SQLite stores it.
    var databaseValue: DatabaseValue {
        switch self {
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .flag(let flag): (flag ? 1 : 0).databaseValue
        }
    }
}
