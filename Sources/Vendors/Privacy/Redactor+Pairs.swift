// Finds values in text that is not valid JSON: `name=value`, `name: value` and `"name":"value"`,
// anywhere. Every separator is tried with the text before it, so that a missing quotation mark in
// broken text can't hide what follows.
//
// Left out: values before their names, and names without a separator.

import JSON

/// The state of a search in text that is not JSON.
struct PairState {
    /// Whether the text is a request target, in which `#` ends a value.
    var isTarget = false

    /// Whether the text begins like JSON or markup, in which a quotation mark ends a pair's value.
    var isMarkup = false

    /// Whether an odd number of quotation marks has been passed.
    var isInString = false

    /// Whether a question mark has been passed.
    var isInQuery = false

    /// The start of the text that has still to be searched after decoding.
    var pieceStart = 0

    /// The end of the range in which a `value` belongs to a credential that an earlier `name`
    /// names.
    var namedUntil = 0

    /// Whether the next element's content belongs to a credential that the last element named.
    var isElementNamed = false

    /// Remaining attempts to parse a value as JSON.
    var attempts = 16
}

extension Redactor {
    /// Searches text that is not JSON from `start` to its end, in O(length).
    mutating func searchPairs(isTarget: Bool, from start: Int) {
        state.isTarget = isTarget
        state.isInQuery = start > 0
        state.pieceStart = start
        let first = text[start...].first { $0 > 0x20 }
        state.isMarkup =
            first == UInt8(ascii: "<") || first == UInt8(ascii: "(")
            || Self.beginsLikeJSON(text[start...])
        var index = start
        while index < text.count { index = step(at: index) }
        searchPiece(upTo: text.count)
    }

