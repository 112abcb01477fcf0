// Colours of words on a terminal.

/// Styles words, if there are colours.
package struct TerminalStyle {
    /// Whether colours are used.
    package let isColored: Bool

    /// Makes a style; without colours, words stay plain.
    package init(isColored: Bool) { self.isColored = isColored }

    package func good(_ text: String) -> String { colored(text, 32) }
    package func bad(_ text: String) -> String { colored(text, 31) }
    package func warning(_ text: String) -> String { colored(text, 33) }
    package func faint(_ text: String) -> String { colored(text, 2) }
    package func strong(_ text: String) -> String { colored(text, 1) }

    private func colored(_ text: String, _ code: Int) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
