// The number grammar of RFC 8259 §6, for the parser and for numbers outside of JSON.
//
// Left out: values. A number is kept as written, and converted by code that needs its value.

import Text

/// The grammar of a JSON number.
package enum JSONNumber {
    /// The result of a scan.
    package enum Scan: Equatable {
        /// A number that ends before `end`; the bytes after it were not checked.
        case number(end: Int)
        /// The grammar is violated at an offset, which is the scan's end if digits are missing.
        case broken(at: Int)
    }

    /// Scans one number at `start`, in O(length); reads nothing at or past `end`.
    package static func scan(_ bytes: Span<UInt8>, from start: Int, end: Int) -> Scan {
        var index = start
        if index < end, bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard index < end, bytes[index].isDigit else { return .broken(at: index) }
        if bytes[index] == UInt8(ascii: "0") {
            index += 1
            if index < end, bytes[index].isDigit { return .broken(at: index) }
        } else {
            skipDigits(bytes, &index, end)
        }
        if index < end, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard index < end, bytes[index].isDigit else { return .broken(at: index) }
            skipDigits(bytes, &index, end)
        }
        if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            let hasSign =
                index < end
                && (bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-"))
            if hasSign { index += 1 }
            guard index < end, bytes[index].isDigit else { return .broken(at: index) }
            skipDigits(bytes, &index, end)
        }
        return .number(end: index)
    }

    /// The nearest `Double` to the number in `text`; nil if it is too large.
    package static func double(_ text: some Collection<UInt8>) -> Double? {
        if let value = short(text) { return value }
        let value = Double(String(decoding: text, as: UTF8.self))
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number in `text` if it has at most 15 digits and no exponent; nil otherwise.
    ///
    /// Its digits and the power of ten by which they are divided are exact as `Double`, so their
    /// quotient is the nearest one.
    private static func short(_ text: some Collection<UInt8>) -> Double? {
        guard text.count <= 16 else { return nil }
        var (digits, count, isNegative): (Int64, Int, Bool) = (0, 0, false)
        var power: Double?
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int64(byte &- UInt8(ascii: "0"))
                count += 1
                power = power.map { $0 * 10 }
            case UInt8(ascii: "-") where count == 0 && !isNegative: isNegative = true
            case UInt8(ascii: ".") where count > 0 && power == nil: power = 1
            default: return nil
            }
        }
        guard 1...15 ~= count, power != 1 else { return nil }
        let value = Double(digits) / (power ?? 1)
        return isNegative ? -value : value
    }

    /// Whether the number in `text` fits into a `Double`; converts it only if necessary.
    package static func isFinite(_ text: ArraySlice<UInt8>) -> Bool {
        // The largest finite `Double` has 309 digits before the point.
        let isPlain = text.count < 309 && !hasExponent(text.span)
        return isPlain || double(text) != nil
    }

    /// Whether the number in `text` is from 0 to 1; converts it only if necessary.
    package static func isFraction(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.span
        if digits.count > 1, digits[0] == UInt8(ascii: "0"), !hasExponent(digits) { return true }
        return (0...1).contains(double(text) ?? .infinity)
    }

    private static func hasExponent(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] | 0x20 == UInt8(ascii: "e") { return true }
        return false
    }

    private static func skipDigits(_ bytes: Span<UInt8>, _ index: inout Int, _ end: Int) {
        while index < end, bytes[index].isDigit { index += 1 }
    }
}
