// Finds the name before a separator, and the end of the value after it: its closing quotation mark,
// its closing bracket, or the end of the pair. If in doubt the value continues, so that more is
// hidden, not less.
//
// Invariant: at most `Limits.maximumNameBytes` of a name are read, so that a text full of
// separators costs no more than another.

import Text

extension Redactor {
    // MARK: Names

    /// A name, percent-decoded.
    struct Name {
        /// The name itself: one word, or everything between quotation marks.
        let bytes: ArraySlice<UInt8>

        /// The name with the words before it, as in `API key: x`.
        let phrase: ArraySlice<UInt8>

        /// The start of the name in the text, with what is before it in the same word.
        let start: Int

        /// The end of what is before the name: the separator, if the same word has escapes before
        /// the name, because it may then be a part of a value in the next layer.
        let endBefore: Int

        /// Whether it is in quotation marks.
        let isQuoted: Bool

        /// The part in the last brackets, or after the last dot: `name` of `fields[0][name]`.
        var lastPart: ArraySlice<UInt8> {
            bytes.split {
                $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: ".")
            }.last ?? []
        }
    }

    /// The name that ends before `sign`; nil if absent.
    func name(before sign: Int) -> Name? {
        let floor = max(pieceStart, sign - Limits.maximumNameBytes)
        var end = sign
        var mark: UInt8?
        filler: while end > floor {
            switch text[end - 1] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "+"): break
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if mark != nil { break filler }
                // An escaped quotation mark belongs to the next layer.
                let isEscaped = end - 1 > floor && text[end - 2] == UInt8(ascii: "\\")
                if isEscaped, canUnescape { return nil }
                mark = text[end - 1]
            case UInt8(ascii: "\\") where mark != nil: break
            default: break filler
            }
            end -= 1
        }
        if let mark, let open = text[floor..<end].lastIndex(of: mark) {
            let range = open + 1..<end
            let isEscaped = text[range].contains(UInt8(ascii: "\\"))
            let name =
                isEscaped ? DecodedText(text, range, from: .jsonString).bytes[...] : text[range]
            return Name(
                bytes: name, phrase: name, start: open + 1, endBefore: open + 1, isQuoted: true)
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
        let name = decodedName(begin..<end)
        // A name with an encoded quotation mark belongs to the next layer.
        if name.bytes.isEmpty || canUnescape && endsWithEncodedMark(begin..<end) { return nil }
        return Name(
            bytes: name.bytes, phrase: decodedName(first..<end).bytes, start: begin,
            endBefore: name.start == begin ? begin : sign, isQuoted: mark != nil)
    }

    /// Whether `range` ends with a percent-encoded quotation mark, apart from blanks.
    private func endsWithEncodedMark(_ range: Range<Int>) -> Bool {
        guard text[range].contains(UInt8(ascii: "%")) else { return false }
        let name = DecodedText(text, range, from: .percent).bytes
        return name.last { $0 > 0x20 } == UInt8(ascii: "\"")
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte >= 0x80 || "_-.[]%".utf8.contains(byte)
    }

    /// The last name in `range`, percent-decoded and without blanks, and its start in the text.
    private func decodedName(_ range: Range<Int>) -> (bytes: ArraySlice<UInt8>, start: Int) {
        let decoded = DecodedText(text, range, from: .percent)
        var name = decoded.bytes[...]
        while let byte = name.last, byte <= 0x20 || byte == UInt8(ascii: "\"") { name.removeLast() }
        let start = name.lastIndex { byte in
            byte != 0x20 && (!Self.isInName(byte) || byte == UInt8(ascii: "%"))
        }
        if let start { name = name[(start + 1)...] }
        while name.first == 0x20 { name.removeFirst() }
        return (name, decoded.source(of: name.startIndex))
    }

    // MARK: Values

    /// The end of the value after `sign`, if it begins with the name of a credential.
    func endOfSecretName(after sign: Int, of name: Name) -> Int? {
        // To read all of each value would cost O(length) for each name.
        let limit = min(text.count, sign + Limits.maximumPairDistance)
        guard let range = value(after: sign, of: name, limit: limit)?.range else { return nil }
        let value = DecodedText(text, range, from: .percent).bytes
        let text = Self.unquoted(value[...])
        let word = text.prefix { !"\"'\\<".utf8.contains($0) }
        let isSecret = SecretPair.names(word) || SecretPair.names(text.prefix(SecretPair.longest))
        return isSecret ? range.upperBound : nil
    }

    /// A text without quotation marks and blanks around it.
    static func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isMark(_ byte: UInt8) -> Bool {
            byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
        }
        var text = text.drop(while: isMark)
        while let byte = text.last, isMark(byte) { text.removeLast() }
        return text
    }

    /// The value after the separator at `sign`, and whether it is written as in JSON; nil if absent.
    ///
    /// - Parameter limit: where to stop; nil reads on to the end of the text.
    func value(
        after sign: Int, of name: Name, limit: Int? = nil
    ) -> (range: Range<Int>, isJSON: Bool)? {
        let limit = limit ?? text.count
        let isColon = text[sign] == UInt8(ascii: ":")
        var start = sign + 1
        if start < limit, text[start] == UInt8(ascii: isColon ? "=" : ">") { start += 1 }
        start = endOfBlanks(from: start, limit, withLines: name.isQuoted, withPlus: isColon)
        guard start < limit else { return isColon ? nil : (start..<start, false) }
        let isMember = isColon && (name.isQuoted || isMarkup)
        switch text[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let isJSON = text[start] == UInt8(ascii: "\"")
            let end = endOfString(from: start, limit)
            if end < limit, isColon || name.isQuoted || endsValue(end + 1) {
                return isJSON ? (start..<end + 1, true) : (start + 1..<end, false)
            }
            if isJSON, isMember { return (start..<limit, true) }
        case UInt8(ascii: "{") where isColon, UInt8(ascii: "[") where isColon:
            let end = endOfJSON(from: start, limit)
            return (start..<(isMember ? end : max(end, endOfPair(from: start, limit))), isMember)
        default: break
        }
        let end = isMember ? endOfMember(from: start, limit) : endOfPair(from: start, limit)
        return isColon && start == end ? nil : (start..<end, name.isQuoted)
    }

    /// The end of the value of `name=value` or `name: value` that starts at `start`.
    private func endOfPair(from start: Int, _ limit: Int) -> Int {
        var index = start
        while index < limit {
            switch text[index] {
            case UInt8(ascii: "&"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return index
            case UInt8(ascii: "#") where isTarget: return index
            case UInt8(ascii: "/") where isTarget && !isInQuery,
                UInt8(ascii: "?") where isTarget && !isInQuery:
                return index
            case UInt8(ascii: "<") where isMarkup, UInt8(ascii: "\"") where isMarkup: return index
            case UInt8(ascii: "\\") where isMarkup: index += 1
            default: break
            }
            index += 1
        }
        return limit
    }

    /// The end of the unquoted value of a member that starts at `start`.
    private func endOfMember(from start: Int, _ limit: Int) -> Int {
        let end = text[start..<limit].firstIndex {
            ",}]\n\r".utf8.contains($0) || $0 == UInt8(ascii: "&") && !isMarkup
        }
        return end ?? limit
    }

    /// The end of the object or array that starts at `start`, or `limit`.
    func endOfJSON(from start: Int, _ limit: Int) -> Int {
        var (index, depth) = (start, 0)
        while index < limit {
            switch text[index] {
            case UInt8(ascii: "\""): index = min(endOfString(from: index, limit), limit - 1)
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return limit
    }

    /// The mark that closes the string whose first mark is at `start`, or `limit`.
    private func endOfString(from start: Int, _ limit: Int) -> Int {
        var index = start + 1
        while index < limit {
            if text[index] == text[start] { return index }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return limit
    }

    /// Whether a quoted value may end before `index`.
    private func endsValue(_ index: Int) -> Bool {
        index >= text.count || text[index] <= 0x20 || "&,;>/)}]?".utf8.contains(text[index])
    }

    private func endOfBlanks(
        from start: Int, _ limit: Int, withLines: Bool, withPlus: Bool
    ) -> Int {
        let end = text[min(start, limit)..<limit].firstIndex { byte in
            switch byte {
            case 0x20, 0x09: false
            case 0x0A, 0x0D: !withLines
            case UInt8(ascii: "+"): !withPlus
            default: true
            }
        }
        return end ?? limit
    }
}
