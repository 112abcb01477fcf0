// Numbers in sentences and in settings.

extension FixedWidthInteger {
    /// Reads decimal digits, with a minus sign for less than 0; nil for any other text, also with
    /// leading zeros or a plus sign.
    package init?(decimal text: String) {
        guard let number = Self(text, radix: 10), number.description == text else { return nil }
        self = number
    }
}

extension Int {
    /// The number with commas between thousands.
    package var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }

    /// The number, grouped, with a noun: `1 result`, `2 results`.
    package func counted(_ noun: String) -> String {
        "\(grouped) \(noun)\(self == 1 ? "" : "s")"
    }
}
