// Finds values in XML and in multipart forms (RFC 7578), by the names of elements and parts.
//
// Left out: namespaces, entities, and the content codings of parts.

import Text

extension Redactor {
    // MARK: Elements

    /// Replaces the content of the element at `index`, if its name or the element before it names a
    /// match; returns where to continue.
    mutating func element(at index: Int) -> Int {
        var end = index + 1
        while end < text.count, Self.isInElementName(text[end]) { end += 1 }
        guard end > index + 1 else { return index + 1 }
        let name = text[index + 1..<end]
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        var close = end
        while close < text.count, text[close] != UInt8(ascii: ">"), text[close] != UInt8(ascii: "<")
        {
            close += 1
        }
        guard close < text.count, text[close] == UInt8(ascii: ">"),
            text[close - 1] != UInt8(ascii: "/")
        else { return index + 1 }
        let content = close + 1
        let isNamed = isElementNamed
        isElementNamed = false
        if let found = sought.index(ofName: local) ?? (isNamed ? 0 : nil) {
            let range =
                content..<(text.span.index(
                    of: Array("</".utf8) + name, from: content, to: text.count) ?? text.count)
            guard !range.isEmpty else { return index + 1 }
            searchPiece(upTo: index)
            replace(range, of: found, isJSON: false)
            pieceStart = range.upperBound
            return range.upperBound
        }
        if sought.mark != nil, SecretPair.isName(local) {
            let last = text[content...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
            if last - content < Limits.maximumNameBytes {
                isElementNamed = SecretPair.names(Self.unquoted(text[content..<last]))
            }
        }
        return index + 1
    }

    private static func isInElementName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
            0x80...0xFF:
            true
        default: byte.isAlphanumeric
        }
    }

    // MARK: Parts

    /// Searches the parts of a multipart form in O(length); false if the text is not one.
    mutating func searchParts() -> Bool {
        guard text.count > 2, text[0] == UInt8(ascii: "-"), text[1] == UInt8(ascii: "-"),
            let lineEnd = text.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }),
            3...Limits.maximumBoundaryBytes ~= lineEnd
        else { return false }
        let boundary = [0x0A] + text[..<lineEnd]
        var (start, count) = (lineEnd, 0)
        while start < text.count {
            let next = text.span.index(of: boundary, from: start, to: text.count) ?? text.count
            // The line break before a boundary may also end the empty line after the fields.
            if searchPart(start..<min(next + 1, text.count)) { count += 1 }
            start = next + boundary.count
            if count == 0 { return false }
        }
        return count > 0
    }

    /// Searches one part, its header fields first; false if it has none.
    private mutating func searchPart(_ part: Range<Int>) -> Bool {
        // The fields end with an empty line (RFC 2046 §5.1.1).
        let ends = [[0x0A, 0x0D, 0x0A], [0x0A, 0x0A]].compactMap { end in
            text.span.index(of: end, from: part.lowerBound, to: part.upperBound)
                .map { $0 + end.count }
        }
        guard let start = ends.min(), start > part.lowerBound + 3 else { return false }
        var end = part.upperBound
        if end > start, text[end - 1] == 0x0A { end -= 1 }
        if end > start, text[end - 1] == 0x0D { end -= 1 }
        let fields = part.lowerBound..<start - 1
        searchAlone(fields)
        if let name = Self.name(in: text[fields]), let found = sought.index(ofName: name) {
            if start < end { replace(start..<end, of: found, isJSON: false) }
        } else {
            searchAlone(start..<end, inForm: true)
        }
        return true
    }

    /// The part's name in `Content-Disposition` (RFC 7578 §4.2).
    private static func name(in fields: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let wanted = Array("name=".utf8)
        var rest = fields
        while let place = rest.span.index(of: wanted, from: 0, to: rest.count) {
            let before = rest.prefix(place).last
            rest = rest.dropFirst(place + wanted.count)
            // Not the end of `filename`.
            guard let before, before <= 0x20 || before == UInt8(ascii: ";") else { continue }
            let isQuoted = rest.first == UInt8(ascii: "\"")
            return rest.dropFirst(isQuoted ? 1 : 0).prefix {
                $0 != UInt8(ascii: "\"") && $0 != 0x0D && $0 != 0x0A
                    && (isQuoted || $0 != UInt8(ascii: ";") && $0 != 0x20)
            }
        }
        return nil
    }
}
