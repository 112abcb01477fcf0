// What conditions mean, in the shortest words: what the matcher is judged by.

@testable import ResultStore

extension Condition {
    /// Whether a record meets the condition.
    func holdsNaively(for facts: RecordFacts) -> Bool {
        switch self {
        case .all(let conditions): return conditions.filter { !$0.holdsNaively(for: facts) }.isEmpty
        case .any(let conditions): return !conditions.filter { $0.holdsNaively(for: facts) }.isEmpty
        case .not(let condition): return !condition.holdsNaively(for: facts)
        case .has(let field): return facts.naiveValue(of: field) != nil
        case .compare(let field, let relation, let wanted):
            switch (facts.naiveValue(of: field), wanted) {
            case (.text(let found), .text(let text)):
                return Array(found.utf8) == Array(text.utf8)
            case (.number(let found), .number(let number)): return relation.holds(found, number)
            case (.integer(let found), .integer(let number)): return relation.holds(found, number)
            case (.time(let found), .time(let time)): return relation.holds(found, time)
            case (.flag(let found), .flag(let flag)): return found == flag
            default: return false
            }
        case .words(let wanted, let lastIsPrefix):
            let words = facts.words.split(separator: " ").map { Array($0.utf8) }
            let wanted = wanted.map { Array($0.utf8) }
            return words.indices.contains { start in
                let found = words[start...].prefix(wanted.count)
                guard found.count == wanted.count else { return false }
                return zip(found, wanted).enumerated().allSatisfy { index, pair in
                    index == wanted.count - 1 && lastIsPrefix
                        ? pair.0.starts(with: pair.1) : pair.0 == pair.1
                }
            }
        }
    }
}

extension RecordFacts {
    fileprivate func naiveValue(of field: QueryField) -> QueryValue? {
        switch field {
        case .id: return .text(id.description)
        case .seq: return .integer(sequence)
        case .receivedAt: return .time(receivedAt)
        case .kind: return .text(kind.rawValue)
        case .inbox: return .text(inbox)
        case .vendor: return .text(vendor)
        case .contract: return contract.map { .text($0) }
        case .outcome: return outcome.map { .text($0) }
        case .verdict: return .text(verdict)
        case .flow: return flow.map { .text($0) }
        case .method: return .text(method)
        case .host: return host.isEmpty ? nil : .text(host)
        case .path: return .text(path)
        case .trace: return trace.map { .text($0) }
        case .answered: return answered.map { .integer($0) }
        case .parameter(let name): return parameters[name].map { .text($0) }
        case .result(let name):
            let values = zip(queryCatalog.fields, fields)
                .filter { $0.0.name == name && $0.0.vendor == vendor }.compactMap(\.1)
            switch values.first {
            case .number(let number): return .number(number)
            case .text(let text): return .text(text)
            case .flag(let flag): return .flag(flag)
            case nil: return nil
            }
        }
    }
}
