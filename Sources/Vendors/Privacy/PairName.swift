// The name before a separator, in text of any kind.
//
// Invariant: at most `Limits.maximumNameBytes` are read, so that a text full of separators costs no
// more than another.

/// A name, percent-decoded.
struct PairName {
    /// The name itself: one word, or everything between quotation marks.
    let bytes: ArraySlice<UInt8>

    /// The name with the words before it, as in `API key: x`.
    let phrase: ArraySlice<UInt8>

    /// The start of the name in the text.
    let start: Int

    /// Whether it is in quotation marks.
    let isQuoted: Bool

    /// The part in the last brackets, or after the last dot: `name` of `fields[0][name]`.
    var lastPart: ArraySlice<UInt8> {
        bytes.split {
            $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: ".")
        }.last ?? []
    }

    /// Reads the name that ends before `sign`; nil if absent.
    init?(before sign: Int, in redactor: Redactor) {
        let text = redactor.text
        let floor = max(redactor.state.pieceStart, sign - Limits.maximumNameBytes)
        var end = sign
        var mark: UInt8?
        filler: while end > floor {
            switch text[end - 1] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "+"): break
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if mark != nil { break filler }
                // An escaped quotation mark belongs to the next layer.
                let isEscaped = end - 1 > floor && text[end - 2] == UInt8(ascii: "\\")
                if isEscaped, redactor.canUnescape { return nil }
                mark = text[end - 1]
            case UInt8(ascii: "\\") where mark != nil: break
            default: break filler
            }
            end -= 1
        }
        if let mark, let open = text[floor..<end].lastIndex(of: mark) {
            let name = open + 1..<end
            bytes =
                text[name].contains(UInt8(ascii: "\\"))
                ? DecodedText(text, name, from: .jsonString).bytes[...] : text[name]
            phrase = bytes
            start = open + 1
            isQuoted = true
            return
        }
        var begin = end
        while begin > floor, Self.isInName(text[begin - 1]) { begin -= 1 }
        guard begin < end else { return nil }
        var first = begin
        while first - 1 > floor, text[first - 1] == 0x20 || text[first - 1] == UInt8(ascii: "+"),
            Self.isInName(text[first - 2])
        {
            first -= 1
            while first > floor, Self.isInName(text[first - 1]) { first -= 1 }
        }
        bytes = Self.decoded(text, begin..<end)
        phrase = Self.decoded(text, first..<end)
        start = begin
        isQuoted = mark != nil
        if bytes.isEmpty { return nil }
        // A name with an encoded quotation mark belongs to the next layer.
        if redactor.canUnescape, Self.holdsMark(text, begin..<end) { return nil }
    }

    /// Whether `range` ends with a percent-encoded quotation mark, apart from blanks.
    private static func holdsMark(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        guard text[range].contains(UInt8(ascii: "%")) else { return false }
        let name = DecodedText(text, range, from: .percent).bytes
        return name.last { $0 > 0x20 } == UInt8(ascii: "\"")
    }

    /// Whether `byte` continues a name.
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "%"), 0x80...0xFF:
            true
        default:
            (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
    }

    /// The last name in `range`, percent-decoded and without blanks.
    private static func decoded(_ text: [UInt8], _ range: Range<Int>) -> ArraySlice<UInt8> {
        var name = DecodedText(text, range, from: .percent).bytes[...]
        while let byte = name.last, byte <= 0x20 || byte == UInt8(ascii: "\"") { name.removeLast() }
        let start = name.lastIndex { byte in
            byte != 0x20 && (!isInName(byte) || byte == UInt8(ascii: "%"))
        }
        if let start { name = name[(start + 1)...] }
        while name.first == 0x20 { name.removeFirst() }
        return name
    }
}
