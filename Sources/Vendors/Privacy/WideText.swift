// Text in UTF-16 or UTF-32, in which a search by byte finds no names.
//
// Invariant: the text is written back unchanged except for redactions; a text that can't be
// restored exactly is hidden as a whole. Left out: text without a byte order mark if fewer than
// half of its first characters are ASCII.

/// A text with two or four bytes in each code unit.
struct WideText {
    private let bytes: [UInt8]

    /// Bytes of a code unit: 2 or 4.
    private let width: Int
    private let isBigEndian: Bool

    /// Number of bytes that are checked for zeros.
    private static let sampleBytes = 16

    /// Detects a byte order mark, or zero bytes near the start (RFC 4627 §3); nil for other text.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        self.bytes = bytes
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0xFF, 0xFE, 0, 0): (width, isBigEndian) = (4, false)
        case (0, 0, 0xFE, 0xFF): (width, isBigEndian) = (4, true)
        case (0xFF, 0xFE, _, _): (width, isBigEndian) = (2, false)
        case (0xFE, 0xFF, _, _): (width, isBigEndian) = (2, true)
        default:
            // An image has zeros too, but not in every second byte.
            let zeros = bytes.indices.prefix(Self.sampleBytes).filter { bytes[$0] == 0 }
            let size = min(bytes.count, Self.sampleBytes)
            guard let first = zeros.first, zeros.count * 4 >= size, zeros.count < size else {
                return nil
            }
            if zeros.allSatisfy({ $0 % 2 == first % 2 }) {
                (width, isBigEndian) = (2, first % 2 == 0)
            } else {
                let isBig = first == 0
                let units = stride(from: isBig ? 0 : 2, to: size - 1, by: 4)
                guard units.allSatisfy({ bytes[$0] == 0 && bytes[$0 + 1] == 0 }) else { return nil }
                (width, isBigEndian) = (4, isBig)
            }
        }
    }

    /// The text; invalid characters become U+FFFD.
    var utf8: [UInt8] {
        if width == 2 { return Array(String(decoding: units(UInt16.self), as: UTF16.self).utf8) }
        let scalars = units(UInt32.self).map { Unicode.Scalar($0) ?? "\u{FFFD}" }
        return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }

    /// Another text in the same encoding; `mark` if this one can't be restored.
    func encode(_ text: [UInt8], mark: String) -> [UInt8] {
        guard encode(utf8) == bytes else { return Array(mark.utf8) }
        return encode(text)
    }

    private func encode(_ text: [UInt8]) -> [UInt8] {
        let string = String(decoding: text, as: UTF8.self)
        if width == 2 { return string.utf16.flatMap { octets($0) } }
        return string.unicodeScalars.flatMap { octets($0.value) }
    }

    private func octets<Unit: FixedWidthInteger>(_ unit: Unit) -> [UInt8] {
        (0..<width).map { index in
            let shift = 8 * (isBigEndian ? width - 1 - index : index)
            return UInt8(truncatingIfNeeded: unit >> shift)
        }
    }

    private func units<Unit: FixedWidthInteger>(_ type: Unit.Type) -> [Unit] {
        stride(from: 0, to: bytes.count - width + 1, by: width).map { start in
            (0..<width).reduce(0) { unit, index in
                let shift = 8 * (isBigEndian ? width - 1 - index : index)
                return unit | Unit(bytes[start + index]) << shift
            }
        }
    }
}
