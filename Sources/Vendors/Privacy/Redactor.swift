// Finds values by their names in a text of which nobody knows what it is: a form, JSON, a URL, or one
// of them inside of another. Two shapes are known: `name=value`, and `"name": value`, for which every mark is
// tried as the start, so that one missing in broken text can't hide what follows. What is escaped,
// the content of a JSON string or what stands between `&` and `&`, is unescaped and searched again. Among
// credentials is also what stands before the host in a URL.
//
// Invariant: only whole values are replaced, so that valid JSON stays valid.

import PositionedJSON

/// A search for values in one text, at one depth of escaping.
struct Redactor {
    /// A value to replace.
    struct Edit {
        let range: Range<Int>
        let text: [UInt8]
    }

    let text: [UInt8]

    private let sought: Sought

    /// The values found, in order, without overlap.
    private(set) var edits: [Edit] = []

    /// How many layers of escapes have been taken off.
    private let depth: Int

    /// Whether the text is a request target, in which `#` ends a value.
    private let isTarget: Bool

    /// Whether the text begins like JSON; if so, no pair goes past a quotation mark.
    private let isJSON: Bool

    /// Whether an odd number of quotation marks has been passed.
    private var isInString = false

    /// Where the current name starts, if this is one.
    private var nameStart: Int

    /// The start of what has still to be searched for percent-encoded values.
    private var pieceStart: Int

    /// Searches `text` from `start` to its end, in O(length) for each depth.
    init(
        searching text: [UInt8], for sought: Sought, from start: Int = 0, depth: Int = 0,
        isTarget: Bool = false
    ) {
        self.text = text
        self.sought = sought
        self.depth = depth
        self.isTarget = isTarget
        nameStart = start
        pieceStart = start
        isJSON = Self.beginsLikeJSON(text[start...])
        var index = start
        while index < text.count { index = step(at: index) }
        searchPiece(upTo: text.count)
    }

    private static func beginsLikeJSON(_ text: ArraySlice<UInt8>) -> Bool {
        for byte in text where byte > 0x20 {
            return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                || byte == UInt8(ascii: "\"")
        }
        return false
    }

