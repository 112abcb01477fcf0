// The texts of all faults, in one place.
//
// Invariant: `found` names one character or byte, never a longer part of the text, so a fault can
// be shown where the text itself can't. `JSONParser+Mistakes` analyses bytes that the grammar
// doesn't allow.

import Text

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

    /// The fault of a text that starts with a byte order mark; nil for other texts.
    func byteOrderMark() -> JSONFault? {
        guard let first = bytes.first, first >= 0xEF || first == 0 else { return nil }
        // The mark of UTF-32 starts with the one of UTF-16.
        let marks: [(encoding: String, mark: [UInt8])] = [
            ("UTF-32", [0xFF, 0xFE, 0, 0]), ("UTF-32", [0, 0, 0xFE, 0xFF]),
            ("UTF-16", [0xFF, 0xFE]), ("UTF-16", [0xFE, 0xFF]), ("UTF-8", [0xEF, 0xBB, 0xBF]),
        ]
        guard let found = marks.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
        return fault(
            .byteOrderMark, at: 0, expected: "a value",
            found: "a byte order mark of \(found.encoding)",
            hint: "save the text as UTF-8 without a byte order mark")
    }

    func unexpectedEnd(expected: String) -> JSONFault {
        fault(
            .unexpectedEnd, at: bytes.count, expected: expected,
            hint: bytes.isEmpty ? "the text is empty" : "the text may have been cut off")
    }

    func tooDeep(at offset: Int) -> JSONFault {
        fault(.tooDeep, at: offset, expected: "at most \(maximumDepth) levels of nesting")
    }

    func badEscape(at index: Int) -> JSONFault {
        fault(
            .badEscape, at: index,
            expected: "\\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u and four hexadecimal digits",
            found: "a backslash and " + description(at: index + 1),
            hint: "a backslash itself is written \\\\")
    }

    func badNumber(at index: Int, from start: Int) -> JSONFault {
        let isLeadingZero = index > start && bytes[index - 1] == UInt8(ascii: "0")
        return fault(
            .badNumber, at: index, expected: isLeadingZero ? "no leading zero" : "a digit")
    }

    func invalidUTF8(at index: Int) -> JSONFault {
        fault(.invalidUTF8, at: index, expected: "UTF-8", hint: "send the text as UTF-8")
    }

    /// The character or byte at `index`, for people.
    func description(at index: Int) -> String {
        guard index < bytes.count else { return "the end of the text" }
        if bytes[index] == 0x0A || bytes[index] == 0x0D { return "a line break" }
        guard bytes[index] >= 0x20, bytes[index] != 0x7F,
            let length = UTF8Sequence.length(in: bytes, at: index, end: bytes.count),
            let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self)
                .unicodeScalars.first
        else { return "byte 0x" + Hexadecimal.text(bytes[index], digits: 2, uppercase: true) }
        // An invisible character is named by its number.
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
            .spaceSeparator where scalar != " ", .enclosingMark, .nonspacingMark, .spacingMark:
            return "U+" + Hexadecimal.text(scalar.value, digits: 4, uppercase: true)
        default: return "\"\(scalar)\""
        }
    }
}
