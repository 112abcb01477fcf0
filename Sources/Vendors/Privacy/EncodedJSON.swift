// JSON in Base64 inside a longer text, as in Dimmy's links: decoded, redacted and encoded again.
//
// Invariant: only Base64 that begins like an object or array is decoded. Left out: Base64 of other
// texts, and Base64 with escapes in it, which is found once they are removed.

import JSON
import Text

/// An object or array in Base64 within a longer text.
struct EncodedJSON {
    /// Shorter texts can't contain a name and a value.
    static let fewestDigits = 16

    /// Its range in the text.
    let range: Range<Int>

    /// The JSON text.
    let octets: [UInt8]

    private let isURLSafe: Bool
    private let isPadded: Bool

    /// Decodes the text at `start`, where it begins, in O(its length); nil if it is something else.
    init?(_ text: Span<UInt8>, _ start: Int) {
        var last = start
        while last < text.count, Self.isDigit(text[last]) { last += 1 }
        let digits = (start..<last).map { text[$0] }
        while last < text.count, last - start - digits.count < 2, text[last] == UInt8(ascii: "=") {
            last += 1
        }
        guard digits.count >= Self.fewestDigits, let octets = Self.decode(digits[...]) else {
            return nil
        }
        self.octets = octets
        isURLSafe = digits.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        isPadded = last > start + digits.count
        range = start..<last
    }

    /// Whether Base64 of `{"`, of `[{` or of a multi-line object may begin at `start`.
    static func begins(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard text.count - start >= fewestDigits else { return false }
        switch (text[start], text[start + 1], text[start + 2]) {
        case (UInt8(ascii: "e"), UInt8(ascii: "y"), UInt8(ascii: "J")),
            (UInt8(ascii: "W"), UInt8(ascii: "3"), UInt8(ascii: "s")),
            (UInt8(ascii: "e"), UInt8(ascii: "w"), UInt8(ascii: "o")):
            return true
        default: return false
        }
    }

    /// The bytes of a text of digits, in O(its length); nil with characters of both alphabets.
    static func decode(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        // A single extra character encodes nothing.
        let whole = digits.count % 4 == 1 ? digits.dropLast() : digits
        guard case .octets(let octets, _) = Base64Text.decode(whole) else { return nil }
        return octets
    }

    /// Encodes another text in the same form.
    func encode(_ text: [UInt8]) -> [UInt8] {
        var encoded = Base64Text.encode(text, urlSafe: isURLSafe)
        while !isPadded, encoded.last == UInt8(ascii: "=") { encoded.removeLast() }
        return encoded
    }

    /// Whether `byte` is a digit of either alphabet.
    static func isDigit(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
