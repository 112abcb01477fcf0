// Short pieces of a peer's text for diagnostics.
//
// Invariant: at most `Limits.maximumExcerptBytes` of the text are shown, always as valid UTF-8 and
// without credentials.

import Text

/// Excerpts of a message for diagnostics.
package enum Excerpt {
    /// The text in quotation marks, truncated if it is long.
    package static func quoted(_ text: ArraySlice<UInt8>) -> String {
        // Redact before truncating: half of a token can't be recognised.
        let safe = Redaction.redactBody(Array(text.prefix(Limits.maximumSearchedExcerptBytes)))
        let shown = String(decoding: safe.prefix(Limits.maximumExcerptBytes), as: UTF8.self)
        return "\"\(shown)\"" + (safe.count > Limits.maximumExcerptBytes ? "…" : "")
    }

    /// The byte at the start of `text` as a character if it is printable, otherwise in hexadecimal.
    static func byte(_ text: ArraySlice<UInt8>) -> String {
        guard let byte = text.first else { return "the end of the text" }
        if 0x20..<0x7F ~= byte { return quoted(text.prefix(1)) }
        return "byte 0x" + Hexadecimal.text(byte, digits: 2, uppercase: true)
    }
}
