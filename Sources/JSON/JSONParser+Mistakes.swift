// Recognises what people and programs often write by mistake in place of JSON.
//
// Invariant: this runs once, after the grammar has failed at an offset, and only describes that
// failure: it never makes a text valid or invalid. If a text looks like several mistakes, the first
// that is tested is reported. A mistake is reported where it starts, possibly a byte earlier.

import Text

extension JSONParser {
    /// What the grammar expects next.
    enum Place: Equatable {
        case value
        case name(isFirst: Bool)
        case colon
        case separator
        case end
    }

    /// The fault at `offset`, where the text isn't what `place` expects.
    @inline(never)
    func unexpected(_ place: Place, at offset: Int, _ tape: Tape) -> JSONFault {
        let expected = expected(place, tape)
        guard offset < bytes.count else { return unexpectedEnd(expected: expected) }
        return mistake(place, at: offset, tape)
            ?? fault(
                place == .end ? .trailingBytes : .unexpectedByte, at: offset, expected: expected,
                hint: hint(place, at: offset, tape))
    }

    /// The fault of a word that starts like `literal`, and differs at `offset`.
    @inline(never)
    func badLiteral(
        _ literal: String, from start: Int, to offset: Int, _ tape: Tape
    ) -> JSONFault {
        guard offset < bytes.count else { return unexpectedEnd(expected: literal) }
        return mistake(.value, at: start, tape) ?? misplaced(.value, at: offset, tape)
            ?? fault(
                .unexpectedByte, at: offset, expected: literal,
                hint: hint(.value, at: start, tape))
    }

