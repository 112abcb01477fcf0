// Hints for unexpected bytes that aren't one of the known mistakes.

extension JSONParser {
    /// A hint about the text at `offset`; nil if absent.
    func hint(_ place: Place, at offset: Int, _ tape: Tape) -> String? {
        if let hint = hintOnCharacter(at: offset, tape) { return hint }
        switch place {
        case .value: return hintOnValue(at: offset, tape)
        case .name: return nil
        case .colon:
            if byte(at: offset) == UInt8(ascii: "=") { return "write a colon" }
            return hintOnQuotes(before: offset, tape)
        case .separator: return hintOnQuotes(before: offset, tape)
        case .end:
            let isClosing = "]}".utf8.contains(byte(at: offset))
            return isClosing ? "this closing bracket is one too many" : nil
        }
    }

    private func hintOnCharacter(at offset: Int, _ tape: Tape) -> String? {
        if byte(at: offset) == 0, tape.entries.count <= 1 {
            return "the text may be UTF-16: save it as UTF-8"
        }
        let isInvisible = description(at: offset).hasPrefix("U+")
        return isInvisible ? "remove this character, which can't be seen" : nil
    }

    private func hintOnValue(at offset: Int, _ tape: Tape) -> String? {
        switch byte(at: offset) {
        case UInt8(ascii: "+"): return "remove the plus sign"
        case UInt8(ascii: "."): return "write a digit before the point"
        case UInt8(ascii: ","): return "there is a comma too many, or a value is missing"
        default: break
        }
        let word = word(at: offset)
        if word.isEmpty { return nil }
        for literal in ["true", "false", "null"]
        where isWord(word, oneOf: [literal], inAnyCase: true) {
            return "write \(literal), in lower case"
        }
        if isWord(word, oneOf: ["none", "nil", "undefined"], inAnyCase: true) {
            return "write null"
        }
        if isWord(word, oneOf: ["nan", "inf", "infinity"], inAnyCase: true) {
            return "JSON has no such number: write null or a string"
        }
        return tape.entries.isEmpty
            ? "this is plain text; the sender may have received an error message"
            : "put text in quotation marks"
    }

    /// The hint that a string followed by more text may contain an unescaped quotation mark.
    private func hintOnQuotes(before offset: Int, _ tape: Tape) -> String? {
        guard lastString(before: offset, tape) != nil, !Self.isStructural(bytes[offset]) else {
            return nil
        }
        return "a quotation mark inside a string is written \\\""
    }
}
