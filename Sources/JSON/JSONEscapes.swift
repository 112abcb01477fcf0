// Unescapes the text of a JSON string, and maps unescaped offsets back to the source.
//
// The parser has validated escapes; an invalid one in other text is copied unchanged. A lone
// surrogate such as `\ud800` is allowed by the grammar (RFC 8259 §8.2) and becomes U+FFFD.

import Text

/// The escapes of RFC 8259 §7.
package enum JSONEscapes {
    /// Appends the text between a string's quotation marks, `range`, as UTF-8, in O(length).
    package static func unescape(
        _ bytes: [UInt8], range: Range<Int>, to output: inout [UInt8]
    ) {
        let range = range.clamped(to: bytes.indices)
        var copied = range.lowerBound
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            output.append(contentsOf: bytes[copied..<index])
            let (scalar, length) = escape(in: bytes, at: index, end: range.upperBound)
            output.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            index += length
            copied = index
        }
        output.append(contentsOf: bytes[copied..<range.upperBound])
    }

    /// The offset in `bytes` of the character or escape that produced the unescaped byte `offset`.
    ///
    /// `range` is the range between the quotation marks; for an offset past its end, the result is
    /// its end. O(length).
    package static func sourceOffset(
        ofUnescaped offset: Int, in bytes: [UInt8], range: Range<Int>
    ) -> Int {
        let range = range.clamped(to: bytes.indices)
        var remaining = offset
        var index = range.lowerBound
        while index < range.upperBound {
            var (width, length) = (1, 1)
            if bytes[index] == UInt8(ascii: "\\") {
                let found = escape(in: bytes, at: index, end: range.upperBound)
                width = UTF8.width(found.scalar)
                length = found.length
            }
            if remaining < width { return index }
            remaining -= width
            index += length
        }
        return range.upperBound
    }

    /// The scalar of the escape whose backslash is at `start`, and its length in bytes.
    package static func escape(
        in bytes: [UInt8], at start: Int, end: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        guard end - start >= 2 else { return ("\\", 1) }
        switch bytes[start + 1] {
        case UInt8(ascii: "b"): return ("\u{8}", 2)
        case UInt8(ascii: "f"): return ("\u{C}", 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return (Unicode.Scalar(bytes[start + 1]), 2)
        case UInt8(ascii: "u"): return unicodeEscape(in: bytes, at: start, end: end)
        default: return ("\\", 1)
        }
    }

    private static func unicodeEscape(
        in bytes: [UInt8], at start: Int, end: Int
    ) -> (scalar: Unicode.Scalar, length: Int) {
        guard let first = codeUnit(in: bytes, at: start, end: end) else { return ("\\", 1) }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        if first < 0xDC00, let second = codeUnit(in: bytes, at: start + 6, end: end),
            0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
            return (scalar, 12)
        }
        return ("\u{FFFD}", 6)
    }

    /// The UTF-16 code unit written as `\uHHHH` at `start`; nil if absent.
    private static func codeUnit(in bytes: [UInt8], at start: Int, end: Int) -> UInt32? {
        guard end - start >= 6, bytes[start] == UInt8(ascii: "\\"),
            bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for index in start + 2..<start + 6 {
            guard let digit = bytes[index].hexadecimalValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