    /// Looks at the byte at `index` and returns where to go on.
    private mutating func step(at index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "\""): return mark(at: index)
        case UInt8(ascii: "="): return equals(at: index)
        case UInt8(ascii: "\\"): return backslash(at: index)
        case UInt8(ascii: ":") where isStartOfAuthority(index): return authority(from: index + 3)
        case UInt8(ascii: "&"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            searchPiece(upTo: index)
            goOn(at: index + 1)
        case let byte where Self.startsName(byte):
            if !isEndOfName(index) { nameStart = index + 1 }
        default: break
        }
        return index + 1
    }

    /// Whether nothing but brackets, digits in them and blanks stand between `index` and the sign after a
    /// name, as in `password[]=` and `login =`; more than a few are no name's end.
    private func isEndOfName(_ index: Int) -> Bool {
        var isInBrackets = false
        for next in index..<min(index + Limits.maximumNameEndBytes, text.count) {
            switch text[next] {
            case UInt8(ascii: "="): return true
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: " "), UInt8(ascii: "+"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"): if !isInBrackets { return false }
            default: return false
            }
        }
        return false
    }

    // MARK: URLs

    /// Whether `://` stands at `index`, and what is in a URL before its host is sought.
    private func isStartOfAuthority(_ index: Int) -> Bool {
        sought.userInformation != nil && index + 2 < text.count
            && text[index + 1] == UInt8(ascii: "/") && text[index + 2] == UInt8(ascii: "/")
    }

    /// Replaces what stands before the last `@` of the authority at `start` (RFC 3986 §3.2.1), and returns
    /// where to go on.
    private mutating func authority(from start: Int) -> Int {
        var index = start
        var at: Int?
        search: while index < text.count {
            switch text[index] {
            case UInt8(ascii: "@"): at = index
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""),
                UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "<"), 0...0x20:
                break search
            default: break
            }
            index += 1
        }
        nameStart = start
        guard let at, let mark = sought.userInformation, !text[start..<at].elementsEqual(mark)
        else { return start }
        searchPiece(upTo: start)
        edits.append(Edit(range: start..<at, text: mark))
        goOn(at: at)
        return at
    }

    // MARK: Pairs

    /// Replaces the value of a pair whose name ends at `index`, if it is sought.
    private mutating func equals(at index: Int) -> Int {
        guard let name = soughtName(ofPair: nameStart..<index) else {
            nameStart = index + 1
            return index + 1
        }
        // Not with what separates it from this name, which a value inside of the piece may swallow.
        searchPiece(upTo: nameStart - 1)
        let end = endOfPair(from: index + 1)
        replace(index + 1..<end, of: name, isJSON: false)
        goOn(at: end)
        return end
    }

    /// Which of the names that are sought the percent-encoded name in `range` is, or ends with, as
    /// in `user[password]`; what is in brackets may be missing or an index.
    private func soughtName(ofPair range: Range<Int>) -> Int? {
        var name = CredentialName()
        var (isOver, isInBrackets) = (false, false)
        var index = range.lowerBound
        while index < range.upperBound {
            let octet = PercentEncoding.octet(text.span, at: index, end: range.upperBound)
            let byte = octet ?? text[index]
            if Self.startsName(byte) || byte == UInt8(ascii: "]") {
                isOver = true
                isInBrackets = byte == UInt8(ascii: "[")
            } else if !isInBrackets || byte &- UInt8(ascii: "0") > 9 {
                if isOver { name = CredentialName() }
                (isOver, isInBrackets) = (false, false)
                name.append(byte)
            }
            index += octet == nil ? 1 : 3
        }
        return sought.names.firstIndex(of: name)
    }

    /// Whether a name may start after `byte`: after everything but what names are made of.
    private static func startsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "%"), UInt8(ascii: "]"), 0x80...0xFF:
            false
        default: true
        }
    }

    /// One past the value that starts at `start`.
    private func endOfPair(from start: Int) -> Int {
        var index = start
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "&"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return index
            case UInt8(ascii: "#") where isTarget: return index
            case UInt8(ascii: "\"") where isJSON || (isInString && closesString(index)):
                return index
            case UInt8(ascii: "\\") where isJSON || isInString: index += 1
            default: break
            }
            index += 1
        }
        return text.count
    }

    /// Whether what follows the mark at `index` is what follows a string in JSON.
    private func closesString(_ index: Int) -> Bool {
        let next = skipWhitespace(from: index + 1)
        guard next < text.count else { return true }
        switch text[next] {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: "&"):
            return true
        default: return false
        }
    }

    // MARK: JSON

    /// Replaces the value of the member whose name starts with the mark at `index`, if it is sought;
    /// searches the string otherwise, if one starts here.
    private mutating func mark(at index: Int) -> Int {
        let end = endOfString(from: index + 1)
        let content = index + 1..<end
        if let value = startOfValue(afterName: end), let name = soughtName(ofMember: content) {
            searchPiece(upTo: index)
            let valueEnd = endOfValue(from: value)
            replace(value..<valueEnd, of: name, isJSON: true)
            isInString = false
            goOn(at: valueEnd)
            return valueEnd
        }
        isInString.toggle()
        if isInString, canUnescape, text[content].contains(UInt8(ascii: "\\")) {
            searchPiece(upTo: index)
            search(content, in: .jsonString)
            goOn(at: end)
            return end
        }
        if isJSON { searchPiece(upTo: index) }
        nameStart = index + 1
        return index + 1
    }

    /// Searches the rest of a string that begins nowhere, such as JSON that was escaped too often.
    private mutating func backslash(at index: Int) -> Int {
        guard canUnescape else {
            nameStart = min(index + 2, text.count)
            return nameStart
        }
        let end = endOfString(from: index)
        searchPiece(upTo: nameStart - 1)
        search(nameStart..<end, in: .jsonString)
        goOn(at: end)
        return end
    }

    /// Which of the names that are sought the escaped name in `range` is.
    private func soughtName(ofMember range: Range<Int>) -> Int? {
        var name = CredentialName()
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] == UInt8(ascii: "\\") {
                let escape = JSONEscapes.escape(in: text, at: index, end: range.upperBound)
                for byte in String(escape.scalar).utf8 { name.append(byte) }
                index += escape.length
            } else {
                name.append(text[index])
                index += 1
            }
        }
        return sought.names.firstIndex(of: name)
    }

    /// Where the value starts if the mark at `end` closes a member's name.
    private func startOfValue(afterName end: Int) -> Int? {
        let colon = skipWhitespace(from: end + 1)
        guard colon < text.count, text[colon] == UInt8(ascii: ":") else { return nil }
        let value = skipWhitespace(from: colon + 1)
        return value < text.count ? value : nil
    }

    /// One past the JSON value that starts at `start`.
    private func endOfValue(from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                index = min(endOfString(from: index + 1) + 1, text.count)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), UInt8(ascii: "\n"):
                if depth == 0 { return index }
            case UInt8(ascii: "&"):
                if depth == 0, !isJSON { return index }
            default: break
            }
            index += 1
        }
        return text.count
    }

    /// The mark that closes the string whose content starts at `start`, or the end of the text.
    private func endOfString(from start: Int) -> Int {
        var index = start
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") { return index }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return text.count
    }

    private func skipWhitespace(from start: Int) -> Int {
        var index = start
        while index < text.count, text[index] <= 0x20 || text[index] == UInt8(ascii: "+") {
            index += 1
        }
        return index
    }

    // MARK: Layers

    private var canUnescape: Bool { depth < Limits.maximumUnescapedLayers }

    /// Forgets what has been passed: names and pieces start at `index`.
    private mutating func goOn(at index: Int) {
        nameStart = index
        pieceStart = index
    }

    /// Searches what has been passed since `pieceStart` without its percent-encoding.
    private mutating func searchPiece(upTo end: Int) {
        guard pieceStart < end else { return }
        let piece = pieceStart..<end
        pieceStart = end
        guard canUnescape, text[piece].contains(UInt8(ascii: "%")) else { return }
        search(piece, in: .percent)
    }

    /// Searches `range` without its escapes.
    private mutating func search(_ range: Range<Int>, in layer: DecodedText.Layer) {
        guard sought.mayBe(in: text, range) else { return }
        let decoded = DecodedText(text, range, from: layer)
        guard sought.mayBe(in: decoded.bytes, decoded.bytes.indices) else { return }
        for edit in Redactor(searching: decoded.bytes, for: sought, depth: depth + 1).edits {
            edits.append(decoded.escaped(edit))
        }
    }

    /// Adds an edit, unless the value is as it should be already.
    private mutating func replace(_ range: Range<Int>, of name: Int, isJSON: Bool) {
        let value = text[range]
        let new = sought.replacement(name, value, isJSON)
        if value.elementsEqual(new) { return }
        edits.append(Edit(range: range, text: new))
    }
}
