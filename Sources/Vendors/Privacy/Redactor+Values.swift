// Finds the end of a pair's value: its closing quotation mark, its closing bracket, or the end of
// the pair. If in doubt the value continues, so that more is hidden, not less.

extension Redactor {
    /// The range of a value, and whether it is written as in JSON.
    struct Value {
        let range: Range<Int>
        let isJSON: Bool
    }

    /// The value after the separator at `sign`; nil if absent.
    func value(after sign: Int, of name: PairName) -> Value? {
        let isColon = text[sign] == UInt8(ascii: ":")
        var start = sign + 1
        if start < text.count, text[start] == UInt8(ascii: isColon ? "=" : ">") { start += 1 }
        start = skipBlanks(from: start, withLines: name.isQuoted, withPlus: isColon)
        guard start < text.count else {
            return isColon ? nil : Value(range: start..<start, isJSON: false)
        }
        let isMember = isColon && (name.isQuoted || state.isMarkup)
        switch text[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let mark = text[start]
            let isJSON = mark == UInt8(ascii: "\"")
            let end = endOfString(from: start + 1, mark: mark)
            if end < text.count, isColon || name.isQuoted || endsValue(end + 1) {
                return isJSON
                    ? Value(range: start..<end + 1, isJSON: true)
                    : Value(range: start + 1..<end, isJSON: false)
            }
            if isJSON, isMember { return Value(range: start..<text.count, isJSON: true) }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if isColon {
                var end = endOfJSON(from: start)
                if !isMember { end = max(end, endOfPair(from: start)) }
                return Value(range: start..<end, isJSON: isMember)
            }
        default: break
        }
        let end = isMember ? endOfMember(from: start) : endOfPair(from: start)
        if isColon, start == end { return nil }
        return Value(range: start..<end, isJSON: name.isQuoted)
    }

    /// The end of the value of `name=value` or `name: value` that starts at `start`.
    private func endOfPair(from start: Int) -> Int {
        var index = start
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "&"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return index
            case UInt8(ascii: "#") where state.isTarget: return index
            case UInt8(ascii: "/"), UInt8(ascii: "?"):
                if state.isTarget, !state.isInQuery { return index }
            case UInt8(ascii: "<") where state.isMarkup: return index
            case UInt8(ascii: "\"") where state.isMarkup || state.isInString && closesString(index):
                return index
            case UInt8(ascii: "\\") where state.isMarkup || state.isInString: index += 1
            default: break
            }
            index += 1
        }
        return text.count
    }

    /// The end of the unquoted value of a member that starts at `start`.
    private func endOfMember(from start: Int) -> Int {
        var index = start
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"):
                return index
            case UInt8(ascii: "&") where !state.isMarkup: return index
            default: index += 1
            }
        }
        return text.count
    }

    /// The end of the object or array that starts at `start`, or of the text.
    func endOfJSON(from start: Int) -> Int {
        var (index, depth) = (start, 0)
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                index = min(endOfString(from: index + 1, mark: text[index]), text.count - 1)
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return text.count
    }

    /// The mark that closes the string whose content starts at `start`, or the end of the text.
    private func endOfString(from start: Int, mark: UInt8) -> Int {
        var index = start
        while index < text.count {
            if text[index] == mark { return index }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return text.count
    }

    /// Whether a quoted value may end before `index`.
    private func endsValue(_ index: Int) -> Bool {
        guard index < text.count else { return true }
        switch text[index] {
        case UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ">"),
            UInt8(ascii: "/"), UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: "?"), 0...0x20:
            return true
        default: return false
        }
    }

    /// Whether the mark at `index` is followed by what may follow a string in JSON.
    private func closesString(_ index: Int) -> Bool {
        let next = skipBlanks(from: index + 1, withLines: true, withPlus: true)
        guard next < text.count else { return true }
        switch text[next] {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: "&"):
            return true
        default: return false
        }
    }

    private func skipBlanks(from start: Int, withLines: Bool, withPlus: Bool) -> Int {
        var index = start
        while index < text.count {
            switch text[index] {
            case 0x20, 0x09: break
            case 0x0A, 0x0D: if !withLines { return index }
            case UInt8(ascii: "+"): if !withPlus { return index }
            default: return index
            }
            index += 1
        }
        return index
    }
}

extension Redactor.Edit {
    /// The same edit in a longer text.
    func moved(by offset: Int) -> Redactor.Edit {
        Redactor.Edit(
            range: range.lowerBound + offset..<range.upperBound + offset, text: text)
    }
}
