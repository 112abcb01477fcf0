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
        guard Self.mayBeWide(bytes.span) else { return nil }
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

    /// Whether there is a byte order mark, or a zero near the start: a fast check before a slow one.
    static func mayBeWide(_ bytes: Span<UInt8>) -> Bool {
        if bytes.count < 4 { return false }
        if bytes[0] >= 0xFE { return true }
        for index in 0..<min(bytes.count, sampleBytes) where bytes[index] == 0 { return true }
        return false
    }

    /// The text; invalid characters become U+FFFD.
    var utf8: [UInt8] {
        let units = stride(from: 0, to: bytes.count - width + 1, by: width).map { start in
            places.reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + $1]) }
        }
        if width == 2 {
            return Array(String(decoding: units.lazy.map { UInt16($0) }, as: UTF16.self).utf8)
        }
        return Array(String(decoding: units, as: UTF32.self).utf8)
    }

    /// Another text in the same encoding; the mark if this one can't be restored.
    func encode(_ text: [UInt8]) -> [UInt8] {
        units(of: utf8) == bytes ? units(of: text) : Array(Redaction.mark.utf8)
    }

    private func units(of text: [UInt8]) -> [UInt8] {
        let string = String(decoding: text, as: UTF8.self)
        let units = width == 2 ? string.utf16.map(UInt32.init) : string.unicodeScalars.map(\.value)
        return units.flatMap { unit in
            let octets = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
            return isBigEndian ? octets.reversed() : octets
        }
    }

    /// The bytes of a code unit, the most significant first.
    private var places: [Int] { isBigEndian ? Array(0..<width) : (0..<width).reversed() }
}
