// Strings, numbers and literals.
//
// Invariant: each function starts at its value's first byte and, unless it throws, appends one
// entry and returns the offset after the value.

import Text

extension JSONParser {
    /// Parses a string or member name.
    @inline(__always)
    func string(
        _ text: Span<UInt8>, at start: Int, as tag: TapeEntry.Tag, _ tape: inout Tape
    ) throws(JSONFault) -> Int {
        let plain = text.endOfPlainText(from: start + 1)
        if plain < text.count, text[plain] == UInt8(ascii: "\"") {
            tape.append(tag, start..<plain + 1)
            return plain + 1
        }
        let (end, hasEscapes) = try endOfString(text, from: start, plain: plain)
        tape.append(tag, start..<end, hasEscapes: hasEscapes)
        return end
    }

    /// The offset after the string that starts at `start` and is plain up to `plain`.
    ///
    /// Escapes and UTF-8 are checked only here.
    private func endOfString(
        _ text: Span<UInt8>, from start: Int, plain: Int
    ) throws(JSONFault) -> (end: Int, hasEscapes: Bool) {
        var index = plain
        var hasEscapes = false
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                return (index + 1, hasEscapes)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index += try escapeLength(text, at: index)
            } else if byte < 0x20 {
                throw controlCharacter(at: index, inStringFrom: start)
            } else if byte < 0x80 {
                index = text.endOfPlainText(from: index)
            } else if let length = UTF8Sequence.length(in: text, at: index, end: text.count) {
                index += length
            } else {
                throw invalidUTF8(at: index)
            }
        }
        throw unexpectedEnd(expected: "a closing quotation mark")
    }

    /// The length of the escape whose backslash is at `start`.
    @inline(__always)
    private func escapeLength(_ text: Span<UInt8>, at start: Int) throws(JSONFault) -> Int {
        guard start + 1 < text.count else {
            throw unexpectedEnd(expected: "the rest of an escape")
        }
        switch text[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            for index in start + 2..<start + 6 {
                guard index < text.count else {
                    throw unexpectedEnd(expected: "four hexadecimal digits")
                }
                if text[index].hexadecimalValue == nil { throw badEscape(at: start) }
            }
            return 6
        default: throw badEscape(at: start)
        }
    }

    /// Parses a number; it is kept as written.
    @inline(__always)
    func number(
        _ text: Span<UInt8>, at start: Int, _ tape: inout Tape
    ) throws(JSONFault) -> Int {
        switch JSONNumber.scan(text, from: start, end: text.count) {
        case .number(let end):
            tape.append(.number, start..<end)
            return end
        case .broken(let index):
            if index == text.count { throw unexpectedEnd(expected: "a digit") }
            throw badNumber(at: index, from: start)
        }
    }

    /// Parses `true`, `false` or `null`.
    @inline(__always)
    func literal(
        _ literal: String, _ text: Span<UInt8>, at start: Int, as tag: TapeEntry.Tag,
        _ tape: inout Tape
    ) throws(JSONFault) -> Int {
        var offset = start
        for byte in literal.utf8 {
            guard offset < text.count, text[offset] == byte else {
                throw badLiteral(literal, from: start, to: offset, tape)
            }
            offset += 1
        }
        tape.append(tag, start..<offset)
        return offset
    }
}
