// Where credentials stand in JSON text, found without parsing it.
//
// Whatever stands between two quotation marks is tried as a name, if a colon comes next. In valid
// JSON that finds all names that can be a credential's, since none of those holds a mark; in broken
// text a mark that is missing somewhere can't hide what follows. Only whole values are replaced, so
// that valid JSON stays valid.

import PositionedJSON

extension Redaction {
    /// The ranges of the credentials' values, in order.
    static func members(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var mark = nextMark(in: text, from: 0)
        while let start = mark {
            mark = nextMark(in: text, from: start + 1)
            guard let end = mark, let value = valueStart(in: text, afterName: end),
                isCredential(text, start + 1..<end)
            else { continue }
            let valueEnd = endOfValue(in: text, from: value)
            found.append(value..<valueEnd)
            mark = nextMark(in: text, from: valueEnd)
        }
        return found
    }

    /// The next quotation mark at or after `start`.
    private static func nextMark(in text: [UInt8], from start: Int) -> Int? {
        let text = text.span
        var index = start
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") { return index }
            index += 1
        }
        return nil
    }

    /// Where the value starts if the mark at `end` closes a member's name.
    private static func valueStart(in text: [UInt8], afterName end: Int) -> Int? {
        let colon = skipWhitespace(in: text, from: end + 1)
        guard colon < text.count, text[colon] == UInt8(ascii: ":") else { return nil }
        let value = skipWhitespace(in: text, from: colon + 1)
        return value < text.count ? value : nil
    }

    /// Whether the escaped name in `range` is a credential's.
    private static func isCredential(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        var name = CredentialName()
        var index = range.lowerBound
        while index < range.upperBound, !name.isTooLong {
            if text[index] == UInt8(ascii: "\\") {
                let escape = JSONEscapes.escape(in: text, at: index, end: range.upperBound)
                for byte in String(escape.scalar).utf8 { name.append(byte) }
                index += escape.length
            } else {
                name.append(text[index])
                index += 1
            }
        }
        return name.isCredential
    }

    /// One past the value that starts at `start`.
    private static func endOfValue(in text: [UInt8], from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                index = endOfString(in: text, from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), UInt8(ascii: "\n"):
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return text.count
    }

    /// One past the closing mark of the string whose opening mark is at `start`.
    private static func endOfString(in text: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") { return index + 1 }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return text.count
    }

    private static func skipWhitespace(in text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count, text[index] <= 0x20 { index += 1 }
        return index
    }
}
