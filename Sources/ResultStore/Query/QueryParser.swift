// A recursive descent parser over the bytes of a query; returns the folded condition or the first
// error.
// Invariant: NOT binds tighter than AND, and AND tighter than OR; two adjacent terms are an AND.
// Left out: the meaning of a single value (`QueryValueReader`).

import Clocks

/// A parser of one query's text.
package struct QueryParser {
    /// The query in UTF-8.
    let bytes: [UInt8]
    let reader: QueryValueReader

    /// The index of the next byte.
    var index = 0
    /// Number of open parentheses and `NOT`.
    private var depth = 0
    private var terms = 0

    /// What is allowed where a term is expected.
    enum Scope {
        /// Words, phrases and `field:value`.
        case terms
        /// Values of a field: inside the parentheses of `field:(a OR b)`.
        case values(QueryField)
        /// Names of fields: inside the parentheses of `has:(a OR b)`.
        case names
    }

    /// Parses a query.
    ///
    /// A blank text matches every record. The condition is folded. O(size).
    /// - Parameter now: the base of relative times such as `-15m`; nil refuses them.
    /// - Throws: the first error.
    package static func parse(
        _ text: String, catalog: FieldCatalog, now: Timestamp?
    ) throws(QueryError) -> Condition {
        var parser = QueryParser(
            bytes: Array(text.utf8), reader: QueryValueReader(catalog: catalog, now: now))
        return try parser.query()
    }

    init(bytes: [UInt8], reader: QueryValueReader) {
        self.bytes = bytes
        self.reader = reader
    }

    private mutating func query() throws(QueryError) -> Condition {
        guard bytes.count <= Limits.queryBytes else {
            let end = bytes[...Limits.queryBytes].lastIndex { $0 & 0xC0 != 0x80 } ?? 0
            throw QueryError(
                at: end, of: bytes, expected: "at most \(Limits.queryBytes) bytes",
                found: "\(bytes.count) bytes")
        }
        skipSpace()
        if index == bytes.count { return .everything }
        let condition = try disjunction(.terms)
        if index < bytes.count { throw fault("a ( before this )") }
        return condition
    }
}

extension QueryParser {
    /// `and { OR and }`.
    private mutating func disjunction(_ scope: Scope) throws(QueryError) -> Condition {
        var parts = [try conjunction(scope)]
        while skipOperator("OR") { parts.append(try conjunction(scope)) }
        return .disjunction(parts)
    }

    /// `not { [AND] not }`.
    private mutating func conjunction(_ scope: Scope) throws(QueryError) -> Condition {
        var parts = [try negation(scope)]
        while true {
            skipSpace()
            if !skipOperator("AND"), endsConjunction { return .conjunction(parts) }
            parts.append(try negation(scope))
        }
    }

    private var endsConjunction: Bool {
        peek() == nil || peek() == UInt8(ascii: ")") || isAtOperator("OR")
    }

    /// `NOT not`, `-term` or a term.
    private mutating func negation(_ scope: Scope) throws(QueryError) -> Condition {
        skipSpace()
        let start = index
        if skipOperator("NOT") {
            return .negation(
                try nested(at: start) { parser throws(QueryError) in
                    try parser.negation(scope)
                })
        }
        if case .terms = scope, skip(UInt8(ascii: "-")) {
            guard let byte = peek(), !Self.isSpace(byte), byte != UInt8(ascii: ")") else {
                throw fault("a term right after -")
            }
            return .negation(
                try nested(at: start) { parser throws(QueryError) in
                    try parser.negation(scope)
                })
        }
        return try primary(scope)
    }

    /// Parentheses or a term; a space, a `)` or the end must follow.
    private mutating func primary(_ scope: Scope) throws(QueryError) -> Condition {
        let condition: Condition
        if peek() == UInt8(ascii: "(") {
            condition = try group(scope)
        } else if peek() == nil || peek() == UInt8(ascii: ")") || isAtOperator("AND")
            || isAtOperator("OR")
        {
            throw fault(scope.expected)
        } else {
            switch scope {
            case .terms: condition = try term()
            case .values(let field): condition = try value(of: field, isListed: true)
            case .names: condition = try existence()
            }
        }
        if let byte = peek(), !Self.isSpace(byte), byte != UInt8(ascii: ")") {
            throw fault("a space or ) here")
        }
        return condition
    }

    /// `"(" or ")"`; the parser is at the `(`.
    mutating func group(_ scope: Scope) throws(QueryError) -> Condition {
        let start = index
        index += 1
        let condition = try nested(at: start) { parser throws(QueryError) in
            try parser.disjunction(scope)
        }
        guard skip(UInt8(ascii: ")")) else {
            let opening = QueryError(at: start, of: bytes, expected: "").character
            throw fault("a ) to close the ( of character \(opening)")
        }
        return condition
    }

    /// Parses something one level deeper.
    private mutating func nested(
        at start: Int, _ read: (inout QueryParser) throws(QueryError) -> Condition
    ) throws(QueryError) -> Condition {
        guard depth < Limits.queryDepth else {
            throw fault("at most \(Limits.queryDepth) open parentheses and NOT", at: start)
        }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    /// Counts terms that begin at `start`.
    mutating func count(_ count: Int = 1, at start: Int) throws(QueryError) {
        terms += count
        if terms > Limits.queryTerms {
            throw fault("at most \(Limits.queryTerms) comparisons and words", at: start)
        }
    }
}

extension QueryParser {
    /// The next byte; nil at the end.
    func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Reads `byte` if it is the next one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek(), Self.isSpace(byte) { index += 1 }
    }

    /// Whether the next bytes are this whole word: what follows can't be part of it.
    private func isAtOperator(_ word: String) -> Bool {
        let end = index + word.utf8.count
        return bytes[index...].starts(with: word.utf8)
            && (end == bytes.count || Self.delimits(bytes[end]))
    }

    private mutating func skipOperator(_ word: String) -> Bool {
        guard isAtOperator(word) else { return false }
        index += word.utf8.count
        return true
    }

    /// Reads up to the next space, parenthesis or quote.
    mutating func run() -> Range<Int> {
        let start = index
        while let byte = peek(), !Self.delimits(byte) { index += 1 }
        return start..<index
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0A).contains(byte) || byte == 0x0D
    }

    static func delimits(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
            || byte == UInt8(ascii: "\"")
    }

    /// An error at a byte; `found` is the text from there to the next space or parenthesis.
    func fault(_ expected: String, at byte: Int? = nil, hint: String? = nil) -> QueryError {
        let start = byte ?? index
        let rest = bytes[start...]
        let run = rest.dropFirst().prefix { !Self.delimits($0) }
        let found = rest[..<run.endIndex]
        return QueryError(
            at: start, of: bytes, expected: expected,
            found: found.isEmpty ? nil : String(decoding: found, as: UTF8.self), hint: hint)
    }
}

extension QueryParser.Scope {
    /// What is expected in this scope.
    var expected: String {
        switch self {
        case .terms: "a word, a phrase in quotes, field:value or ("
        case .values(let field): "a value of \(field.name)"
        case .names: "a field"
        }
    }
}
