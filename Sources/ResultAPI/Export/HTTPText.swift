// Character rules for the parts of a request, for text that didn't come through the parser.

import Text

/// The character rules of RFC 9110 and RFC 9112, for text from records.
enum HTTPText {
    /// Whether text is a token (RFC 9110 §5.6.2): a method or the name of a field.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isTokenCharacter)
    }

    /// Whether text can be the target in a request line (RFC 9112 §3.2): printable ASCII, no space.
    static func isTarget(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether text can be a field's value (RFC 9110 §5.5): no control characters but tabs, no
    /// blank at either end.
    static func isFieldValue(_ text: String) -> Bool {
        let ends = [text.utf8.first, text.utf8.last].compactMap(\.self)
        return !ends.contains(0x20) && !ends.contains(0x09)
            && text.utf8.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
    }
}
