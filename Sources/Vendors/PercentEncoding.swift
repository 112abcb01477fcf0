// Percent-encoding, RFC 3986 §2.1.
// Left out: decoding of whole texts, which `EscapedText` does with the way back.

import PositionedJSON

/// Percent-encoded octets.
enum PercentEncoding {
    /// The octet written as `%XX` at `index`; nil when there is none before `end`.
    static func octet(_ bytes: [UInt8], at index: Int, end: Int) -> UInt8? {
        guard end - index >= 3, bytes[index] == UInt8(ascii: "%"),
            let high = JSONEscapes.hexDigit(bytes[index + 1]),
            let low = JSONEscapes.hexDigit(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Encodes every byte but the unreserved ones (RFC 3986 §2.3), so that the text is the same in
    /// a query and in a form.
    static func encode(_ text: some Sequence<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return encoded
    }
}
