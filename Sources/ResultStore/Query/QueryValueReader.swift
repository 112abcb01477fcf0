// Parses the text of one value, for one field, to a condition. Left out: where the value ends,
// which the parser of the query or of the parameters decides.

import Clocks
import Text

/// A parser of values.
struct QueryValueReader {
    let catalog: FieldCatalog
    /// The base of relative times; nil refuses them.
    let now: Timestamp?

    /// The condition that `field:value` means.
    ///
    /// A literal value is in quotes: it is not a range, and `*` has no meaning in it. Without a
    /// relation, a time may mean more than one millisecond, and an ordered value may be a range.
    func condition(
        _ field: QueryField, _ relation: Relation?, _ text: [UInt8], isLiteral: Bool
    ) throws(QueryValueFault) -> Condition {
        switch field.type(in: catalog) {
        case .integer: try ordered(field, relation, text, isLiteral, "a whole number", integer)
        case .time: try time(relation, text, isLiteral)
        case .number:
            try ordered(field, relation, text, isLiteral, "a number such as 0.3", number)
        case .text, .flag: try unordered(field, relation, text, isLiteral)
        }
    }

    private func unordered(
        _ field: QueryField, _ relation: Relation?, _ text: [UInt8], _ isLiteral: Bool
    ) throws(QueryValueFault) -> Condition {
        if let relation, relation != .equal {
            throw QueryValueFault(
                at: -relation.rawValue.utf8.count,
                "a value alone, since \(field.name) has no order and can't be compared by "
                    + relation.rawValue)
        }
        if !isLiteral {
            try refuseStar(in: text, for: field)
            if let dots = Self.dots(in: text) {
                throw QueryValueFault(
                    at: dots,
                    "a value in quotes, or none with .. in it, since \(field.name) has no ranges")
            }
        }
        return .compare(field, .equal, try value(of: text, for: field))
    }

    /// The value of a field without an order.
    private func value(
        of text: [UInt8], for field: QueryField
    ) throws(QueryValueFault) -> QueryValue {
        let value = String(decoding: text, as: UTF8.self)
        if case .result(let name) = field, catalog.kind(of: name) == .flag {
            guard value == "true" || value == "false" else {
                throw QueryValueFault(
                    "true or false", hint: Nearest.name(to: value, of: ["true", "false"]))
            }
            return .flag(value == "true")
        }
        if let choices = field.choices(in: catalog) {
            return try choice(
                field == .vendor ? catalog.vendorAliases[value] ?? value : value, of: choices)
        }
        switch field {
        case .id:
            guard let id = RecordID(value) else {
                throw QueryValueFault("a whole UUID of 36 characters")
            }
            return .text(id.description)
        case .inbox:
            guard Inbox.isValid(value) else { throw QueryValueFault(Inbox.rule) }
            return .text(value)
        case .method: return .text(Self.mapped(text, from: 0x61...0x7A, by: 0x20))
        case .host, .trace: return .text(Self.mapped(text, from: 0x41...0x5A, by: 0x20))
        default: return .text(value)
        }
    }

    private func choice(
        _ value: String, of allowed: [String]
    ) throws(QueryValueFault) -> QueryValue {
        guard allowed.contains(value) else {
            throw QueryValueFault(
                "one of \(allowed.joined(separator: ", "))",
                hint: Nearest.name(to: value, of: allowed))
        }
        return .text(value)
    }

    private func time(
        _ relation: Relation?, _ text: [UInt8], _ isLiteral: Bool
    ) throws(QueryValueFault) -> Condition {
        let kind =
            now == nil
            ? "a time that isn't relative, such as 2026-11-20T10:00:00Z or 2026-11-20"
            : "a time such as 2026-11-20T10:00:00Z, 2026-11-20 or -15m"
        if relation == nil, !isLiteral, let dots = Self.dots(in: text) {
            return try range(.receivedAt, text, dots, kind) { bound, isUpper in
                QueryMoment(bound, now: now).map { .time(isUpper ? $0.last : $0.first) }
            }
        }
        try refuseStar(in: text, for: .receivedAt)
        guard let moment = QueryMoment(text, now: now) else { throw QueryValueFault(kind) }
        func compare(_ relation: Relation, _ time: Timestamp) -> Condition {
            .compare(.receivedAt, relation, .time(time))
        }
        switch relation {
        case nil, .equal:
            if moment.isRelative { return compare(.greaterOrEqual, moment.first) }
            if moment.first == moment.last { return compare(.equal, moment.first) }
            return .all([
                compare(.greaterOrEqual, moment.first), compare(.lessOrEqual, moment.last),
            ])
        case .less: return compare(.less, moment.first)
        case .greaterOrEqual: return compare(.greaterOrEqual, moment.first)
        case .lessOrEqual: return compare(.lessOrEqual, moment.last)
        case .greater: return compare(.greater, moment.last)
        }
    }

