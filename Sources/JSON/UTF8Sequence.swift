// Validation of UTF-8.
//
// Strict: no overlong forms, no surrogates, nothing above U+10FFFF (Unicode 16, table 3-7).

/// Well-formed UTF-8 byte sequences.
package enum UTF8Sequence {
    /// The length in bytes, 1 to 4, of the well-formed sequence at `start`; nil if absent.
    ///
    /// Reads nothing at or past `end`. Requires `start < end` and `end <= bytes.count`.
    static func length(in bytes: [UInt8], at start: Int, end: Int) -> Int? {
        length(in: bytes.span, at: start, end: end)
    }

    /// The same for borrowed bytes.
    @inline(__always)
    package static func length(in bytes: Span<UInt8>, at start: Int, end: Int) -> Int? {
        let lead = bytes[start]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard end - start >= length, second.contains(bytes[start + 1]) else { return nil }
        for index in start + 2..<start + max(length, 2) where bytes[index] & 0xC0 != 0x80 {
            return nil
        }
        return length
    }

    /// The offset of the first byte in `range` that doesn't start a well-formed sequence; nil if
    /// all are well-formed.
    package static func firstFault(in bytes: [UInt8], range: Range<Int>) -> Int? {
        let range = range.clamped(to: bytes.indices)
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] < 0x80 {
                index += 1
            } else if let length = length(in: bytes, at: index, end: range.upperBound) {
                index += length
            } else {
                return index
            }
        }
        return nil
    }
}
