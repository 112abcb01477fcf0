// Finds values in XML and in multipart forms (RFC 7578), by the names of elements and parts.
//
// Left out: namespaces, entities, and the content codings of parts.

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
        let isNamed = state.isElementNamed
        state.isElementNamed = false
        if let found = sought.index(of: local) ?? (isNamed ? 0 : nil) {
            let range = content..<endOfElement(name, from: content)
            guard !range.isEmpty else { return index + 1 }
            searchPiece(upTo: index)
            replace(range, of: found, isJSON: false)
            state.pieceStart = range.upperBound
            return range.upperBound
        }
        if sought.mark != nil, SecretPair.isName(local) {
            let last = text[content...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
            if last - content < Limits.maximumNameBytes {
                state.isElementNamed = SecretPair.names(
                    Self.unquoted(Array(text[content..<last])))
            }
        }
        return index + 1
    }

    /// The start of the element's closing tag, or the end of the text.
    private func endOfElement(_ name: ArraySlice<UInt8>, from start: Int) -> Int {
        let tag = Array("</".utf8) + name
        var index = start
        while text.count - index >= tag.count {
            if text[index] == tag[0], text[index..<index + tag.count].elementsEqual(tag) {
                return index
            }
            index += 1
        }
        return text.count
    }

    private static func isInElementName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
            0x80...0xFF:
            true
        default:
            (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
    }

    // MARK: Parts

    /// Searches the parts of a multipart form in O(length); false if the text is not one.
    mutating func searchParts() -> Bool {
        guard text.count > 2, text[0] == UInt8(ascii: "-"), text[1] == UInt8(ascii: "-"),
            let lineEnd = text.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }),
            3...Limits.maximumBoundaryBytes ~= lineEnd
        else { return false }
        let boundary = Array(text[..<lineEnd])
        var (start, count) = (lineEnd, 0)
        while start < text.count {
            let next = startOfBoundary(boundary, from: start)
            if searchPart(start..<next) { count += 1 }
            start = next + boundary.count
            if count == 0 { return false }
        }
        return count > 0
    }

    /// The start of the next line that begins with `boundary`, or the end of the text.
    private func startOfBoundary(_ boundary: [UInt8], from start: Int) -> Int {
        var index = start
        while text.count - index >= boundary.count {
            if text[index] == boundary[0], index == 0 || text[index - 1] == 0x0A,
                text[index..<index + boundary.count].elementsEqual(boundary)
            {
                return index
            }
            index += 1
        }
        return text.count
    }

    /// Searches one part, its header fields first; false if it has none.
    private mutating func searchPart(_ part: Range<Int>) -> Bool {
        // The fields end with an empty line (RFC 2046 §5.1.1).
        var (index, isEmptyLine) = (part.lowerBound, false)
        while index < part.upperBound {
            if text[index] == 0x0A {
                if isEmptyLine { break }
                isEmptyLine = true
            } else if text[index] != 0x0D {
                isEmptyLine = false
            }
            index += 1
        }
        guard index > part.lowerBound + 2, index < part.upperBound else { return false }
        let fields = part.lowerBound..<index
        var end = part.upperBound
        if end > index + 1, text[end - 1] == 0x0A { end -= 1 }
        if end > index + 1, text[end - 1] == 0x0D { end -= 1 }
        let content = index + 1..<end
        searchAlone(fields)
        if let name = Self.name(in: text[fields]), let found = sought.index(ofPair: name) {
            if !content.isEmpty { replace(content, of: found, isJSON: false) }
        } else {
            searchAlone(content)
        }
        return true
    }

    /// The part's name in `Content-Disposition` (RFC 7578 §4.2).
    private static func name(in fields: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let wanted = Array("name=".utf8)
        for index in fields.indices
        where fields.endIndex - index > wanted.count
            && fields[index..<index + wanted.count].elementsEqual(wanted)
        {
            // Not the end of `filename`.
            guard
                index == fields.startIndex || fields[index - 1] <= 0x20
                    || fields[index - 1] == UInt8(ascii: ";")
            else { continue }
            var value = fields[(index + wanted.count)...]
            let isQuoted = value.first == UInt8(ascii: "\"")
            if isQuoted { value.removeFirst() }
            let end = value.firstIndex {
                $0 == UInt8(ascii: "\"") || $0 == 0x0D || $0 == 0x0A
                    || !isQuoted && ($0 == UInt8(ascii: ";") || $0 == 0x20)
            }
            return value[..<(end ?? value.endIndex)]
        }
        return nil
    }
}
