// Explains why a text is not a valid number. Invariant: hints only; no text becomes a number
// through them, and a text that no rule knows gets none.

import JSON
import Text

/// Texts that people and programs write for numbers.
enum NumberText {
    /// The word for an absent or unrepresentable value, if `text` is one.
    static func wordForNothing(_ text: ArraySlice<UInt8>) -> String? {
        guard text.count <= 15 else { return nil }
        let word = String(decoding: text, as: UTF8.self).lowercased()
        return ["null", "nil", "none", "undefined", "[object Object]"].first {
            $0.lowercased() == word
        }
    }

    /// How to correct a text that is not a JSON number; nil if unknown.
    static func hint(on text: ArraySlice<UInt8>) -> String? {
        guard let first = text.first, let last = text.last else {
            return "leave it out when there is no value"
        }
        if first <= 0x20 || last <= 0x20 { return "remove the white space around the number" }
        if hasDecimalComma(text) { return "use a point before the decimals, not a comma" }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            return "remove the quotation marks"
        }
        if first == UInt8(ascii: "+") { return "remove the plus sign" }
        if first == UInt8(ascii: ".") { return "write a digit before the point" }
        if last == UInt8(ascii: ".") { return "write a digit after the point, or no point" }
        if last == UInt8(ascii: "%") { return "write a fraction: 32% is 0.32" }
        if wordForNothing(text) != nil { return "leave it out when there is no value" }
        let word = String(decoding: text.prefix(12), as: UTF8.self).lowercased()
        if ["nan", "-nan", "inf", "-inf", "infinity", "-infinity"].contains(word) {
            return "the value could not be computed: leave it out"
        }
        if word.hasPrefix("0x") || word.hasPrefix("-0x") { return "write it as a decimal number" }
        if text.contains(UInt8(ascii: "&")) || text.contains(UInt8(ascii: "=")) {
            return "= or & was escaped: percent-encode each value by itself"
        }
        // The grammar allows it, so that only its size can be wrong.
        if case .number(text.count) = JSONNumber.scan(text.span, from: 0, end: text.count) {
            return "the number is too large"
        }
        if hasLeadingZero(text) { return "remove the zeros in front" }
        if hasForeignDigits(text) { return "write ASCII digits" }
        return nil
    }

    /// Whether a text is digits, one comma and digits, with a sign before them or without.
    private static func hasDecimalComma(_ text: ArraySlice<UInt8>) -> Bool {
        let number = "+-".utf8.contains(text.first ?? 0) ? text.dropFirst() : text
        let parts = number.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
    }

    /// Whether a text would be a number without the zeros at its start.
    private static func hasLeadingZero(_ text: ArraySlice<UInt8>) -> Bool {
        var number = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        guard number.starts(with: "0".utf8), number.dropFirst().first?.isDigit == true else {
            return false
        }
        while number.starts(with: "0".utf8), number.dropFirst().first?.isDigit == true {
            number = number.dropFirst()
        }
        let end = number.count
        return JSONNumber.scan(number.span, from: 0, end: end) == .number(end: end)
    }

    /// Whether a text has digits of another script or a minus sign beyond ASCII, and otherwise only
    /// ASCII.
    private static func hasForeignDigits(_ text: ArraySlice<UInt8>) -> Bool {
        let foreign = String(decoding: text, as: UTF8.self).unicodeScalars.filter { !$0.isASCII }
        return !foreign.isEmpty
            && foreign.allSatisfy {
                $0.properties.generalCategory == .decimalNumber || $0 == "\u{2212}"
            }
    }
}
