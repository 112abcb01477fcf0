// The columns of declared fields: `f.NAME`, one for each name in the catalog.
//
// A program with a newer catalog adds the columns that are missing; a program with an older one
// ignores those that it doesn't know. Records that were stored before have no value in a new column.

import ResultStore

/// A declared field in the table of results.
struct FieldColumn: Sendable {
    let name: String
    let kind: FieldCatalog.Kind
    let isIndexed: Bool
    /// The indices of the fields of this name in `FieldCatalog.fields`.
    let indices: [Int]

    /// The column's name in quotes.
    var quoted: String { "\"f.\(name)\"" }

    /// What the name of a field's index begins with.
    static let indexPrefix = "results_by_"

    var type: String {
        switch kind {
        case .number: "double precision"
        case .text: "text COLLATE \"C\""
        case .flag: "boolean"
        }
    }

    /// What the field's index orders by.
    var order: String {
        kind == .text ? "left(\(quoted), \(Limits.indexedCharacters))" : quoted
    }

    /// The values of some records, as an array.
    func parameter(of facts: [RecordFacts]) -> Parameter {
        let values = facts.map { facts in
            indices.lazy.compactMap { facts.fields[$0] }.first
        }
        switch kind {
        case .number:
            return .numbers(
                values.map { if case .number(let number)? = $0 { number } else { nil } })
        case .text:
            return .texts(values.map { if case .text(let text)? = $0 { text } else { nil } })
        case .flag:
            return .flags(values.map { if case .flag(let flag)? = $0 { flag } else { nil } })
        }
    }

    /// The statements that make the column, and its index if it has one.
    var creation: [String] {
        let column = "ALTER TABLE results ADD COLUMN IF NOT EXISTS \(quoted) \(type)"
        // Statistics hold values, also those that were erased since.
        let statistics = "ALTER TABLE results ALTER COLUMN \(quoted) SET STATISTICS 0"
        guard isIndexed else { return [column, statistics] }
        let index = """
            CREATE INDEX IF NOT EXISTS "\(Self.indexPrefix)\(name)" ON results
            (\(order), place) WHERE \(quoted) IS NOT NULL
            """
        return [column, statistics, index]
    }

    /// The type of `parameter`.
    var arrayType: String {
        switch kind {
        case .number: "double precision[]"
        case .text: "text[]"
        case .flag: "boolean[]"
        }
    }
}

/// The columns of a catalog's fields.
struct FieldColumns: Sendable {
    let all: [FieldColumn]
    private let byName: [String: Int]
    /// The column of each field in the catalog; nil for a name in `unusable`.
    let columnOfField: [Int?]
    /// The declared names that can't be a column's; no database is used with them.
    let unusable: [String]

    init(_ catalog: FieldCatalog) {
        var all: [FieldColumn] = []
        unusable = catalog.names.filter { !Self.canBeColumn($0) }
        for name in catalog.names where Self.canBeColumn(name) {
            let indices = catalog.fields.indices.filter { catalog.fields[$0].name == name }
            all.append(
                FieldColumn(
                    name: name, kind: catalog.fields[indices[0]].kind,
                    isIndexed: indices.contains { catalog.fields[$0].isIndexed },
                    indices: indices))
        }
        self.all = all
        let byName = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
        self.byName = byName
        columnOfField = catalog.fields.map { byName[$0.name] }
    }

    /// Whether a declared name needs no escapes in quotes, and isn't cut in its column's or its index's
    /// name: PostgreSQL keeps 63 bytes.
    ///
    /// Names that differ in case are different columns, because all of them are quoted.
    private static func canBeColumn(_ name: String) -> Bool {
        FieldColumn.indexPrefix.utf8.count + name.utf8.count <= 63
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
                    || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2E
            }
    }

    /// Throws `failed` if a declared name has no column: queries would find nothing by it.
    func ensureComplete() throws(DatabaseError) {
        if unusable.isEmpty { return }
        throw DatabaseError(
            kind: .failed, state: "LF005",
            message: "no column can have the name of these declared fields: "
                + unusable.joined(separator: ", "))
    }

    subscript(name: String) -> FieldColumn? { byName[name].map { all[$0] } }

    /// The columns in which at least one of some records has a value, by their index in `all`.
    func used(by facts: [RecordFacts]) -> [Int] {
        var used: Set<Int> = []
        for facts in facts {
            for (column, value) in zip(columnOfField, facts.fields) where value != nil {
                if let column { used.insert(column) }
            }
        }
        return used.sorted()
    }

    /// The columns that a database lacks.
    func missing(in connection: Connection) throws(DatabaseError) -> [FieldColumn] {
        let known = try connection.run(
            Statement(sql: "SELECT name FROM fields"), within: Limits.queryMilliseconds)
        let names = Set(known.rows.compactMap { $0.text(0) })
        return all.filter { !names.contains($0.name) }
    }

    /// Adds the columns and indexes that a database lacks, one program at a time.
    func add(to connection: Connection) throws(DatabaseError) {
        let missing = try missing(in: connection)
        if missing.isEmpty { return }
        var statements = [
            Statement(sql: "SELECT pg_advisory_xact_lock(\(Migration.lockKey("migrations")))")
        ]
        for column in missing {
            statements += column.creation.map { Statement(sql: $0) }
            statements.append(
                Statement(
                    sql: "INSERT INTO fields VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                    parameters: [
                        .text(column.name), .text(column.kind.rawValue), .flag(column.isIndexed),
                    ]))
        }
        try connection.run(statements, within: Limits.migrationMilliseconds)
    }
}
