// The cheap look at a text that settles nearly all of them: there is no credential in it.
//
// Invariant: may be wrong in one direction only. What ends like a credential's name before a
// separator, or is escaped in a way that could spell one, is left to `Redactor`.

import JSONText

extension Redaction {
    /// Whether a value of one of `names` may stand in `range` of `text`, in O(length) and without
    /// memory.
    static func mayHold(
        _ names: [CredentialName], _ text: [UInt8], _ range: Range<Int>
    ) -> Bool {
        let bytes = text.span
        var index = range.lowerBound
        while range.upperBound - index >= 8 {
            var found = candidates(in: bytes.word(at: index))
            while found != 0 {
                let place = index + found.trailingZeroBitCount &>> 3
                if isSuspicious(place, in: bytes, range, names) { return true }
                found &= found &- 1
            }
            index += 8
        }
        while index < range.upperBound {
            if isSuspicious(index, in: bytes, range, names) { return true }
            index += 1
        }
        return false
    }

    /// The highest bit of each byte that is a separator or begins an escape, and of few others, which
    /// only cost a closer look.
    ///
    /// All that most bytes of a message cost.
    @inline(__always)
    private static func candidates(in word: UInt64) -> UInt64 {
        let (ones, high): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // A byte that is looked for becomes 0, and borrows from its own highest bit.
        let percent = word ^ ones &* 0x25
        let backslash = word ^ ones &* 0x5C
        // `:`, `=` and `@` are close together, and what lies between them is rare.
        let low = word & ~high
        let marks = (low &+ ones &* (0x80 - 0x3A)) & ~(low &+ ones &* (0x7F - 0x40)) & ~word
        return (marks | (percent &- ones) & ~percent | (backslash &- ones) & ~backslash) & high
    }

    /// Whether what stands at `index` separates a credential's name from its value, or could spell
    /// one.
    @inline(__always)
    private static func isSuspicious(
        _ index: Int, in text: Span<UInt8>, _ range: Range<Int>, _ names: [CredentialName]
    ) -> Bool {
        switch text[index] {
        case UInt8(ascii: ":"), UInt8(ascii: "="):
            !endsInPlainLetters(text, range.lowerBound..<index)
                && isAfterName(text, range.lowerBound..<index, names)
        case UInt8(ascii: "%"): isSuspicious(octetAt: index, in: text, range, names)
        case UInt8(ascii: "\\"): isUnicodeEscape(text, at: index + 1, end: range.upperBound)
        case UInt8(ascii: "@"): isInAuthority(index, of: text, from: range.lowerBound)
        default: false
        }
    }

    /// Whether the octet at `index` separates a credential's name from its value, or is one that
    /// nobody has a reason to percent-encode.
    @inline(__always)
    private static func isSuspicious(
        octetAt index: Int, in text: Span<UInt8>, _ range: Range<Int>, _ names: [CredentialName]
    ) -> Bool {
        guard range.upperBound - index >= 3 else { return false }
        // Wrong for what is no hexadecimal digit, which only means a closer look than needed.
        let (high, low) = (text[index + 1], text[index + 2])
        let octet = ((high & 0xF) &+ 9 &* (high >> 6)) << 4 | ((low & 0xF) &+ 9 &* (low >> 6))
        switch octet {
        case UInt8(ascii: "="), UInt8(ascii: ":"):
            return isAfterName(text, range.lowerBound..<index, names)
        case UInt8(ascii: "\\"):
            return isUnicodeEscape(text, at: index + 3, end: range.upperBound)
        case UInt8(ascii: "%"):
            // Encoded twice, when what follows reads as an octet too.
            return range.upperBound - index >= 5 && PercentEncoding.isDigit(text[index + 3])
                && PercentEncoding.isDigit(text[index + 4])
        case UInt8(ascii: "@"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return true
        default: return false
        }
    }

    /// Whether the rest of a JSON escape stands at `index`, of ASCII that needs none or separates.
    ///
    /// Besides of letters that is `"`, `&`, `=` and `%`, which some writers escape for HTML's sake.
    private static func isUnicodeEscape(_ text: Span<UInt8>, at index: Int, end: Int) -> Bool {
        end - index >= 5 && text[index] == UInt8(ascii: "u")
            && text[index + 1] == UInt8(ascii: "0") && text[index + 2] == UInt8(ascii: "0")
            && text[index + 3] &- UInt8(ascii: "2") < 6
    }

    /// Whether `//` stands before `index` with nothing between that ends an authority.
    private static func isInAuthority(_ at: Int, of text: Span<UInt8>, from start: Int) -> Bool {
        var index = at
        while index - start >= 2 {
            index -= 1
            let byte = text[index]
            if byte == UInt8(ascii: "/") {
                return text[index - 1] == byte || text[index - 1] == UInt8(ascii: "\\")
            }
            if byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "@") {
                return byte == UInt8(ascii: "@")
            }
        }
        return false
    }

    /// Whether `range` ends with one of `names` and what may stand between it and a separator.
    private static func isAfterName(
        _ text: Span<UInt8>, _ range: Range<Int>, _ names: [CredentialName]
    ) -> Bool {
        var end = range.upperBound
        var isInBrackets = false
        while end > range.lowerBound {
            let byte = text[end - 1]
            if isFiller(byte) || isInBrackets && byte &- UInt8(ascii: "0") < 10 {
                if byte == UInt8(ascii: "]") { isInBrackets = true }
                end -= 1
            } else if let octet = octet(before: end, in: text, range) {
                guard isFiller(octet) else { return false }
                if octet == UInt8(ascii: "]") { isInBrackets = true }
                end -= 3
            } else if isLineBreak(byte), isBackslash(before: end - 1, in: text, range) {
                end -= 1
            } else {
                return CredentialName.ends(text, range.lowerBound..<end, with: names)
            }
        }
        return false
    }

    /// Whether `range` ends with two letters or digits that end no name, plain or before a quotation
    /// mark: so does nearly everything before a colon.
    @inline(__always)
    private static func endsInPlainLetters(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 5 else { return false }
        let isQuoted = text[range.upperBound - 1] == UInt8(ascii: "\"")
        let end = range.upperBound - (isQuoted ? 1 : 0)
        let (other, last) = (text[end - 2], text[end - 1])
        return isLetterOrDigit(last) && isLetterOrDigit(other)
            // Neither the end of an octet, nor a letter that `%5C` escapes.
            && text[end - 3] != UInt8(ascii: "%") && text[end - 4] != UInt8(ascii: "%")
            && !CredentialName.mayEnd(other | 0x20, last | 0x20)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }

    /// Whether `byte` may stand between a name and the separator after it: space, a bracket, a closing mark.
    private static func isFiller(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "[")
            || byte == UInt8(ascii: "]")
    }

    /// Whether `byte` after a backslash is whitespace.
    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "n") || byte == UInt8(ascii: "r") || byte == UInt8(ascii: "t")
    }

    private static func isBackslash(
        before index: Int, in text: Span<UInt8>, _ range: Range<Int>
    ) -> Bool {
        index > range.lowerBound
            && (text[index - 1] == UInt8(ascii: "\\")
                || octet(before: index, in: text, range) == UInt8(ascii: "\\"))
    }

    /// The octet whose three characters end at `index`; nil when there is none.
    private static func octet(
        before index: Int, in text: Span<UInt8>, _ range: Range<Int>
    ) -> UInt8? {
        guard index - range.lowerBound >= 3 else { return nil }
        return PercentEncoding.octet(text, at: index - 3, end: index)
    }
}
