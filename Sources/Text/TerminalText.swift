// Makes text from peers safe for a terminal: it can't move the cursor or hide text next to it.

/// The characters that a terminal interprets.
package enum TerminalText {
    /// Whether a character is a control or format character or a line separator: controls begin
    /// escape sequences, format characters change the direction of text.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The text on one line, with `?` for each hidden character.
    ///
    /// - Complexity: O(size).
    package static func visible(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { visible.append(isHidden(scalar) ? "?" : scalar) }
        return String(visible)
    }
}
