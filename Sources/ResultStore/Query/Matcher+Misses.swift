// The values that a record has where a condition asks for others.

/// A condition that a record fails.
package struct Miss: Sendable, Hashable {
    /// The condition as a query would write it, such as `outcome:completed`.
    package var condition: String
    /// The record's value; nil if it has none, and for words.
    ///
    /// If the condition names several fields, each with its value: `vendor: dimmy, flow: none`.
    package var found: String?

    /// Makes a miss.
    package init(condition: String, found: String?) {
        self.condition = condition
        self.found = found
    }
}

extension Matcher {
    /// The values of the fields that a condition names; nil if it names none.
    ///
    /// The value of a single field is given without its name and may be absent.
    func found(in facts: RecordFacts, by condition: Condition) -> String? {
        var fields: [QueryField] = []
        condition.collectFields(into: &fields)
        if fields.count == 1 { return text(of: fields[0], in: facts) }
        if fields.isEmpty { return nil }
        return fields.map { "\($0.name): \(text(of: $0, in: facts) ?? "none")" }
            .joined(separator: ", ")
    }

    private func hasValue(of name: String, in facts: RecordFacts) -> Bool {
        facts.value(at: Test.places(of: name, in: catalog)) != nil
    }

    private func text(of field: QueryField, in facts: RecordFacts) -> String? {
        switch field {
        case .id: return facts.id.description
        case .seq: return String(facts.sequence)
        case .receivedAt: return facts.receivedAt.description
        case .result(let name):
            if catalog.fields.contains(where: { $0.name == name && $0.isHidden }) {
                return hasValue(of: name, in: facts) ? "a hidden value" : nil
            }
            switch facts.value(at: Test.places(of: name, in: catalog)) {
            case .number(let number): return QueryValue.text(of: number)
            case .text(let text): return text
            case .flag(let flag): return flag ? "true" : "false"
            case nil: return nil
            }
        default: return facts.text(of: field)
        }
    }
}

extension Condition {
    /// Adds the named fields that are not yet in the list, in the order of the text.
    fileprivate func collectFields(into fields: inout [QueryField]) {
        switch self {
        case .all(let conditions), .any(let conditions):
            for condition in conditions { condition.collectFields(into: &fields) }
        case .not(let inner): inner.collectFields(into: &fields)
        case .compare(let field, _, _), .has(let field):
            if !fields.contains(field) { fields.append(field) }
        case .words: break
        }
    }
}
