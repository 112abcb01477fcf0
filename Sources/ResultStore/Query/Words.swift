// Splits text into folded words, in the same way for records and queries.
// Invariant: the output passes SQLite's FTS5 tokenizer `unicode61 remove_diacritics 0` and this
// folding unchanged. Left out: stemming, and making composed and decomposed letters equal.

import JSON

/// Folds text to words.
///
/// A word is a run of letters and digits of any script (Unicode's categories L and N) in lowercase,
/// with the diacritics that combine with them. Everything else is a separator.
package enum Words {
    /// Appends the words of UTF-8 text, with a space between words.
    ///
    /// A word is truncated after `Limits.wordBytes`; invalid UTF-8 is a separator. O(size).
    package static func fold(_ text: Span<UInt8>, into words: inout [UInt8]) {
        var word = WordFolder()
        var index = 0
        while index < text.count {
            let octet = text[index]
            if octet < 0x80 {
                index += 1
                switch octet {
                case 0x30...0x39, 0x61...0x7A: word.append(octet, to: &words)
                case 0x41...0x5A: word.append(octet | 0x20, to: &words)
                default: word.end()
                }
            } else if let size = UTF8Sequence.length(in: text, at: index, end: text.count),
                let scalar = scalar(in: text, at: index, size: size)
            {
                index += size
                word.append(scalar, to: &words)
            } else {
                index += 1
                word.end()
            }
        }
    }

    /// The words of a text, in order.
    ///
    /// O(size).
    package static func split(_ text: String) -> [String] {
        var folded: [UInt8] = []
        fold(text.utf8Span.span, into: &folded)
        return folded.split(separator: space).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The separator between words.
    static let space = UInt8(ascii: " ")

    /// The scalar of a valid sequence of two to four bytes.
    private static func scalar(in text: Span<UInt8>, at start: Int, size: Int) -> Unicode.Scalar? {
        var value = UInt32(text[start] & (0x7F >> UInt8(size)))
        for index in start + 1..<start + size { value = value << 6 | UInt32(text[index] & 0x3F) }
        return Unicode.Scalar(value)
    }
}
