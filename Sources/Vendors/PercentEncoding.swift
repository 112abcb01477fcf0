// Percent-encoding, RFC 3986 §2.1.
// Left out: decoding of whole texts; who decodes also needs a way back, each its own.

/// Percent-encoded octets.
enum PercentEncoding {
    /// The octet written as `%XX` at `index`; nil when there is none before `end`.
    static func octet(_ text: Span<UInt8>, at index: Int, end: Int) -> UInt8? {
        guard end - index >= 3, text[index] == UInt8(ascii: "%") else { return nil }
        let (high, low) = (digit(text[index + 1]), digit(text[index + 2]))
        return high | low < 16 ? high << 4 | low : nil
    }

    /// Whether `byte` is a hexadecimal digit.
    static func isDigit(_ byte: UInt8) -> Bool { digit(byte) < 16 }

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

    /// The value of a hexadecimal digit; 255 for another byte.
    private static func digit(_ byte: UInt8) -> UInt8 {
        if byte &- UInt8(ascii: "0") < 10 { return byte &- UInt8(ascii: "0") }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : 255
    }
}
