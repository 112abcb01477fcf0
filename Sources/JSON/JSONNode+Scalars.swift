// Scalars as Swift values, made when they are asked for.
//
// Invariant: a getter of another kind answers nil and never converts.

extension JSONNode {
    /// The text of a string, unescaped; nil when this is not a string.
    ///
    /// A lone surrogate such as `\ud800` becomes U+FFFD. O(length).
    public var string: String? {
        guard kind == .string else { return nil }
        return String(decoding: unescaped, as: UTF8.self)
    }

    /// The text of a string as UTF-8; copied only if it has escapes.
    package var unescaped: ArraySlice<UInt8> {
        let text = innerRange
        guard entry.hasEscapes else { return document.bytes[text] }
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(text.count)
        JSONEscapes.unescape(document.bytes, range: text, to: &unescaped)
        return unescaped[...]
    }

    /// The number as an integer; nil when this is not a number, is not written as an integer (`2.0`
    /// and `1e2` are not), or does not fit.
    public var int: Int? {
        guard kind == .number else { return nil }
        var digits = text
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        var value = 0
        for byte in digits {
            guard case let digit = Int(byte) - 0x30, 0...9 ~= digit else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // Counts downwards for negative numbers: `Int.min` has no positive twin.
            let (sum, carry) = product.addingReportingOverflow(isNegative ? -digit : digit)
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// The number as the nearest `Double`; nil when this is not a number or too large for one.
    public var double: Double? {
        guard kind == .number else { return nil }
        return JSONNumber.double(text)
    }

    /// The value of `true` or `false`; nil when this is neither.
    public var bool: Bool? {
        switch entry.tag {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// Where the text between a string's quotation marks stands.
    package var innerRange: Range<Int> {
        let range = byteRange
        return range.count < 2 ? range : range.lowerBound + 1..<range.upperBound - 1
    }
}