    /// The fault of the control character at `index` in a string that starts at `start`.
    @inline(never)
    func controlCharacter(at index: Int, inStringFrom start: Int) -> JSONFault {
        guard bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") else {
            return fault(
                .controlCharacter, at: index, expected: "no raw control character in a string",
                hint: "write it as an escape, such as \\t or \\u0000")
        }
        return curlyClosing(in: start + 1..<index)
            ?? fault(
                .unclosedString, at: index,
                expected: "a closing quotation mark before the line ends",
                hint: "close the string; a line break in it is written \\n")
    }

    /// What was expected, for people.
    private func expected(_ place: Place, _ tape: Tape) -> String {
        switch place {
        case .value: "a value"
        case .name(isFirst: true): "a member's name in quotation marks or \"}\""
        case .name(isFirst: false): "a member's name in quotation marks"
        case .colon: "\":\" after the member's name"
        case .separator: tape.isInObject ? "\",\" or \"}\"" : "\",\" or \"]\""
        case .end: "nothing after the value"
        }
    }

    /// The known mistake at `offset`; nil if absent.
    private func mistake(_ place: Place, at offset: Int, _ tape: Tape) -> JSONFault? {
        if let foreign = misplaced(place, at: offset, tape) { return foreign }
        switch place {
        case .value:
            return trailingComma(at: offset, tape) ?? negation(at: offset, tape)
                ?? otherLanguage(at: offset, tape)
        case .name:
            return trailingComma(at: offset, tape) ?? decimalComma(before: offset, tape)
                ?? unquotedName(place, at: offset, tape)
        case .colon: return lastString(before: offset, tape).flatMap(curlyClosing)
        case .separator:
            return negation(at: offset, tape) ?? missingComma(at: offset, tape)
                ?? lastString(before: offset, tape).flatMap(curlyClosing)
        case .end: return secondValue(at: offset)
        }
    }

    /// Mistakes that can be anywhere: invalid UTF-8, a placeholder, a comment, a wrong quotation
    /// mark.
    private func misplaced(_ place: Place, at offset: Int, _ tape: Tape) -> JSONFault? {
        guard UTF8Sequence.length(in: bytes, at: offset, end: bytes.count) != nil else {
            return invalidUTF8(at: offset)
        }
        let expected = expected(place, tape)
        if let start = placeholder(place, at: offset, isAtStart: tape.entries.isEmpty) {
            return fault(
                .templatePlaceholder, at: start, expected: expected,
                hint: "write the value in place of the template's placeholder, in quotation marks "
                    + "if it is text")
        }
        if isComment(at: offset) {
            return fault(
                .comment, at: offset, expected: expected,
                hint: "JSON has no comments: remove it")
        }
        if isWrongQuote(at: offset) {
            let isStraight = "'`".utf8.contains(byte(at: offset))
            return fault(
                .wrongQuote, at: offset, expected: expected,
                hint: isStraight ? "use the double mark \"" : "use the straight mark \"")
        }
        return nil
    }

    private func trailingComma(at offset: Int, _ tape: Tape) -> JSONFault? {
        let comma = lastVisible(before: offset)
        guard tape.depth > 0, byte(at: comma) == UInt8(ascii: ","),
            byte(at: offset) == (tape.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        else { return nil }
        return fault(
            .trailingComma, at: comma, expected: "no comma after the last value",
            hint: "remove the comma")
    }

    /// `NOT "/x"`, which old link files have inside of the string.
    private func negation(at offset: Int, _ tape: Tape) -> JSONFault? {
        let word = word(at: offset)
        let next = endOfWhitespace(from: word.upperBound)
        guard tape.depth > 0, !tape.isInObject, isWord(word, oneOf: ["not"], inAnyCase: true),
            byte(at: next) == UInt8(ascii: "\"") || isWrongQuote(at: next)
        else { return nil }
        return fault(
            .notOutsideQuotes, at: offset, expected: "text in quotation marks",
            hint: "put NOT inside the quotation marks: \"NOT /path\"")
    }

    /// `0,5` in an object: digits in place of a name, directly after a number and its comma.
    private func decimalComma(before offset: Int, _ tape: Tape) -> JSONFault? {
        let digits = word(at: offset)
        guard !digits.isEmpty, bytes[digits].allSatisfy(\.isDigit),
            byte(at: endOfWhitespace(from: digits.upperBound)) != UInt8(ascii: ":"),
            let last = tape.entries.last, last.tag == .number,
            last.byteRange.upperBound == offset - 1
        else { return nil }
        return fault(
            .badNumber, at: offset - 1, expected: "a number",
            hint: "use a point before the decimals, not a comma")
    }

    private func unquotedName(_ place: Place, at offset: Int, _ tape: Tape) -> JSONFault? {
        guard !word(at: offset).isEmpty else { return nil }
        return fault(
            .unquotedName, at: offset, expected: expected(place, tape),
            hint: "put the name in quotation marks")
    }

    private func missingComma(at offset: Int, _ tape: Tape) -> JSONFault? {
        // In an object a name would follow; other values there are another mistake.
        guard startsValue(at: offset), !tape.isInObject || byte(at: offset) == UInt8(ascii: "\"")
        else { return nil }
        let line = JSONPosition(offset: lastVisible(before: offset), in: bytes).line
        return fault(
            .missingComma, at: offset, expected: expected(.separator, tape),
            hint: "write a comma after the value that ends on line \(line)")
    }

    private func secondValue(at offset: Int) -> JSONFault? {
        if byte(at: offset) == UInt8(ascii: ";") {
            return fault(
                .sourceCode, at: offset, expected: "nothing after the value",
                hint: "this is JavaScript: remove the semicolon and what follows it")
        }
        let isComma = byte(at: offset) == UInt8(ascii: ",")
        guard startsValue(at: isComma ? endOfWhitespace(from: offset + 1) : offset) else {
            return nil
        }
        return fault(
            .severalValues, at: offset, expected: "nothing after the value",
            hint: "a text is one value: put several into an array, or each into a text of its own")
    }

    /// Markup or a program instead of JSON.
    private func otherLanguage(at offset: Int, _ tape: Tape) -> JSONFault? {
        guard tape.entries.isEmpty else { return nil }
        if byte(at: offset) == UInt8(ascii: "<") {
            return fault(
                .markup, at: offset, expected: "a value",
                hint:
                    "this is a web page or XML; the sender may have received an error page")
        }
        guard isSourceCode(at: offset) else { return nil }
        return fault(
            .sourceCode, at: offset, expected: "a value",
            hint: "this is JavaScript or another program: send the JSON that it makes")
    }

    /// A typographic quotation mark that was meant to close a string.
    private func curlyClosing(in text: Range<Int>) -> JSONFault? {
        let range = text.clamped(to: bytes.indices)
        // All such marks are in General Punctuation, and have three bytes.
        for index in range where bytes[index] == 0xE2 && isWrongQuote(at: index) {
            let next = endOfWhitespace(from: index + 3)
            guard next >= range.upperBound || Self.isStructural(bytes[next]) else { continue }
            return fault(
                .wrongQuote, at: index, expected: "a closing quotation mark",
                hint: "use the straight mark \"")
        }
        return nil
    }
}