    /// Examines the byte at `index` and returns where to continue.
    private mutating func step(at index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "="), UInt8(ascii: ":"): return separator(at: index)
        case UInt8(ascii: "<"): return element(at: index)
        case UInt8(ascii: "/"): return slash(at: index)
        case UInt8(ascii: "\""): state.isInString.toggle()
        case UInt8(ascii: "?"): state.isInQuery = true
        case UInt8(ascii: "\\"):
            let isQuoted =
                index + 1 < text.count
                && (text[index + 1] == UInt8(ascii: "\"") || text[index + 1] == UInt8(ascii: "\\"))
            return index + (isQuoted ? 2 : 1)
        case UInt8(ascii: "&"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            searchPiece(upTo: index)
            state.pieceStart = index + 1
        default: return look(at: index)
        }
        return index + 1
    }

    /// Replaces a value that looks like a credential, or matches inside Base64 JSON; returns where
    /// to continue.
    private mutating func look(at index: Int) -> Int {
        guard let mark = sought.mark,
            let needle = Needles.looks.first(at: index, in: text.span, end: text.count)
        else { return index + 1 }
        if let found = SecretLook.range(needle, text.span, at: index, end: text.count) {
            return replace(found, by: mark, from: found.lowerBound)
        }
        guard needle == .base64, canUnescape, index == 0 || !Self.isBase64(text[index - 1]),
            let encoded = EncodedJSON(text.span, index, text.count)
        else { return index + 1 }
        let found = Self.edits(in: encoded.octets, for: sought, depth: depth + 1)
        if found.isEmpty { return index + 1 }
        return replace(
            encoded.range, by: encoded.encode(Redaction.apply(found, to: encoded.octets)),
            from: index)
    }

    /// Replaces a value whose name begins at `start`, and returns where to continue.
    private mutating func replace(_ range: Range<Int>, by mark: [UInt8], from start: Int) -> Int {
        searchPiece(upTo: start)
        replace(range, by: mark)
        state.pieceStart = range.upperBound
        return range.upperBound
    }

    /// Decodes and searches the text passed since the last piece.
    mutating func searchPiece(upTo end: Int) {
        guard state.pieceStart < end else { return }
        let piece = state.pieceStart..<end
        state.pieceStart = end
        if text[piece].contains(UInt8(ascii: "%")) { search(piece, in: .percent) }
        if text[piece].contains(UInt8(ascii: "\\")) { search(piece, in: .jsonString) }
    }

    // MARK: URLs

    /// Replaces userinfo after `//`, if it holds a password.
    private mutating func slash(at index: Int) -> Int {
        guard sought.mark != nil, index + 1 < text.count, text[index + 1] == UInt8(ascii: "/"),
            index == 0 || text[index - 1] != UInt8(ascii: "/")
        else { return index + 1 }
        return authority(from: index + 2, hasScheme: false)
    }

    /// Replaces the text before the last `@` of the authority at `start` (RFC 3986 §3.2.1), and
    /// returns where to continue.
    private mutating func authority(from start: Int, hasScheme: Bool) -> Int {
        var index = start
        var (at, hasColon) = (Int?.none, hasScheme)
        search: while index < text.count {
            switch text[index] {
            case UInt8(ascii: "@"): at = index
            case UInt8(ascii: ":"): if at == nil { hasColon = true }
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""),
                UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "<"), 0...0x20:
                break search
            default: break
            }
            index += 1
        }
        guard let at, hasColon, let mark = sought.mark else {
            // A host and port are not a name and a value.
            return text[start..<index].allSatisfy(Self.isInHost) ? index : start
        }
        return replace(start..<at, by: mark, from: start)
    }

    // MARK: Pairs

    /// Replaces the value after the separator at `index`, if its name is a match; returns where to
    /// continue.
    private mutating func separator(at index: Int) -> Int {
        let isColon = text[index] == UInt8(ascii: ":")
        if isColon, text.count - index > 2, text[index + 1] == UInt8(ascii: "/"),
            text[index + 2] == UInt8(ascii: "/")
        {
            return sought.mark == nil ? index + 1 : authority(from: index + 3, hasScheme: true)
        }
        // The scheme of a URL is not a name.
        guard let name = PairName(before: index, in: self),
            !(isColon && state.isTarget && !state.isInQuery && name.start == 0)
        else { return json(after: index) }
        var found = sought.index(ofPair: name.bytes) ?? sought.index(ofPair: name.phrase)
        if found == nil, sought.mark != nil {
            let part = name.lastPart
            if SecretPair.isValue(part), index < state.namedUntil {
                found = 0
            } else if SecretPair.isName(part), let value = value(after: index, of: name) {
                let text = DecodedText(text, value.range, from: .percent).bytes
                if SecretPair.names(Self.unquoted(text)) {
                    state.namedUntil = value.range.upperBound + Limits.maximumPairDistance
                }
            }
        }
        guard let found else { return json(after: index) }
        guard let value = value(after: index, of: name) else { return index + 1 }
        // Not including the name, which a value inside the piece could absorb.
        searchPiece(upTo: name.start)
        replace(value.range, of: found, isJSON: value.isJSON)
        if value.isJSON { state.isInString = false }
        state.pieceStart = value.range.upperBound
        return max(value.range.upperBound, index + 1)
    }

    /// Searches an object or array after the separator at `index` by its structure, if it is JSON.
    private mutating func json(after index: Int) -> Int {
        let start = index + 1
        guard start < text.count, state.attempts > 0,
            text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[")
        else { return start }
        state.attempts -= 1
        let range = start..<endOfJSON(from: start)
        guard sought.mayBe(in: text, range),
            let document = try? JSONDocument(parsing: Array(text[range]))
        else { return start }
        searchPiece(upTo: start)
        for edit in Self.edits(in: document.bytes, for: sought, depth: depth) {
            edits.append(edit.moved(by: start))
        }
        state.pieceStart = range.upperBound
        return range.upperBound
    }

    private static func isInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default:
            (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
    }

    static func unquoted(_ text: [UInt8]) -> ArraySlice<UInt8> {
        func isMark(_ byte: UInt8) -> Bool {
            byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
        }
        var text = text[...]
        while let byte = text.first, isMark(byte) { text.removeFirst() }
        while let byte = text.last, isMark(byte) { text.removeLast() }
        return text
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