    /// A value or a range of the type that `read` parses.
    private func ordered(
        _ field: QueryField, _ relation: Relation?, _ text: [UInt8], _ isLiteral: Bool,
        _ kind: String, _ read: ([UInt8]) -> QueryValue?
    ) throws(QueryValueFault) -> Condition {
        if relation == nil, !isLiteral, let dots = Self.dots(in: text) {
            return try range(field, text, dots, kind) { bound, _ in read(bound) }
        }
        try refuseStar(in: text, for: field)
        guard let value = read(text) else { throw QueryValueFault(kind) }
        return .compare(field, relation ?? .equal, value)
    }

    /// `a..b`, `a..` or `..b`; the argument of `read` is true for the upper bound.
    private func range(
        _ field: QueryField, _ text: [UInt8], _ dots: Int, _ kind: String,
        _ read: (_ bound: [UInt8], _ isUpper: Bool) -> QueryValue?
    ) throws(QueryValueFault) -> Condition {
        let bounds = (Array(text[..<dots]), Array(text[(dots + 2)...]))
        if bounds.0.isEmpty, bounds.1.isEmpty {
            throw QueryValueFault("a value before or after ..")
        }
        var lower: QueryValue?
        var upper: QueryValue?
        if !bounds.0.isEmpty {
            lower = read(bounds.0, false)
            if lower == nil { throw QueryValueFault(kind) }
        }
        if !bounds.1.isEmpty {
            upper = read(bounds.1, true)
            if upper == nil { throw QueryValueFault(at: dots + 2, kind) }
        }
        if let lower, let upper, !lower.isAtMost(upper) {
            throw QueryValueFault("a range from the lower to the higher value")
        }
        return .conjunction(
            [
                lower.map { .compare(field, .greaterOrEqual, $0) },
                upper.map { .compare(field, .lessOrEqual, $0) },
            ].compactMap(\.self))
    }
}

extension QueryValueReader {
    /// Digits with an optional minus sign.
    private func integer(_ text: [UInt8]) -> QueryValue? {
        guard text.first != UInt8(ascii: "+") else { return nil }
        return Int(String(decoding: text, as: UTF8.self)).map { .integer($0) }
    }

    /// A finite number in JSON syntax; leading zeros are allowed.
    private func number(_ text: [UInt8]) -> QueryValue? {
        var rest = text[...]
        func skip(_ allowed: String) -> Bool {
            guard let first = rest.first, allowed.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func skipDigits() -> Bool {
            let digits = rest.prefix(while: \.isDigit)
            rest.removeFirst(digits.count)
            return !digits.isEmpty
        }
        _ = skip("-")
        guard skipDigits() else { return nil }
        if skip("."), !skipDigits() { return nil }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() else { return nil }
        }
        guard rest.isEmpty, let value = Double(String(decoding: text, as: UTF8.self)),
            value.isFinite
        else { return nil }
        return .number(value)
    }

    private func refuseStar(
        in text: [UInt8], for field: QueryField
    ) throws(QueryValueFault) {
        guard let star = text.firstIndex(of: UInt8(ascii: "*")) else { return }
        throw QueryValueFault(
            at: star,
            "a whole value, since \(field.name) has no wildcards; in quotes a * is itself",
            hint: text.count == 1 ? "has:\(field.name)" : nil)
    }

    /// Index of the first `..`.
    static func dots(in text: [UInt8]) -> Int? {
        let dot = UInt8(ascii: ".")
        return text.indices.dropLast().first { text[$0] == dot && text[$0 + 1] == dot }
    }

    /// Converts ASCII letters of one case to the other.
    private static func mapped(
        _ text: [UInt8], from letters: ClosedRange<UInt8>, by bit: UInt8
    ) -> String {
        String(decoding: text.map { letters.contains($0) ? $0 ^ bit : $0 }, as: UTF8.self)
    }
}

/// An error inside the text of one value.
struct QueryValueFault: Error {
    /// Offset of the first wrong byte from the beginning of the value; negative for the relation
    /// before it.
    var offset: Int
    /// As in `QueryError`.
    var expected: String
    var hint: String?

    init(at offset: Int = 0, _ expected: String, hint: String? = nil) {
        self.offset = offset
        self.expected = expected
        self.hint = hint
    }
}
