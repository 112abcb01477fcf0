// Base 16. `UInt8.hexadecimalValue` reads a digit.

/// Text of hexadecimal digits.
package enum Hexadecimal {
    /// The digit of a value from 0 to 15, in lower case.
    @inlinable @inline(__always)
    package static func digit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? 0x30 : 0x57) }

    /// The digit of a value from 0 to 15, in upper case.
    @inlinable @inline(__always)
    static func uppercaseDigit(_ value: UInt8) -> UInt8 {
        value &+ (value < 10 ? 0x30 : 0x37)
    }

    /// The digits of a number that isn't negative, at least `digits` of them.
    package static func text(
        _ number: some BinaryInteger, digits: Int, uppercase: Bool = false
    ) -> String {
        let text = String(number, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Two digits in lower case for each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 0xF)] }, as: UTF8.self)
    }

    /// The bytes whose digits a text is, in either case; nil for any other text.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        let values = text.compactMap(\.hexadecimalValue)
        guard values.count == text.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
