// Writes conditions in the query language.
// Invariant: the text parses to the folded condition, if its values are valid for the catalog and
// the fields' kinds, and the text is within the limits of queries.

import Clocks

extension Condition: CustomStringConvertible {
    /// The condition in the query language.
    ///
    /// O(size).
    package var description: String { folded.text(inside: .nothing) }

    /// What surrounds a condition, as far as parentheses depend on it.
    private enum Surroundings {
        case nothing
        case or
        case and
        case not
    }

    private func text(inside surroundings: Surroundings) -> String {
        switch self {
        case .everything: return "*"
        case .nothing: return "NOT *"
        case .all(let conditions):
            if let range = rangeText { return range }
            let text = Self.parts(of: conditions).map { $0.text(inside: .and) }
                .joined(separator: " ")
            return surroundings == .not ? "(\(text))" : text
        case .any(let conditions):
            if let field = Self.sharedField(of: conditions) {
                let values = conditions.map(\.valueText).joined(separator: " OR ")
                return "\(field.name):(\(values))"
            }
            let text = conditions.map { $0.text(inside: .or) }.joined(separator: " OR ")
            return surroundings == .nothing ? text : "(\(text))"
        case .not(let inner): return "NOT \(inner.text(inside: .not))"
        case .compare(let field, _, _): return "\(field.name):\(valueText)"
        case .has(let field): return "has:\(field.name)"
        case .words(let words, let lastIsPrefix):
            let text = words.joined(separator: " ")
            return (words.count == 1 ? text : "\"\(text)\"") + (lastIsPrefix ? "*" : "")
        }
    }

    /// `field:a..b`, or `field:a` for whole days; nil if this isn't a range.
    private var rangeText: String? {
        guard case .all(let conditions) = self, conditions.count == 2,
            Self.parts(of: conditions).count == 1,
            case .compare(let field, _, let low) = conditions[0],
            case .compare(_, _, let high) = conditions[1]
        else { return nil }
        if case .time(let first) = low, case .time(let last) = high,
            let days = Self.days(first, last)
        {
            return "\(field.name):\(days)"
        }
        return "\(field.name):\(low.text)..\(high.text)"
    }

    /// Two times as days, if they are the first and the last millisecond of days.
    private static func days(_ first: Timestamp, _ last: Timestamp) -> String? {
        let day = QueryMoment.millisecondsPerDay
        guard first.unixMilliseconds % day == 0, (last.unixMilliseconds + 1) % day == 0 else {
            return nil
        }
        var days: ([UInt8], [UInt8]) = ([], [])
        first.appendDay(to: &days.0)
        last.appendDay(to: &days.1)
        let from = String(decoding: days.0, as: UTF8.self)
        return days.0 == days.1 ? from : "\(from)..\(String(decoding: days.1, as: UTF8.self))"
    }

    /// The text after the colon of a comparison.
    private var valueText: String {
        guard case .compare(_, let relation, let value) = self else { return "" }
        return relation == .equal ? value.text : relation.rawValue + value.text
    }
}

extension QueryValue {
    /// The value as queries write it, in quotes if needed.
    fileprivate var text: String {
        switch self {
        case .text(let text): Self.quotedIfNeeded(text)
        case .number(let number): Self.text(of: number)
        case .integer(let integer): "\(integer)"
        case .time(let time): time.description
        case .flag(let flag): flag ? "true" : "false"
        }
    }

    /// A number in the fewest digits that parse to the same value.
    static func text(of number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func quotedIfNeeded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isPlain =
            !bytes.isEmpty && !["AND", "OR", "NOT"].contains(text)
            && QueryValueReader.dots(in: bytes) == nil && !"<>=".utf8.contains(bytes[0])
            && bytes.allSatisfy { !QueryParser.delimits($0) && $0 != UInt8(ascii: "*") }
        if isPlain { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
