// Strings, numbers and literals.
//
// Invariant: each function starts at its value's first byte and, unless it throws, appends one
// entry and leaves `offset` behind the last one.

extension JSONParser {
    /// Reads a string or member name.
    mutating func string(as tag: TapeEntry.Tag) throws(JSONFault) {
        let (end, hasEscapes) = try endOfString(from: offset)
        append(tag, from: offset, to: end, hasEscapes: hasEscapes)
        offset = end
    }

    /// One past the string that starts at `start`; escapes and UTF-8 are checked here only.
    private func endOfString(
        from start: Int
    ) throws(JSONFault) -> (end: Int, hasEscapes: Bool) {
        let text = bytes.span
        var index = start + 1
        var hasEscapes = false
        while index < text.count {
            let byte = text[index]
            // Wraps on purpose: one comparison finds both control characters and non-ASCII.
            if byte &- 0x20 < 0x60, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                index += 1
            } else if byte == UInt8(ascii: "\"") {
                return (index + 1, hasEscapes)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index += try escapeLength(at: index)
            } else if byte < 0x20 {
                throw controlCharacter(at: index)
            } else if let length = UTF8Sequence.length(in: bytes, at: index, end: text.count) {
                index += length
            } else {
                throw invalidUTF8(at: index)
            }
        }
        throw unexpectedEnd(expected: "a closing quotation mark")
    }

    /// The length of the escape at `start`, where a backslash stands.
    private func escapeLength(at start: Int) throws(JSONFault) -> Int {
        guard start + 1 < bytes.count else {
            throw unexpectedEnd(expected: "the rest of an escape")
        }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            for index in start + 2..<start + 6 {
                guard index < bytes.count else {
                    throw unexpectedEnd(expected: "four hexadecimal digits")
                }
                if JSONEscapes.hexDigit(bytes[index]) == nil { throw badEscape(at: start) }
            }
            return 6
        default: throw badEscape(at: start)
        }
    }

    /// Reads a number; it is kept as it was written.
    mutating func number() throws(JSONFault) {
        switch JSONNumber.scan(bytes.span, from: offset, end: bytes.count) {
        case .number(let end):
            append(.number, from: offset, to: end)
            offset = end
        case .broken(let index):
            if index == bytes.count { throw unexpectedEnd(expected: "a digit") }
            throw badNumber(at: index, from: offset)
        }
    }

    /// Reads `true`, `false` or `null`.
    mutating func literal(_ text: String, as tag: TapeEntry.Tag) throws(JSONFault) {
        let start = offset
        for byte in text.utf8 {
            guard offset < bytes.count else { throw unexpectedEnd(expected: text) }
            guard bytes[offset] == byte else { throw unexpected(expected: text) }
            offset += 1
        }
        append(tag, from: start, to: offset)
    }
}
