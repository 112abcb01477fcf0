// The id of a flow, as it is carried in a callback URL. Left out: creating one, which takes a clock
// and randomness.

import Text

/// The id of a flow: a UUID of version 7 (RFC 9562 §5.7), 36 characters in lower case.
public enum FlowID {
    /// The query parameter that carries it in a callback URL, except at our own receiver.
    public static let parameter = "landfall_flow"

    /// Whether `text` is a flow id: version 7, variant 10, hexadecimal digits in lower case.
    public static func isValid(_ text: some Collection<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            let isRight =
                switch index {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                case 14: byte == UInt8(ascii: "7")
                case 19: isDigit(byte) && byte >= UInt8(ascii: "8") && byte <= UInt8(ascii: "b")
                default: isDigit(byte)
                }
            if !isRight { return false }
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte.isHexadecimal && byte == byte.lowercased
    }
}
