// The wording of every fault, in one place.
//
// Invariant: `found` names one character or byte, never a longer piece of the text, so that a fault
// can be shown wherever the text itself must not be.

extension JSONParser {
    func fault(
        _ kind: JSONFault.Kind, at offset: Int, expected: String, found: String? = nil,
        hint: String? = nil
    ) -> JSONFault {
        let position = JSONPosition(offset: offset, in: bytes)
        return JSONFault(
            kind: kind, offset: position.offset, line: position.line, column: position.column,
            expected: expected, found: found ?? description(at: offset), hint: hint)
    }

    func tooLarge() -> JSONFault {
        fault(
            .tooLarge, at: 0, expected: "at most \(Limits.maximumDocumentBytes) bytes",
            found: "\(bytes.count) bytes")
    }

    /// The fault of a text that starts with a byte order mark; nil for another one.
    func byteOrderMark() -> JSONFault? {
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
        return fault(
            .byteOrderMark, at: 0, expected: "a value", found: "a byte order mark",
            hint: "save the text as UTF-8 without a byte order mark")
    }

    func unexpectedEnd(expected: String) -> JSONFault {
        fault(
            .unexpectedEnd, at: bytes.count, expected: expected,
            hint: bytes.isEmpty ? "the text is empty" : "the text may have been cut off")
    }

    /// What the grammar was about to read.
    enum Place: Equatable {
        case value
        case name(isFirst: Bool)
        case colon
        case separator
        case end
    }

    /// The fault at `offset`, where something else stands than `place` says.
    @inline(never)
    func unexpected(_ place: Place, at offset: Int, _ tape: Tape) -> JSONFault {
        let expected = expected(place, tape)
        guard offset < bytes.count else {
            return unexpectedEnd(expected: expected)
        }
        if place == .end { return fault(.trailingBytes, at: offset, expected: expected) }
        switch place {
        case .value:
            if let fault = trailingComma(at: offset, tape) ?? wrongQuote(at: offset, expected) {
                return fault
            }
            if bytes[offset] == UInt8(ascii: "<"), tape.entries.isEmpty {
                return markup(at: offset)
            }
        case .name:
            if let fault = trailingComma(at: offset, tape) ?? wrongQuote(at: offset, expected) {
                return fault
            }
        default: break
        }
        if isInvalidUTF8(at: offset) { return invalidUTF8(at: offset) }
        return fault(.unexpectedByte, at: offset, expected: expected)
    }

    /// The fault of a word that starts as `literal` does, and is another one at `offset`.
    @inline(never)
    func badLiteral(
        _ literal: String, from start: Int, to offset: Int, _ tape: Tape
    ) -> JSONFault {
        guard offset < bytes.count else { return unexpectedEnd(expected: literal) }
        if isInvalidUTF8(at: offset) { return invalidUTF8(at: offset) }
        return fault(.unexpectedByte, at: offset, expected: literal)
    }

    /// What would have been right, for people.
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

    private func markup(at offset: Int) -> JSONFault {
        fault(
            .markup, at: offset, expected: "a value",
            hint: "this is a web page or XML; the sender may have been answered by an error page")
    }

    /// The fault of a closing bracket at `offset`, if there is a comma before it.
    private func trailingComma(at offset: Int, _ tape: Tape) -> JSONFault? {
        var comma = offset - 1
        while comma >= 0, Self.isWhitespace(bytes[comma]) { comma -= 1 }
        guard tape.depth > 0, comma >= 0, bytes[comma] == UInt8(ascii: ","),
            bytes[offset] == (tape.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        else { return nil }
        return fault(
            .trailingComma, at: comma, expected: "no comma after the last value",
            hint: "remove the comma")
    }

    func tooDeep(at offset: Int) -> JSONFault {
        fault(.tooDeep, at: offset, expected: "at most \(maximumDepth) levels of nesting")
    }

    func controlCharacter(at index: Int, inStringFrom start: Int) -> JSONFault {
        fault(
            .controlCharacter, at: index, expected: "no raw control character in a string",
            hint: "write it as an escape, such as \\n or \\u0000")
    }

    func badEscape(at index: Int) -> JSONFault {
        fault(
            .badEscape, at: index,
            expected: "\\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u and four hexadecimal digits",
            found: "a backslash and " + description(at: index + 1))
    }

    func badNumber(at index: Int, from start: Int) -> JSONFault {
        let isLeadingZero = index > start && bytes[index - 1] == UInt8(ascii: "0")
        return fault(
            .badNumber, at: index, expected: isLeadingZero ? "no leading zero" : "a digit")
    }

    func invalidUTF8(at index: Int) -> JSONFault {
        fault(.invalidUTF8, at: index, expected: "UTF-8", hint: "send the text as UTF-8")
    }

    private func wrongQuote(at offset: Int, _ expected: String) -> JSONFault? {
        let quotes = ["\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "'"]
        for quote in quotes where bytes[offset...].starts(with: quote.utf8) {
            return fault(
                .wrongQuote, at: offset, expected: expected, hint: "use the straight mark \"")
        }
        return nil
    }

    private func isInvalidUTF8(at index: Int) -> Bool {
        UTF8Sequence.length(in: bytes, at: index, end: bytes.count) == nil
    }

    /// The character or byte at `index`, for people.
    private func description(at index: Int) -> String {
        guard index < bytes.count else { return "the end of the text" }
        guard bytes[index] >= 0x20, bytes[index] != 0x7F,
            let length = UTF8Sequence.length(in: bytes, at: index, end: bytes.count)
        else {
            let digits = String(bytes[index], radix: 16, uppercase: true)
            return "byte 0x" + (digits.utf8.count == 1 ? "0" : "") + digits
        }
        return "\"" + String(decoding: bytes[index..<index + length], as: UTF8.self) + "\""
    }
}
