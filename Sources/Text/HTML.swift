// Escapes text from peers for pages and images, so that none of it is read as markup.

/// Text as content or attribute value of HTML and SVG.
package enum HTML {
    /// The text for people, with `?` for each invisible character.
    package static func escaped(_ text: String) -> String { markup(TerminalText.visible(text)) }

    /// The text with only markup characters escaped.
    package static func markup(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
