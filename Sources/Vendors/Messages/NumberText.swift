// Explains why a text is not a valid number. Invariant: hints only; no text becomes a number
// through them.

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
        if text.contains(UInt8(ascii: ",")) {
            return "use a point before the decimals, not a comma"
        }
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
        let isDecimal = text.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
        if isDecimal, word.contains("e") { return "the number is too large" }
        if isDecimal, first == UInt8(ascii: "0") { return "remove the zeros in front" }
        if text.contains(where: { $0 >= 0x80 }) { return "write ASCII digits" }
        return nil
    }
}
