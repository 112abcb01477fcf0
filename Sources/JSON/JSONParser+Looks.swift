// Tests of the bytes around an offset, by which `JSONParser+Mistakes` recognises mistakes.
//
// Invariant: any offset is allowed; outside of the text there are no bytes. Each test takes
// O(length of the text) or less, and few are made.

import Text

extension JSONParser {
    /// The byte at `offset`; 0 outside of the text.
    func byte(at offset: Int) -> UInt8 {
        bytes.indices.contains(offset) ? bytes[offset] : 0
    }

    func endOfWhitespace(from offset: Int) -> Int {
        bytes.span.endOfWhitespace(from: offset)
    }

    /// The offset of the last byte before `offset` that isn't whitespace; −1 if there is none.
    func lastVisible(before offset: Int) -> Int {
        var index = min(offset, bytes.count) - 1
        while index >= 0, Self.isWhitespace(bytes[index]) { index -= 1 }
        return index
    }

    /// The range of the text of the string that ends exactly at `offset`; nil if absent.
    func lastString(before offset: Int, _ tape: Tape) -> Range<Int>? {
        guard let last = tape.entries.last, last.tag == .string || last.tag == .name,
            last.byteRange.upperBound == offset
        else { return nil }
        return last.byteRange.lowerBound + 1..<last.byteRange.upperBound - 1
    }

    /// The letters, digits, `_` and `$` from `offset` on, as in names of programming languages.
    func word(at offset: Int) -> Range<Int> {
        var end = offset
        while end < bytes.count, let length = lengthOfWordCharacter(at: end) { end += length }
        return offset..<end
    }

    private func lengthOfWordCharacter(at index: Int) -> Int? {
        switch bytes[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            return 1
        case 0x80...:
            guard let length = UTF8Sequence.length(in: bytes, at: index, end: bytes.count) else {
                return nil
            }
            let text = String(decoding: bytes[index..<index + length], as: UTF8.self)
            return text.unicodeScalars.allSatisfy(\.properties.isAlphabetic) ? length : nil
        default: return nil
        }
    }

    /// Whether a word is one of `words`, which must be lowercase if case is ignored.
    func isWord(_ word: Range<Int>, oneOf words: [String], inAnyCase: Bool = false) -> Bool {
        let text = String(decoding: bytes[word.clamped(to: bytes.indices)], as: UTF8.self)
        return words.contains(inAnyCase ? text.lowercased() : text)
    }

    static func isStructural(_ byte: UInt8) -> Bool {
        ",:]}".utf8.contains(byte)
    }

    /// Whether a JSON value starts at `offset`.
    func startsValue(at offset: Int) -> Bool {
        switch byte(at: offset) {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        default: return isWord(word(at: offset), oneOf: ["true", "false", "null"])
        }
    }

    func isWrongQuote(at offset: Int) -> Bool {
        guard bytes.indices.contains(offset) else { return false }
        return Self.wrongQuotes.contains { bytes[offset...].starts(with: $0) }
    }

    private static let wrongQuotes = [
        "'", "`", "\u{AB}", "\u{BB}", "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{201C}",
        "\u{201D}", "\u{201E}", "\u{201F}", "\u{2032}", "\u{2033}", "\u{FF02}", "\u{FF07}",
    ].map { Array($0.utf8) }

    /// Whether a comment starts at `offset`: `//`, `/*` or `#`.
    func isComment(at offset: Int) -> Bool {
        let next = byte(at: offset + 1)
        switch byte(at: offset) {
        case UInt8(ascii: "#"): return true
        case UInt8(ascii: "/"): return next == UInt8(ascii: "/") || next == UInt8(ascii: "*")
        default: return false
        }
    }

    /// The start of a template's placeholder found at `offset`; nil if absent.
    ///
    /// By then, the first `{` of `{{x}}` has been parsed as an object's.
    func placeholder(_ place: Place, at offset: Int, isAtStart: Bool) -> Int? {
        let next = byte(at: offset + 1)
        let isInBrace =
            place == .name(isFirst: true) && byte(at: offset - 1) == UInt8(ascii: "{")
        switch byte(at: offset) {
        case UInt8(ascii: "{"):
            if startsDoubleBrace(at: offset) || next == UInt8(ascii: "%") { return offset }
            return isInBrace && startsDoubleBrace(at: offset - 1) ? offset - 1 : nil
        case UInt8(ascii: "%"):
            if isInBrace { return offset - 1 }
            return isNameStart(next) || "{(@%".utf8.contains(next) ? offset : nil
        case UInt8(ascii: "$"): return isNameStart(next) || "{(".utf8.contains(next) ? offset : nil
        case UInt8(ascii: "@"): return isNameStart(next) || "@{".utf8.contains(next) ? offset : nil
        case UInt8(ascii: "#"): return next == UInt8(ascii: "{") ? offset : nil
        case UInt8(ascii: "<"):
            if next == UInt8(ascii: "%") { return offset }
            if next == UInt8(ascii: "?") {
                let isXML = isWord(word(at: offset + 2), oneOf: ["xml"], inAnyCase: true)
                return isXML ? nil : offset
            }
            return isNameStart(next) && !isAtStart ? offset : nil
        default:
            let word = word(at: offset)
            if isInBrace, !word.isEmpty, byte(at: word.upperBound) == UInt8(ascii: "}") {
                return offset - 1
            }
            return isBetweenUnderscores(word) ? offset : nil
        }
    }

    /// Whether a word has the form `__X__`.
    private func isBetweenUnderscores(_ word: Range<Int>) -> Bool {
        let (text, marks) = (bytes[word], "__".utf8)
        return text.count > 4 && text.starts(with: marks) && text.suffix(2).elementsEqual(marks)
    }

    /// Whether `{{` is at `offset`, followed by something that an object can't contain.
    private func startsDoubleBrace(at offset: Int) -> Bool {
        guard byte(at: offset) == UInt8(ascii: "{"), byte(at: offset + 1) == UInt8(ascii: "{")
        else { return false }
        let inner = byte(at: endOfWhitespace(from: offset + 2))
        return inner != 0 && !"\"'}[]".utf8.contains(inner)
    }

    private func isNameStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte.isLetter
    }

    /// Whether a text that starts at `offset` looks like a program.
    func isSourceCode(at offset: Int) -> Bool {
        if byte(at: offset) == UInt8(ascii: "(") {
            return "({".utf8.contains(byte(at: offset + 1))
                || isWord(word(at: offset + 1), oneOf: ["function"])
        }
        guard isNameStart(byte(at: offset)) else { return false }
        let word = word(at: offset)
        let next = endOfWhitespace(from: word.upperBound)
        switch byte(at: next) {
        case UInt8(ascii: "="), UInt8(ascii: "("): return true
        case UInt8(ascii: "."): return next == word.upperBound && isNameStart(byte(at: next + 1))
        default:
            let words = [
                "async", "class", "const", "def", "export", "func", "function", "import",
                "interface", "let", "package", "return", "type", "use", "var",
            ]
            return next > word.upperBound && isWord(word, oneOf: words)
        }
    }
}
