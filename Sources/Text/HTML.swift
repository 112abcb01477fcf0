// Text from peers in a page or a picture: nothing in it is read as markup.

/// Text as content or attribute value of HTML and SVG.
package enum HTML {
    /// The text for people, with `?` for each character that can't be seen.
    package static func escaped(_ text: String) -> String { markup(TerminalText.visible(text)) }

    /// The text with nothing changed but what markup needs.
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
