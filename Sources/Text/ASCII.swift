// Classes of ASCII bytes. Inlined everywhere, because parsers call them for each byte.

extension UInt8 {
    /// The byte with `A` to `Z` in lower case.
    @inlinable @inline(__always)
    package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// Whether this is `0` to `9`.
    @inlinable @inline(__always)
    package var isDigit: Bool { self &- 0x30 < 10 }

    /// Whether this is `a` to `z` or `A` to `Z`.
    @inlinable @inline(__always)
    package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// Whether this is `a` to `z`.
    @inlinable @inline(__always)
    package var isLowercaseLetter: Bool { self &- 0x61 < 26 }

    /// Whether this is `a` to `z`, `A` to `Z` or `0` to `9`.
    @inlinable @inline(__always)
    package var isAlphanumeric: Bool { isDigit || isLetter }

    /// Whether this is an unreserved character of a URL: a letter, a digit or one of `-._~` (RFC
    /// 3986 §2.3).
    @inlinable
    package var isUnreserved: Bool {
        isAlphanumeric || self == 0x2D || self == 0x2E || self == 0x5F || self == 0x7E
    }

    /// Whether browsers percent-encode this byte in a path, a query and a fragment alike: a control
    /// character, a space, `"`, `<`, `>`, or a byte beyond ASCII (WHATWG URL, §1.3).
    @inlinable
    package var isEncodedInURLs: Bool {
        self <= 0x20 || self >= 0x7F || self == 0x22 || self == 0x3C || self == 0x3E
    }

    /// Whether browsers percent-encode this byte in the query of an http or https URL: one of those
    /// above, or an apostrophe.
    @inlinable
    package var isEncodedInQueries: Bool { isEncodedInURLs || self == 0x27 }

    /// Whether browsers percent-encode this byte in a fragment: one of those of URLs, or `` ` ``.
    @inlinable
    package var isEncodedInFragments: Bool { isEncodedInURLs || self == 0x60 }

    /// Whether browsers percent-encode this byte in a path: one of those of fragments, `{` or `}`.
    @inlinable
    package var isEncodedInPaths: Bool { isEncodedInFragments || self == 0x7B || self == 0x7D }

    /// Whether this may be in a token, such as a method or the name of a field (`tchar`, RFC 9110
    /// §5.6.2).
    @inlinable
    package var isTokenCharacter: Bool {
        isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    /// Whether this is a space or a horizontal tab.
    @inlinable @inline(__always)
    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether this is a hexadecimal digit in either case.
    @inlinable
    package var isHexadecimal: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

    /// The value of a hexadecimal digit in either case, 0 to 15; nil for another byte.
    @inlinable
    package var hexadecimalValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}

extension Span<UInt8> {
    /// Whether the bytes from `start` to `end` are those of `text`, in O(size).
    @inlinable
    package func isText(_ text: String, from start: Int, to end: Int) -> Bool {
        equals(text.utf8.span, from: start, to: end)
    }

    /// Whether `word` is at `start` and ends before `end`; if it is `ignoringCase`, `word` is in
    /// lower case.
    @inlinable
    package func has(_ word: [UInt8], at start: Int, end: Int, ignoringCase: Bool) -> Bool {
        guard end - start >= word.count else { return false }
        var index = start
        for letter in word {
            if self[index] != letter, !ignoringCase || self[index].lowercased != letter {
                return false
            }
            index += 1
        }
        return true
    }

    /// The first place of `word` that begins at `start` or later and ends before `end`.
    ///
    /// - Parameter word: one byte at least.
    package func index(of word: [UInt8], from start: Int, to end: Int) -> Int? {
        var index = place(of: word[0], from: start, to: end)
        while end - index >= word.count {
            if has(word, at: index, end: end, ignoringCase: false) { return index }
            index = place(of: word[0], from: index + 1, to: end)
        }
        return nil
    }

    /// Whether `word`, of one byte at least, is anywhere in these bytes.
    package func contains(_ word: [UInt8]) -> Bool {
        index(of: word, from: 0, to: count) != nil
    }
}

extension OutputSpan<UInt8> {
    /// Appends a number in decimal digits, at most 20 with its sign, for which there must be room.
    package mutating func append(decimal number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let digits = count
        var rest = number.magnitude
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        var span = mutableSpan
        var (left, right) = (digits, span.count - 1)
        while left < right {
            span.swapAt(left, right)
            (left, right) = (left + 1, right - 1)
        }
    }
}

extension [UInt8] {
    /// Appends a number in decimal digits.
    package mutating func append(decimal number: Int) {
        append(addingCapacity: 20) { $0.append(decimal: number) }
    }
}
