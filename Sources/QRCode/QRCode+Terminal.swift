// A QR code for a terminal: two modules in one character, one above the other.
//
// Most readers need dark modules on a light background, but a terminal's colours may be the other
// way round: with colours, both are set. Without, it is drawn for a dark background, the most
// common.

extension QRCode {
    /// The lines, each with its line end.
    ///
    /// - Parameter isColored: whether to set black and white; otherwise the light modules are
    ///   drawn.
    package func terminal(isColored: Bool) -> String {
        let range = -Self.quietZone..<side + Self.quietZone
        var lines = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            if isColored { lines += "\u{1B}[38;5;231;48;5;16m" }
            for column in range {
                // With an odd number of rows, there is no lower row at the end.
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
