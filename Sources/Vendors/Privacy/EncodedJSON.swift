// JSON in Base64 inside a longer text, as in Dimmy's links: decoded, redacted and encoded again.
//
// Invariant: only Base64 that begins like an object or array is decoded. Left out: Base64 of other
// texts, and Base64 with escapes in it, which is found once they are removed.

import JSON
import Text

/// An object or array in Base64 within a longer text.
struct EncodedJSON {
    /// Its range in the text.
    let range: Range<Int>

    /// The JSON text.
    let octets: [UInt8]

    private let isURLSafe: Bool
    private let isPadded: Bool

    /// Shorter texts can't contain a name and a value.
    private static let fewestDigits = 16

    /// Decodes the text at `start`, in O(its length); nil if it is something else.
    init?(_ text: Span<UInt8>, _ start: Int, _ end: Int) {
        guard end - start >= Self.fewestDigits, Self.begins(text, start) else { return nil }
        var (last, isURLSafe) = (start, false)
        while last < end, Self.isDigit(text[last]) {
            if text[last] == UInt8(ascii: "-") || text[last] == UInt8(ascii: "_") {
                isURLSafe = true
            }
            last += 1
        }
        let digits = last
        while last < end, last - digits < 2, text[last] == UInt8(ascii: "=") { last += 1 }
        guard digits - start >= Self.fewestDigits else { return nil }
        let encoded = (start..<digits).map { text[$0] }
        // A single extra character encodes nothing.
        let whole = encoded.count % 4 == 1 ? encoded.dropLast() : encoded[...]
        guard case .octets(let octets, _) = Base64Text.decode(whole) else { return nil }
        self.octets = octets
        self.isURLSafe = isURLSafe
        isPadded = last > digits
        range = start..<last
    }

    /// Whether the text at `start`, percent-encoded or not, may contain a credential, in O(its
    /// length); false is always correct.
    static func mayHold(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var last = start
        while last < end, isDigit(text[last]) { last += 1 }
        var digits: [UInt8] = []
        digits.reserveCapacity(last - start)
        for index in start..<last { digits.append(text[index]) }
        // Most runs end here, with the text or with escaped padding.
        escapes: while last < end {
            let octet = PercentEncoding.octet(text, at: last, end: end)
            let digit = octet ?? text[last]
            switch digit {
            // Further escapes, or a JSON Web Token.
            case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "."): return true
            case UInt8(ascii: "="): break escapes
            default:
                guard isDigit(digit) else { break escapes }
                digits.append(digit)
                last += octet == nil ? 1 : 3
            }
        }
        guard digits.count >= fewestDigits, begins(text, start) else { return false }
        let whole = digits.count % 4 == 1 ? digits.dropLast() : digits[...]
        // With characters of both alphabets, it may end earlier in the next layer.
        guard case .octets(let octets, _) = Base64Text.decode(whole) else { return true }
        return Sought.credentials.mayBe(in: octets, octets.indices)
    }

    /// Encodes another text in the same form.
    func encode(_ text: [UInt8]) -> [UInt8] {
        var encoded = Base64Text.encode(text, urlSafe: isURLSafe)
        while !isPadded, encoded.last == UInt8(ascii: "=") { encoded.removeLast() }
        return encoded
    }

    /// Whether `{"`, `[{` or a multi-line object begins here.
    private static func begins(_ text: Span<UInt8>, _ start: Int) -> Bool {
        switch (text[start], text[start + 1], text[start + 2]) {
        case (UInt8(ascii: "e"), UInt8(ascii: "y"), UInt8(ascii: "J")),
            (UInt8(ascii: "W"), UInt8(ascii: "3"), UInt8(ascii: "s")),
            (UInt8(ascii: "e"), UInt8(ascii: "w"), UInt8(ascii: "o")):
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        if (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 { return true }
        return byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
