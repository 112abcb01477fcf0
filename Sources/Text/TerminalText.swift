// Text from peers on a terminal: nothing in it may move the cursor or hide what is next to it.

/// The characters that a terminal doesn't simply show.
package enum TerminalText {
    /// Whether a character is a control or format character or a separator of lines: escape
    /// sequences begin with the first, and the direction of text changes with the second.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The text in one line, with `?` for each hidden character.
    ///
    /// - Complexity: O(size).
    package static func visible(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { visible.append(isHidden(scalar) ? "?" : scalar) }
        return String(visible)
    }
}
