// The terms of a query: words, phrases, `field:value` and `has:field`.

extension QueryParser {
    /// A word, a phrase, a comparison or an existence test.
    mutating func term() throws(QueryError) -> Condition {
        if peek() == UInt8(ascii: "\"") { return try phrase() }
        let run = run()
        guard let colon = bytes[run].firstIndex(of: UInt8(ascii: ":")) else {
            return try word(run)
        }
        let name = run.lowerBound..<colon
        index = colon + 1
        if bytes[name].elementsEqual("has".utf8) {
            return peek() == UInt8(ascii: "(") ? try group(.names) : try existence()
        }
        let field = try field(name, isComparison: true)
        return peek() == UInt8(ascii: "(") ? try group(.values(field)) : try value(of: field)
    }

    /// The field name of an existence test.
    mutating func existence() throws(QueryError) -> Condition {
        let start = index
        let run = run()
        try count(at: start)
        return .has(try field(run, isComparison: false))
    }

    /// A field's relation and value.
    ///
    /// - Parameter isListed: whether it is in parentheses, where a `-` is a part of it.
    mutating func value(
        of field: QueryField, isListed: Bool = false
    ) throws(QueryError) -> Condition {
        let begin = index
        let relation = relation()
        let start = index
        let text: [UInt8]
        let isLiteral = peek() == UInt8(ascii: "\"")
        if isLiteral {
            text = try quoted()
        } else {
            text = Array(bytes[run()])
            if text.isEmpty { throw fault("a value of \(field.name) right after the colon") }
        }
        try count(at: begin)
        do throws(QueryValueFault) {
            return try reader.condition(field, relation, text, isLiteral: isLiteral)
        } catch {
            let not = isListed && bytes[begin] == UInt8(ascii: "-") ? "NOT " : ""
            throw fault(
                error.expected, at: start + error.offset, hint: error.hint.map { not + $0 })
        }
    }
}

extension QueryParser {
    /// The field with this name.
    private func field(
        _ range: Range<Int>, isComparison: Bool
    ) throws(QueryError) -> QueryField {
        let name = String(decoding: bytes[range], as: UTF8.self)
        if let field = QueryField(name: name, in: reader.catalog) { return field }
        let hint = QueryField.nearest(to: name, in: reader.catalog, mayBeHas: isComparison)
        if range.isEmpty { throw fault("a field's name", at: range.lowerBound) }
        throw QueryError(
            at: range.lowerBound, of: bytes,
            expected: isComparison
                ? "the name of a field before : (text with a : goes in quotes)"
                : "the name of a field",
            found: name, hint: hint)
    }

    private mutating func relation() -> Relation? {
        for relation in [Relation.greaterOrEqual, .lessOrEqual, .greater, .less, .equal]
        where bytes[index...].starts(with: relation.rawValue.utf8) {
            index += relation.rawValue.utf8.count
            return relation
        }
        return nil
    }

    /// One word with an optional `*`, already read.
    private mutating func word(_ run: Range<Int>) throws(QueryError) -> Condition {
        var text = bytes[run]
        let star = UInt8(ascii: "*")
        if text.elementsEqual([star]) {
            try count(at: run.lowerBound)
            return .everything
        }
        let isPrefix = text.last == star
        if isPrefix { text.removeLast() }
        if let inner = text.firstIndex(of: star) {
            throw fault("a * only at the end of a word", at: inner)
        }
        return try words(Array(text), isPrefix: isPrefix, at: run.lowerBound)
    }

    /// `"words"` or `"words"*`.
    private mutating func phrase() throws(QueryError) -> Condition {
        let start = index
        let text = try quoted()
        return try words(text, isPrefix: skip(UInt8(ascii: "*")), at: start)
    }

    private mutating func words(
        _ text: [UInt8], isPrefix: Bool, at start: Int
    ) throws(QueryError) -> Condition {
        let words = Words.split(String(decoding: text, as: UTF8.self))
        if words.isEmpty { throw fault("a word with a letter or digit", at: start) }
        // Anything between the last word and the `*` would be lost.
        let letter = [UInt8(ascii: "x")]
        if isPrefix, Words.split(String(decoding: text + letter, as: UTF8.self)).count > words.count
        {
            throw fault("a letter or digit before *", at: index - 1)
        }
        try count(words.count, at: start)
        return .words(words, lastIsPrefix: isPrefix)
    }

    /// Quoted text, in which `\"` is a quote and `\\` a backslash; the reader is at the opening
    /// quote.
    private mutating func quoted() throws(QueryError) -> [UInt8] {
        let start = index
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        var text: [UInt8] = []
        index += 1
        while let byte = peek() {
            index += 1
            if byte == quote { return text }
            if byte == backslash {
                guard let next = peek(), next == quote || next == backslash else {
                    throw fault(#"\" or \\ in quotes"#, at: index - 1)
                }
                index += 1
                text.append(next)
            } else {
                text.append(byte)
            }
        }
        let opening = QueryError(at: start, of: bytes, expected: "").character
        throw fault("a \" to close the one of character \(opening)")
    }
}
