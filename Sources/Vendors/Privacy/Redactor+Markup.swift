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
    ///
    /// Lenient, unlike the decoder: a form that isn't by the book still holds its values.
    mutating func searchParts() -> Bool {
        guard let opening = openingBoundary else { return false }
        let preamble = 0..<opening.lowerBound
        searchAlone(preamble)
        var borders = [opening.lowerBound]
        var start = lineEnd(from: opening.upperBound).next
        while start < text.count {
            let (end, next) = endOfPart(from: start, boundary: opening)
            searchPart(start..<end)
            borders.append(end)
            start = next
        }
        // What begins with other text may be no form: a value may then hold what looks like a
        // boundary. In one that is closed, only a value that begins before it may.
        if text[preamble].contains(where: { $0 > 0x20 }) {
            searchAcross(
                isClosed(at: borders.last { $0 < text.count }, opening)
                    ? [opening.lowerBound] : borders)
        }
        return true
    }

    /// Whether nothing but the closing line of a form follows (RFC 2046 §5.1.1).
    private func isClosed(at border: Int?, _ boundary: Range<Int>) -> Bool {
        guard let border else { return false }
        let rest = text[border...]
        let closing = border + boundary.count
        return rest.starts(with: text[boundary]) && closing + 2 <= text.count
            && text[closing..<closing + 2].elementsEqual("--".utf8)
            && text[(closing + 2)...].allSatisfy { $0 <= 0x20 }
    }

    /// The first line that is a boundary, without blanks at its end; nil if the text has none.
    ///
    /// It begins with two hyphens, and a line that begins with `Content-` follows. After the first
    /// line that isn't empty any fields may follow, if an empty line ends them.
    private var openingBoundary: Range<Int>? {
        var (start, isFirst) = (0, true)
        while start < text.count {
            let (end, next) = lineEnd(from: start)
            let line = start..<end
            if text[line].starts(with: "--".utf8), 3...Limits.maximumBoundaryBytes ~= end - start,
                text.span.has(Self.contentField, at: next, end: text.count, ignoringCase: true)
                    || isFirst && !text[line].starts(with: "-----BEGIN".utf8)
                        && endOfFields(in: next..<text.count) != nil
            {
                return withoutBlanks(line)
            }
            isFirst = isFirst && withoutBlanks(line).isEmpty
            start = next
        }
        return nil
    }

    private static let contentField = Array("content-".utf8)

    /// Where a line ends and where the next begins; lines end with CR, LF or both.
    private func lineEnd(from start: Int) -> (end: Int, next: Int) {
        let end = text.span.place(of: 0x0A, or: 0x0D, from: start, to: text.count)
        guard end < text.count else { return (end, end) }
        let isPair = text[end] == 0x0D && end + 1 < text.count && text[end + 1] == 0x0A
        return (end, end + (isPair ? 2 : 1))
    }

    private func withoutBlanks(_ line: Range<Int>) -> Range<Int> {
        var end = line.upperBound
        while end > line.lowerBound, text[end - 1].isBlank { end -= 1 }
        return line.lowerBound..<end
    }

    /// Where the part that begins at `start` ends, which is where the next boundary begins, and
    /// where the part after that begins.
    private func endOfPart(from start: Int, boundary: Range<Int>) -> (end: Int, next: Int) {
        var index = start
        while index < text.count {
            let (end, next) = lineEnd(from: index)
            let line = withoutBlanks(index..<end)
            if text[line].starts(with: text[boundary]) {
                let rest = text[line].dropFirst(boundary.count)
                if rest.isEmpty || rest.elementsEqual("--".utf8) { return (index, next) }
            }
            index = next
        }
        return (text.count, text.count)
    }

    /// Where a part's fields end and where its content begins; nil if no empty line separates them
    /// (RFC 2046 §5.1.1).
    private func endOfFields(in part: Range<Int>) -> (fields: Int, content: Int)? {
        var index = part.lowerBound
        while index < part.upperBound {
            let (end, next) = lineEnd(from: index)
            if end == index { return (index, min(next, part.upperBound)) }
            index = next
        }
        return nil
    }

    /// Where the fields at the start of a part seem to end if no empty line follows them.
    private func endOfLooseFields(in part: Range<Int>) -> Int {
        var index = part.lowerBound
        let end = part.upperBound
        while text.span.has(Self.contentField, at: index, end: end, ignoringCase: true) {
            index = min(lineEnd(from: index).next, end)
        }
        return index
    }

    /// Searches one part, its header fields first.
    private mutating func searchPart(_ part: Range<Int>) {
        let loose = endOfLooseFields(in: part)
        let (fieldsEnd, start) = endOfFields(in: part) ?? (loose, loose)
        // The line break before a boundary belongs to that (RFC 2046 §5.1.1).
        var end = part.upperBound
        if end > start, text[end - 1] == 0x0A { end -= 1 }
        if end > start, text[end - 1] == 0x0D { end -= 1 }
        let fields = part.lowerBound..<fieldsEnd
        searchAlone(fields)
        if let found = nameSought(in: text[fields]) {
            if start < end { replace(start..<end, of: found, isJSON: false) }
        } else {
            searchAlone(start..<end, inForm: true)
        }
    }

    /// The index of the sought name that a part has; nil if its name isn't sought.
    ///
    /// A part's name is the parameter `name` of `Content-Disposition` (RFC 7578 §4.2). Everything
    /// counts that a reader might take for it. O(length).
    private func nameSought(in fields: ArraySlice<UInt8>) -> Int? {
        var index = fields.startIndex
        while fields.endIndex - index > Self.nameParameter.count {
            defer { index += 1 }
            guard
                text.span.has(
                    Self.nameParameter, at: index, end: fields.endIndex, ignoringCase: true)
            else { continue }
            // Not the end of `filename`.
            if index > fields.startIndex, text[index - 1].isAlphanumeric { continue }
            var rest = fields[(index + Self.nameParameter.count)...]
            let isExtended = rest.first == UInt8(ascii: "*")
            if isExtended { rest = rest.dropFirst() }
            let isInPieces = isExtended && rest.first?.isDigit == true
            if isInPieces {
                rest = rest.drop { $0.isDigit || $0 == UInt8(ascii: "*") }
            }
            rest = Self.withoutFolds(rest)
            guard rest.first == UInt8(ascii: "=") else { continue }
            // The pieces may be in any order (RFC 2231 §3), so what they make isn't looked at.
            if isInPieces { return 0 }
            rest = Self.withoutFolds(rest.dropFirst())
            let isQuoted = rest.first == UInt8(ascii: "\"")
            var name = rest.dropFirst(isQuoted ? 1 : 0).prefix {
                $0 != UInt8(ascii: "\"") && $0 != 0x0D && $0 != 0x0A
                    && (isQuoted || $0 != UInt8(ascii: ";") && $0 != 0x20)
            }
            // What it contains is looked at with it; otherwise `name=name=…` would take O(length²).
            if !isQuoted { index = name.endIndex - 1 }
            // A character set and a language come first (RFC 8187 §3.2).
            if isExtended, let mark = name.lastIndex(of: UInt8(ascii: "'")) {
                name = name[(mark + 1)...]
            }
            let decoded = PercentEncoding.decode(name)
            if let found = sought.index(ofName: name) ?? sought.index(ofName: decoded[...]) {
                return found
            }
        }
        return nil
    }

    /// The text after blanks, and after line breaks that a blank follows (RFC 5322 §2.2.3).
    private static func withoutFolds(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = text.firstIndex { !$0.isBlank && $0 != 0x0D && $0 != 0x0A } ?? text.endIndex
        let start = text[..<end].lastIndex(where: \.isBlank).map { $0 + 1 }
        return text[(start ?? text.startIndex)...]
    }

    private static let nameParameter = Array("name".utf8)
}
