// One comparison, existence test or phrase, resolved against a catalog.
// Invariant: an absent value passes no comparison.

import Clocks

extension Matcher {
    /// What a step checks in a record.
    enum Test: Sendable {
        case constant(Bool)
        case id(RecordID)
        case sequence(Relation, Int)
        case answered(Relation, Int)
        case time(Relation, Timestamp)
        /// The value of a field other than `id`, `seq`, `received_at` and those of the result.
        case text(QueryField, String)
        case hasText(QueryField)
        /// Whether the request names a host; one of HTTP/1.0 needn't.
        case hasHost
        case resultNumber([Place], Relation, Double)
        case resultText([Place], String)
        case resultFlag([Place], Bool)
        case hasResult([Place])
        /// Words separated by single spaces.
        case words([UInt8], lastIsPrefix: Bool)
    }

    /// Where the facts of one vendor's records have a declared value.
    struct Place: Sendable {
        let vendor: String
        let index: Int
    }
}

extension Matcher.Test {
    /// Prepares a comparison, an existence test or words.
    ///
    /// A value of another kind than the field's never matches.
    init(_ condition: Condition, catalog: FieldCatalog) {
        switch condition {
        case .compare(.result(let name), let relation, let value):
            let places = Self.places(of: name, in: catalog)
            switch (relation, value) {
            case (_, .number(let number)): self = .resultNumber(places, relation, number)
            case (_, .integer(let integer)): self = .resultNumber(places, relation, Double(integer))
            case (.equal, .text(let text)): self = .resultText(places, text)
            case (.equal, .flag(let flag)): self = .resultFlag(places, flag)
            default: self = .constant(false)
            }
        case .compare(.seq, let relation, .integer(let number)): self = .sequence(relation, number)
        case .compare(.answered, let relation, .integer(let status)):
            self = .answered(relation, status)
        case .compare(.receivedAt, let relation, .time(let time)): self = .time(relation, time)
        case .compare(.id, .equal, .text(let text)):
            self = RecordID(text).map { .id($0) } ?? .constant(false)
        case .compare(let field, .equal, .text(let text)): self = .text(field, text)
        case .has(.result(let name)): self = .hasResult(Self.places(of: name, in: catalog))
        case .has(.host): self = .hasHost
        case .has(.contract): self = .hasText(.contract)
        case .has(.outcome): self = .hasText(.outcome)
        case .has(.flow): self = .hasText(.flow)
        case .has(.trace): self = .hasText(.trace)
        case .has(.answered): self = .hasText(.answered)
        case .has(.parameter(let name)): self = .hasText(.parameter(name))
        case .has: self = .constant(true)
        case .words(let words, let lastIsPrefix):
            self = .words(
                Array(words.joined(separator: " ").utf8), lastIsPrefix: lastIsPrefix)
        default: self = .constant(false)
        }
    }

    /// Where the values of a declared name are.
    static func places(of name: String, in catalog: FieldCatalog) -> [Matcher.Place] {
        catalog.fields.indices.filter { catalog.fields[$0].name == name }
            .map { Matcher.Place(vendor: catalog.fields[$0].vendor, index: $0) }
    }

    /// Whether a record passes.
    func holds(_ facts: RecordFacts) -> Bool {
        switch self {
        case .constant(let holds): holds
        case .id(let id): facts.id == id
        case .sequence(let relation, let number): relation.holds(facts.sequence, number)
        case .answered(let relation, let status):
            facts.answered.map { relation.holds($0, status) } ?? false
        case .time(let relation, let time): relation.holds(facts.receivedAt, time)
        case .text(let field, let text): facts.text(of: field).isSame(as: text)
        case .hasText(let field): facts.text(of: field) != nil
        case .hasHost: !facts.host.isEmpty
        case .resultNumber(let places, let relation, let number):
            if case .number(let found) = facts.value(at: places) {
                relation.holds(found, number)
            } else {
                false
            }
        case .resultText(let places, let text):
            if case .text(let found) = facts.value(at: places) {
                found.isSame(as: text)
            } else {
                false
            }
        case .resultFlag(let places, let flag): facts.value(at: places) == .flag(flag)
        case .hasResult(let places): facts.value(at: places) != nil
        case .words(let words, let lastIsPrefix):
            facts.hasWords(words, lastIsPrefix: lastIsPrefix)
        }
    }
}
