// A QR code in a terminal: two modules a character, one above the other.
//
// A terminal's own colours may be light on dark or dark on light, and most readers take a code only
// dark on light: with colours, both are set. Without, it is drawn for a dark background, as most are.

extension QRCode {
    /// The lines, each with its end.
    ///
    /// - Parameter isColored: whether black and white may be set; else light modules are drawn.
    package func terminal(isColored: Bool) -> String {
        let range = -Self.quietZone..<side + Self.quietZone
        var lines = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            if isColored { lines += "\u{1B}[38;5;231;48;5;16m" }
            for column in range {
                // Below the last row of an odd number there is nothing to be light.
                let hasLower = row + 1 < range.upperBound
                switch (!isDark(column, row), hasLower && !isDark(column, row + 1)) {
                case (true, true): lines += "█"
                case (true, false): lines += "▀"
                case (false, true): lines += "▄"
                case (false, false): lines += " "
                }
            }
            lines += isColored ? "\u{1B}[0m\n" : "\n"
        }
        return lines
    }
}
