// Scalars as Swift values, converted on demand.
//
// Invariant: a getter for another kind returns nil and never converts.

extension JSONNode {
    /// The text of a string, unescaped; nil if this isn't a string.
    ///
    /// A lone surrogate such as `\ud800` becomes U+FFFD. O(length).
    public var string: String? {
        guard kind == .string else { return nil }
        return String(decoding: unescaped, as: UTF8.self)
    }

    /// The text of a string as UTF-8; copied only if it contains escapes.
    package var unescaped: ArraySlice<UInt8> { document.unescaped(at: index) }

    /// The number as an integer; nil if this isn't a number, isn't written as an integer (`2.0` and
    /// `1e2` aren't), or is out of range.
    public var int: Int? {
        guard kind == .number else { return nil }
        var digits = text
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        var value = 0
        for byte in digits {
            guard case let digit = Int(byte) - 0x30, 0...9 ~= digit else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // Counts downwards for negative numbers, because `Int.min` has no positive counterpart.
            let (sum, carry) = product.addingReportingOverflow(isNegative ? -digit : digit)
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// The number as the nearest `Double`; nil if this isn't a number or is too large.
    public var double: Double? {
        guard kind == .number else { return nil }
        return JSONNumber.double(text)
    }

    /// The value of `true` or `false`; nil if this is neither.
    public var bool: Bool? {
        switch entry.tag {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// The range of the text between a string's quotation marks.
    package var innerRange: Range<Int> {
        let range = byteRange
        return range.count < 2 ? range : range.lowerBound + 1..<range.upperBound - 1
    }
}
