// A cheap first check, which finds for nearly all texts that they contain nothing to hide.
//
// Invariant: only false positives. Letters are compared as written, and anything that could spell
// another one, such as an escape of a letter or digit in any number of layers, counts as a match.

import JSON
import Text

/// The check of a whole text.
enum Glance {
    /// Whether `range` may contain a credential, in O(length) and, for most texts, without
    /// allocation.
    static func mayHoldCredential(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        // A needle has three bytes, and a host may have one or be truncated.
        for place in range.suffix(2) where text[place] == UInt8(ascii: "@") {
            if isInAuthority(place, of: text, from: range.lowerBound) { return true }
        }
        return Needles.credentials.contains(in: text, range) { needle, place in
            switch needle {
            case .letter, .letterOrMark, .digit, .nested, .unicode:
                isEscapedLetter(needle, text, place, range.upperBound)
            case .at: isInAuthority(place, of: text, from: range.lowerBound)
            case .scheme:
                SecretName.isSecret(needle, text, place, range, .glance)
                    && isName(text, place + 6, range.upperBound)
                    || SecretLook.mayBegin(needle, text, at: place, end: range.upperBound)
            case .base64, .stripe, .hook, .git, .github, .chat, .cloud, .package, .mail, .fence:
                SecretLook.mayBegin(needle, text, at: place, end: range.upperBound)
            default: SecretName.isSecret(needle, text, place, range, .glance)
            }
        }
    }

    /// Whether `range` may contain a value that lists hide, in O(length).
    static func mayHoldShared(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        Needles.shared.contains(in: text, range) { needle, place in
            needle == .token || isEscapedLetter(needle, text, place, range.upperBound)
        }
    }

    /// Whether `bearer` is followed by something other than a blank and a word: a separator of
    /// names.
    private static func isName(_ text: Span<UInt8>, _ next: Int, _ end: Int) -> Bool {
        next < end && text[next] != 0x20
    }

    /// Whether an escape at `index` gives a letter, a digit or a joint between them, in the next
    /// layer or a later one.
    private static func isEscapedLetter(
        _ needle: Needle, _ text: Span<UInt8>, _ index: Int, _ end: Int
    ) -> Bool {
        switch needle {
        case .unicode:
            guard end - index >= 6, text[index + 3] == UInt8(ascii: "0") else { return false }
            return isLetter(text[index + 4], text[index + 5])
        case .nested where text[index + 2] == UInt8(ascii: "5"):
            var next = index + 3
            while end - next >= 2, text[next].isHexadecimal,
                text[next + 1].isHexadecimal
            {
                let isPercent =
                    text[next] == UInt8(ascii: "2") && text[next + 1] == UInt8(ascii: "5")
                if !isPercent {
                    return isLetter(text[next], text[next + 1])
                        || isBackslash(text, next, end)
                }
                next += 2
            }
            return false
        case .letterOrMark where text[index + 1] == UInt8(ascii: "5"):
            if text[index + 2] | 0x20 == UInt8(ascii: "c") {
                return isBackslash(text, index + 1, end)
            }
            return true
        default: return true
        }
    }

    /// Whether the two digits encode a letter, a digit, `_`, `-`, `.`, `/` or `@`.
    private static func isLetter(_ high: UInt8, _ low: UInt8) -> Bool {
        switch high {
        case UInt8(ascii: "4"), UInt8(ascii: "6"): true
        case UInt8(ascii: "3"): low &- UInt8(ascii: "0") < 10
        case UInt8(ascii: "5"), UInt8(ascii: "7"):
            low &- UInt8(ascii: "0") < 10 || low | 0x20 == UInt8(ascii: "a")
                || low | 0x20 == UInt8(ascii: "f")
        case UInt8(ascii: "2"):
            low | 0x20 == UInt8(ascii: "d") || low | 0x20 == UInt8(ascii: "e")
                || low | 0x20 == UInt8(ascii: "f")
        default: false
        }
    }

    /// Whether the digits `5C` are at `index`, followed by the rest of a JSON escape.
    private static func isBackslash(_ text: Span<UInt8>, _ index: Int, _ end: Int) -> Bool {
        end - index >= 3 && text[index] == UInt8(ascii: "5")
            && text[index + 1] | 0x20 == UInt8(ascii: "c") && text[index + 2] == UInt8(ascii: "u")
    }

    /// Whether `//` may precede `index` without anything between that ends an authority.
    private static func isInAuthority(_ at: Int, of text: Span<UInt8>, from start: Int) -> Bool {
        var index = at
        while index - start >= 2 {
            index -= 1
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "/"):
                return text[index - 1] == byte || text[index - 1] == UInt8(ascii: "\\")
                    || text[index - 1].isHexadecimal
            case UInt8(ascii: "%"):
                // An escaped slash, or one that ends nothing.
                if text[index + 1] == UInt8(ascii: "2") { return true }
            case UInt8(ascii: "\\"), UInt8(ascii: "@"): return true
            case 0...0x20, UInt8(ascii: "\""): return false
            default: break
            }
        }
        return false
    }
}
