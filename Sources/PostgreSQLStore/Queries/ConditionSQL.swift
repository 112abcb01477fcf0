// Translates conditions to SQL over the table `results`. Values are always parameters. Every part is
// true or false, never NULL, so NOT means the same as in a query.

import Clocks
import ResultStore

/// Builds the text of one statement and collects its parameters.
struct ConditionSQL {
    let columns: FieldColumns
    private(set) var parameters: [Parameter] = []

    init(_ columns: FieldColumns) {
        self.columns = columns
    }

    /// The place of a value in the text.
    mutating func bind(_ parameter: Parameter) -> String {
        parameters.append(parameter)
        return "$\(parameters.count)"
    }

    /// The condition as SQL; always in parentheses, or a single term.
    mutating func text(of condition: Condition) -> String {
        switch condition {
        case .all(let parts):
            if parts.isEmpty { return "true" }
            var texts: [String] = []
            for part in parts { texts.append(text(of: part)) }
            return "(\(texts.joined(separator: " AND ")))"
        case .any(let parts):
            if parts.isEmpty { return "false" }
            var texts: [String] = []
            for part in parts { texts.append(text(of: part)) }
            return "(\(texts.joined(separator: " OR ")))"
        case .not(let part): return "(NOT \(text(of: part)))"
        case .compare(let field, let relation, let value):
            return comparison(field, relation, value)
        case .has(let field): return existence(field)
        case .words(let words, let lastIsPrefix):
            let query = bind(.text(Self.wordQuery(words, lastIsPrefix)))
            return "(words IS NOT NULL AND words @@ \(query)::tsquery)"
        }
    }

    /// Words that follow each other.
    ///
    /// Folded words hold letters, digits and marks only, so quotes around them need no escapes.
    static func wordQuery(_ words: [String], _ lastIsPrefix: Bool) -> String {
        words.map { "'\($0)'" }.joined(separator: " <-> ") + (lastIsPrefix ? ":*" : "")
    }

    private mutating func comparison(
        _ field: QueryField, _ relation: Relation, _ value: QueryValue
    ) -> String {
        switch (field, value) {
        case (.receivedAt, .time(let moment)): return time(relation, moment)
        case (.seq, .integer(let number)):
            return "seq \(relation.rawValue) \(bind(.integer(number)))"
        case (.answered, .integer(let number)):
            let wanted = bind(.integer(number))
            return "(answered IS NOT NULL AND answered \(relation.rawValue) \(wanted))"
        case (.id, .text(let text)): return RecordID(text).map { self.id($0) } ?? "false"
        case (.inbox, .text(let name)):
            // One value: so the planner knows that the inbox's index has the order of places.
            let wanted = bind(.text(name))
            return "inbox = coalesce((SELECT inboxes.id FROM inboxes WHERE name = \(wanted)), -1)"
        case (.host, .text(let name)), (.path, .text(let name)):
            let wanted = bind(.text(name))
            return """
                origin = ANY (ARRAY(SELECT origins.id FROM origins WHERE \(field.name) = \(wanted)))
                """
        case (.flow, .text(let text)), (.trace, .text(let text)):
            return equalText(field.name, text)
        case (.parameter(let name), .text(let text)):
            return holds(PathParameters.text(of: [name: text]) ?? "")
        case (.result(let name), let value):
            guard let column = columns[name] else { return "false" }
            return comparison(column, relation, value)
        default:
            // Facets have decided these fields before; values of another kind are never equal.
            return "false"
        }
    }

    private mutating func comparison(
        _ column: FieldColumn, _ relation: Relation, _ value: QueryValue
    ) -> String {
        let wanted: Parameter
        switch (column.kind, value) {
        case (.text, .text(let text)) where relation == .equal:
            return equalText("f.\(column.name)", text)
        case (.text, .text(let text)): wanted = .text(text)
        case (.number, .number(let number)): wanted = .number(number)
        case (.number, .integer(let number)): wanted = .number(Double(number))
        case (.flag, .flag(let flag)): wanted = .flag(flag)
        default: return "false"
        }
        return """
            (\(column.quoted) IS NOT NULL AND \(column.quoted) \(relation.rawValue) \(bind(wanted)))
            """
    }

    /// The beginning of the text is in an index.
    private mutating func equalText(_ column: String, _ text: String) -> String {
        let wanted = bind(.text(text))
        let count = Limits.indexedCharacters
        return """
            ("\(column)" IS NOT NULL AND left("\(column)", \(count)) = left(\(wanted), \(count)) \
            AND "\(column)" = \(wanted))
            """
    }

    private mutating func time(_ relation: Relation, _ moment: Timestamp) -> String {
        let (start, end) = (
            Parameter.integer(Place.start(moment)), Parameter.integer(Place.end(moment))
        )
        switch relation {
        case .less: return "place < \(bind(start))"
        case .lessOrEqual: return "place < \(bind(end))"
        case .greater: return "place >= \(bind(end))"
        case .greaterOrEqual: return "place >= \(bind(start))"
        case .equal: return "(place >= \(bind(start)) AND place < \(bind(end)))"
        }
    }

    /// A record's id, within the places of the millisecond that it holds.
    mutating func id(_ id: RecordID) -> String {
        let moment = Timestamp(unixMilliseconds: id.milliseconds)
        return """
            (place >= \(bind(.integer(Place.start(moment)))) \
            AND place < \(bind(.integer(Place.end(moment)))) AND id = \(bind(.id(id))))
            """
    }

    private mutating func holds(_ text: String) -> String {
        "(parameters IS NOT NULL AND strpos(parameters, \(bind(.text(text)))) > 0)"
    }

    private mutating func existence(_ field: QueryField) -> String {
        switch field {
        case .flow, .trace, .answered: return "\(field.name) IS NOT NULL"
        case .host:
            return "origin <> ALL (ARRAY(SELECT origins.id FROM origins WHERE host = ''))"
        case .parameter(let name): return holds(PathParameters.start(of: name))
        case .result(let name):
            return columns[name].map { "\($0.quoted) IS NOT NULL" } ?? "false"
        default: return "true"
        }
    }
}
