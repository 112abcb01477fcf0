// Translates conditions to SQL over the table `results`. Every part is 0 or 1, never NULL, so NOT
// means the same as in a query.

import Clocks
import GRDB

/// An SQL expression and the values of its parameters.
struct SQLPart {
    var sql: String
    var values: [DatabaseValue] = []

    /// Terms that are joined without parentheses between them: SQLite nests each in the one before
    /// it, and refuses expressions that are 1,000 deep.
    private static let longestChain = 64

    /// All parts with a word between them, in parentheses; `empty` if there are no parts.
    static func joined(_ parts: [SQLPart], by word: String, empty: String) -> SQLPart {
        if parts.isEmpty { return SQLPart(sql: empty) }
        if parts.count > longestChain {
            let middle = parts.count / 2
            let halves = [parts[..<middle], parts[middle...]].map {
                joined(Array($0), by: word, empty: empty)
            }
            return joined(halves, by: word, empty: empty)
        }
        let sql = parts.map(\.sql).joined(separator: " \(word) ")
        return SQLPart(sql: "(\(sql))", values: parts.flatMap(\.values))
    }
}

extension SQLPart {
    /// The negation of this part.
    fileprivate var negated: SQLPart { SQLPart(sql: "NOT \(sql)", values: values) }
}

extension Condition {
    /// The condition as SQL.
    ///
    /// - Parameter looksUpWords: whether words are searched row by row, which suits few rows;
    ///   otherwise all rows that contain them are listed once.
    func sql(_ columns: IndexColumns, looksUpWords: Bool = false) -> SQLPart {
        switch self {
        case .all(let parts):
            .joined(
                parts.map { $0.sql(columns, looksUpWords: looksUpWords) }, by: "AND", empty: "1")
        case .any(let parts):
            .joined(
                parts.map { $0.sql(columns, looksUpWords: looksUpWords) }, by: "OR", empty: "0")
        case .not(let part): part.sql(columns, looksUpWords: looksUpWords).negated
        case .compare(let field, let relation, let value):
            Self.comparison(field, relation, value, columns)
        case .has(let field): Self.existence(field, columns)
        case .words(let words, let lastIsPrefix):
            looksUpWords
                ? SQLPart(
                    sql: "coalesce(instr(' ' || words || ' ', ?), 0) > 0",
                    values: [
                        (" " + words.joined(separator: " ") + (lastIsPrefix ? "" : " "))
                            .databaseValue
                    ])
                : SQLPart(
                    sql: "place IN (SELECT rowid FROM search WHERE search MATCH ?)",
                    values: [Self.match(words, lastIsPrefix).databaseValue])
        }
    }

    /// Words in FTS5 syntax: a quoted phrase.
    ///
    /// Folded words never contain a quote.
    static func match(_ words: [String], _ lastIsPrefix: Bool) -> String {
        "\"\(words.joined(separator: " "))\"\(lastIsPrefix ? "*" : "")"
    }

    private static func comparison(
        _ field: QueryField, _ relation: Relation, _ value: QueryValue, _ columns: IndexColumns
    ) -> SQLPart {
        switch (field, value) {
        case (.receivedAt, .time(let moment)):
            let (sign, place): (String, Int64) =
                switch relation {
                case .less: ("<", Place.start(moment))
                case .lessOrEqual: ("<", Place.end(moment))
                case .greater: (">=", Place.end(moment))
                case .greaterOrEqual: (">=", Place.start(moment))
                case .equal: ("=", 0)
                }
            if relation == .equal {
                return SQLPart(
                    sql: "(place >= ? AND place < ?)",
                    values: [
                        Place.start(moment).databaseValue, Place.end(moment).databaseValue,
                    ])
            }
            return SQLPart(sql: "place \(sign) ?", values: [place.databaseValue])
        case (.seq, .integer(let number)):
            return SQLPart(sql: "seq \(relation.rawValue) ?", values: [number.databaseValue])
        case (.answered, .integer(let number)):
            return SQLPart(
                sql: "(answered IS NOT NULL AND answered \(relation.rawValue) ?)",
                values: [number.databaseValue])
        case (.id, .text(let text)):
            guard let id = RecordID(text) else { return SQLPart(sql: "0") }
            let moment = Timestamp(unixMilliseconds: id.milliseconds)
            return SQLPart(
                sql: "(place >= ? AND place < ? AND id_high = ? AND id_low = ?)",
                values: [
                    Place.start(moment).databaseValue, Place.end(moment).databaseValue,
                    Int64(bitPattern: id.high).databaseValue,
                    Int64(bitPattern: id.low).databaseValue,
                ])
        case (.inbox, .text(let name)):
            return SQLPart(
                sql: "inbox IN (SELECT id FROM inboxes WHERE name = ?)",
                values: [name.databaseValue])
        case (.host, .text(let name)), (.path, .text(let name)):
            return SQLPart(
                sql: "origin IN (SELECT id FROM origins WHERE \(field.name) = ?)",
                values: [name.databaseValue])
        case (.flow, .text(let text)), (.trace, .text(let text)):
            return SQLPart(
                sql: "(\(field.name) IS NOT NULL AND \(field.name) = ?)",
                values: [text.databaseValue])
        case (.parameter(let name), .text(let text)):
            return PathParameters.contains(PathParameters.text(of: [name: text]))
        case (.result(let name), let value):
            guard let column = columns.names[name], let value = value.databaseValue else {
                return SQLPart(sql: "0")
            }
            return SQLPart(
                sql: "(\(column) IS NOT NULL AND \(column) \(relation.rawValue) ?)", values: [value]
            )
        default:
            // Facets have decided these fields before; for other fields, values of another kind are
            // never equal.
            return SQLPart(sql: "0")
        }
    }

    private static func existence(_ field: QueryField, _ columns: IndexColumns) -> SQLPart {
        switch field {
        case .flow, .trace, .answered: SQLPart(sql: "\(field.name) IS NOT NULL")
        case .host: SQLPart(sql: "origin NOT IN (SELECT id FROM origins WHERE host = '')")
        case .parameter(let name): PathParameters.contains(PathParameters.start(of: name))
        case .result(let name):
            columns.names[name].map { SQLPart(sql: "\($0) IS NOT NULL") } ?? SQLPart(sql: "0")
        default: SQLPart(sql: "1")
        }
    }
}

extension QueryValue {
    /// A declared field's value as the index stores it; nil for types that no declared field has.
    var databaseValue: DatabaseValue? {
        switch self {
        case .text(let text): text.databaseValue
        case .number(let number): number.databaseValue
        case .integer(let number): Double(number).databaseValue
        case .flag(let flag): (flag ? 1 : 0).databaseValue
        case .time: nil
        }
    }
}
