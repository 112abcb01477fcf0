// Random conditions and records for properties that must hold for all of them.

import Clocks
import Mutations

@testable import ResultStore

/// Makes conditions and records that meet each other often.
struct RandomConditions {
    var generator: SeededGenerator

    mutating func pick<Value>(_ values: [Value]) -> Value { values[generator.below(values.count)] }

    /// A condition whose values the catalog of the tests allows.
    mutating func condition(depth: Int = 4) -> Condition {
        switch generator.below(depth == 0 ? 4 : 9) {
        case 0...1: return comparison()
        case 2: return .has(pick(Self.fields))
        case 3:
            let words = (0...generator.below(2)).map { _ in pick(Self.words) }
            return .words(words, lastIsPrefix: generator.below(3) == 0)
        case 4: return .not(condition(depth: depth - 1))
        case 5...6: return .all((0..<generator.below(4)).map { _ in condition(depth: depth - 1) })
        default: return .any((0..<generator.below(4)).map { _ in condition(depth: depth - 1) })
        }
    }

    /// A condition that asks records of one outcome for a text with a composed letter, and those of
    /// another for the same text with a decomposed one.
    mutating func lookalikes() -> Condition {
        let field = pick([.inbox, .flow, .path, .result("token")] as [QueryField])
        let outcomes = pick([["completed", "error"], ["error", "cancelled"]])
        return .any(
            zip(outcomes, ["é", "e\u{301}"]).map { outcome, text in
                .all([
                    .compare(.outcome, .equal, .text(outcome)),
                    .compare(field, .equal, .text(text)),
                ])
            })
    }

    private mutating func comparison() -> Condition {
        let field = pick(Self.fields)
        let relation = pick(Relation.allCases)
        switch field {
        case .seq: return .compare(field, relation, .integer(pick([1, 2, 3])))
        case .answered: return .compare(field, relation, .integer(pick([200, 429, 503])))
        case .receivedAt: return .compare(field, relation, .time(moment()))
        case .id: return .compare(field, .equal, .text(pick(Self.ids).description))
        case .kind:
            return .compare(field, .equal, .text(pick(RecordKind.allCases).rawValue))
        case .vendor: return .compare(field, .equal, .text(pick(queryCatalog.vendors)))
        case .contract: return .compare(field, .equal, .text(pick(queryCatalog.contracts)))
        case .outcome: return .compare(field, .equal, .text(pick(queryCatalog.outcomes)))
        case .verdict: return .compare(field, .equal, .text(pick(queryCatalog.verdicts)))
        case .method: return .compare(field, .equal, .text(pick(["GET", "POST"])))
        case .host: return .compare(field, .equal, .text(pick(["a.b", "[::1]"])))
        case .trace: return .compare(field, .equal, .text(pick(["4bf9", "00a"])))
        case .inbox, .flow, .path, .parameter:
            return .compare(field, .equal, .text(pick(Self.texts)))
        case .result(let name):
            switch queryCatalog.kind(of: name) {
            case .number: return .compare(field, relation, .number(pick(Self.numbers)))
            case .flag: return .compare(field, .equal, .flag(generator.below(2) == 0))
            default: return .compare(field, .equal, .text(pick(Self.texts)))
            }
        }
    }

    /// A record.
    mutating func facts() -> RecordFacts {
        let vendor = pick(queryCatalog.vendors)
        let fields = queryCatalog.fields.map { field -> FieldValue? in
            // A value of another vendor's field must never count, so it may be there.
            if generator.below(3) == 0 { return nil }
            switch field.kind {
            case .number: return .number(pick(Self.numbers))
            case .text: return .text(pick(Self.texts))
            case .flag: return .flag(generator.below(2) == 0)
            }
        }
        return RecordFacts(
            sequence: pick([1, 2, 3]), id: pick(Self.ids), receivedAt: moment(),
            kind: pick(RecordKind.allCases), inbox: pick(Self.texts), vendor: vendor,
            contract: pick(queryCatalog.contracts + [nil]),
            outcome: pick(queryCatalog.outcomes + [nil]), verdict: pick(queryCatalog.verdicts),
            flow: pick(Self.texts + [nil]), answered: pick([200, 429, 503, nil]),
            method: pick(["GET", "POST"]),
            host: pick(["a.b", "[::1]", ""]), path: pick(Self.texts),
            trace: pick(["4bf9", "00a", nil]), fields: FieldValues(fields),
            words: (0..<generator.below(6)).map { _ in pick(Self.words) }.joined(separator: " "))
    }

    private mutating func moment() -> Timestamp {
        Timestamp(
            unixMilliseconds: 1_795_046_400_000
                + pick([0, 1, 86_399_999, 86_400_000, 172_799_999, -1]))
    }

    private static let fields =
        QueryField.own + queryCatalog.names.map { QueryField.result($0) }
    private static let words = ["milk", "mil", "молоко", "2", "i\u{307}"]
    private static let texts = [
        "a", "A", "é", "e\u{301}", "", " ", "a b", "\"", "\\", "(", "a)", "x*", "a..b", ">=1", "=",
        "AND", "OR", "NOT", "-a", "-15m", "a:b", "has:x", "\0", "\n", "🙂", "*", "true", "#&%",
    ]
    private static let numbers = [0, -0.0, 0.3, -1.5, 1e300, .leastNonzeroMagnitude, 3]
    private static let ids = (1...3).map { RecordID(high: 0x019A_0000_0000_7000, low: $0) }
}
