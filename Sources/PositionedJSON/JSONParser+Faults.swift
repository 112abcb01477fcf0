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

    func byteOrderMark() -> JSONFault {
        fault(
            .byteOrderMark, at: 0, expected: "a value", found: "a byte order mark",
            hint: "save the text as UTF-8 without a byte order mark")
    }

    func unexpectedEnd(expected: String) -> JSONFault {
        fault(
            .unexpectedEnd, at: bytes.count, expected: expected,
            hint: bytes.isEmpty ? "the text is empty" : "the text may have been cut off")
    }

    /// A fault at the current offset, where nothing better is known.
    func unexpected(expected: String) -> JSONFault {
        guard offset < bytes.count else { return unexpectedEnd(expected: expected) }
        if isInvalidUTF8(at: offset) { return invalidUTF8(at: offset) }
        return fault(.unexpectedByte, at: offset, expected: expected)
    }

    /// A fault at the current offset, where a value should start.
    func noValue() -> JSONFault {
        if let quote = wrongQuote(expected: "a value") { return quote }
        if bytes[offset] == UInt8(ascii: "<"), tape.isEmpty {
            return fault(
                .markup, at: offset, expected: "a value",
                hint:
                    "this is a web page or XML; the sender may have been answered by an error page")
        }
        return unexpected(expected: "a value")
    }

    /// A fault at the current offset, where a member's name should start.
    func noName(orClosing: Bool) -> JSONFault {
        let expected = "a member's name in quotation marks" + (orClosing ? " or \"}\"" : "")
        guard offset < bytes.count else { return unexpectedEnd(expected: expected) }
        return wrongQuote(expected: expected) ?? unexpected(expected: expected)
    }

    func trailingComma(at comma: Int) -> JSONFault {
        fault(
            .trailingComma, at: comma, expected: "no comma after the last value",
            hint: "remove the comma")
    }

    func tooDeep() -> JSONFault {
        fault(.tooDeep, at: offset, expected: "at most \(maximumDepth) levels of nesting")
    }

    func controlCharacter(at index: Int) -> JSONFault {
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

    private func wrongQuote(expected: String) -> JSONFault? {
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
