// Finds values in text that is not valid JSON: `name=value`, `name: value` and `"name":"value"`,
// anywhere. Every separator is tried with the text before it, so that a missing quotation mark in
// broken text can't hide what follows.
//
// Left out: values before their names, and names without a separator.

import JSON
import Text

extension Redactor {
    /// Searches text that is not JSON, in O(length).
    mutating func searchText() {
        let first = text.first { $0 > 0x20 }
        isMarkup =
            first == UInt8(ascii: "<") || first == UInt8(ascii: "(")
            || Self.beginsLikeJSON(text[...])
        var index = 0
        while index < text.count { index = step(at: index) }
        searchPiece(upTo: text.count)
    }

    /// Examines the byte at `index` and returns where to continue.
    private mutating func step(at index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "="), UInt8(ascii: ":"): return separator(at: index)
        case UInt8(ascii: "<"): return element(at: index)
        case UInt8(ascii: "/"): return slash(at: index)
        case UInt8(ascii: "?"), UInt8(ascii: "#"): isInQuery = true
        case UInt8(ascii: "\\"):
            let isQuoted =
                index + 1 < text.count
                && (text[index + 1] == UInt8(ascii: "\"") || text[index + 1] == UInt8(ascii: "\\"))
            return index + (isQuoted ? 2 : 1)
        case UInt8(ascii: "&"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            searchPiece(upTo: index)
            pieceStart = index + 1
        default: return look(at: index)
        }
        return index + 1
    }

    /// Replaces a value that looks like a credential, or matches inside Base64 JSON; returns where
    /// to continue.
    private mutating func look(at index: Int) -> Int {
        guard SecretLook.mayBegin[Int(text[index])], let mark = sought.mark else {
            return index + 1
        }
        let text = text
        if let found = look.range(in: text.span, at: index) {
            return replace(found, by: mark, from: found.lowerBound)
        }
        guard canUnescape, !leavesEscapes,
            index == 0 || !EncodedJSON.isInBase64URL(text[index - 1]),
            EncodedJSON.begins(text.span, index)
        else { return index + 1 }
        if index >= run.end {
            run.end = EncodedJSON.endOfRun(text.span, from: index)
            run.goesOn = EncodedJSON.goesOn(text.span, from: run.end)
        }
        // The next layer has all of it.
        if run.goesOn, depth + 1 < Limits.maximumUnescapedLayers { return index + 1 }
        guard EncodedJSON.beginsAsText(text.span, index) else { return index + 1 }
        encodedTries = index < encodedEnd ? encodedTries + 1 : 0
        if encodedTries > Limits.maximumBase64Starts {
            return replace(index..<encodedEnd, by: mark, from: index)
        }
        guard let encoded = EncodedJSON(text.span, index, endOfRun: run.end) else {
            return index + 1
        }
        encodedEnd = max(encodedEnd, encoded.range.upperBound)
        guard encoded.isText else { return index + 1 }
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
        pieceStart = range.upperBound
        return range.upperBound
    }

    /// Decodes and searches the text passed since the last piece.
    mutating func searchPiece(upTo end: Int) {
        guard pieceStart < end else { return }
        let piece = pieceStart..<end
        pieceStart = end
        if leavesEscapes { return }
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
        let end = text[start...].firstIndex { $0 <= 0x20 || "/?#\"\\&<".utf8.contains($0) }
        let host = text[start..<(end ?? text.count)]
        let at = host.lastIndex(of: UInt8(ascii: "@"))
        let colon = host.firstIndex(of: UInt8(ascii: ":"))
        if let mark = sought.mark, let at,
            let first = host.firstIndex(of: UInt8(ascii: "@")), hasScheme || colon ?? at < first
        {
            return replace(start..<at, by: mark, from: start)
        }
        // A host and port are not a name and a value.
        let isHost = host.allSatisfy { $0.isAlphanumeric || ".-:[]".utf8.contains($0) }
        return isHost ? host.endIndex : start
    }

    // MARK: Pairs

    /// Replaces the value after the separator at `index`, if its name is a match; returns where to
    /// continue.
    private mutating func separator(at index: Int) -> Int {
        let isColon = text[index] == UInt8(ascii: ":")
        if isColon, text[(index + 1)...].starts(with: "//".utf8) {
            return sought.mark == nil ? index + 1 : authority(from: index + 3, hasScheme: true)
        }
        // The scheme of a URL is not a name.
        guard let name = name(before: index),
            !(isColon && isTarget && !isInQuery && name.start == 0)
        else { return json(after: index) }
        let mayBeHost = isColon && index + 1 < text.count && text[index + 1].isDigit
        var found = sought.index(ofName: name.bytes, mayBeHost: mayBeHost)
        if found == nil, name.phrase != name.bytes {
            found = sought.index(ofName: name.phrase, mayBeHost: mayBeHost)
        }
        if found == nil, sought.mark != nil {
            let part = name.lastPart
            if SecretPair.isValue(part), index < namedUntil {
                found = 0
            } else if SecretPair.isName(part), let end = endOfSecretName(after: index, of: name) {
                namedUntil = end + Limits.maximumPairDistance
            }
        }
        guard let found else { return json(after: index) }
        guard let value = value(after: index, of: name) else { return index + 1 }
        // By chance, Base64 that was searched may look like a name, and its padding like a value.
        if index < encodedEnd, text[value.range].allSatisfy({ $0 == UInt8(ascii: "=") }) {
            return index + 1
        }
        // Not including the name, which a value inside the piece could absorb.
        searchPiece(upTo: name.endBefore)
        replace(value.range, of: found, isJSON: value.isJSON)
        pieceStart = value.range.upperBound
        return max(value.range.upperBound, index + 1)
    }

    /// Searches an object or array after the separator at `index` by its structure, if it is JSON.
    private mutating func json(after index: Int) -> Int {
        let start = index + 1
        guard start < text.count, attempts > 0,
            text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[")
        else { return start }
        attempts -= 1
        let range = start..<endOfJSON(from: start, text.count)
        guard sought.mayBe(in: text, range),
            let document = try? JSONDocument(parsing: Array(text[range]))
        else { return start }
        let found = Self.edits(in: document.bytes, for: sought, depth: depth, forms: forms)
        // Without any, the next layer may go on across it.
        if found.isEmpty { return range.upperBound }
        searchPiece(upTo: start)
        edits += found.map { $0.moved(by: start) }
        pieceStart = range.upperBound
        return range.upperBound
    }
}
