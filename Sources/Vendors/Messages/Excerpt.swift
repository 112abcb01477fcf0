// Short pieces of a peer's text for diagnostics.
//
// Invariant: at most `Limits.maximumExcerptBytes` of the text are shown, always as valid UTF-8 and
// without credentials.

/// What a diagnostic repeats of a message.
package enum Excerpt {
    /// The text in quotation marks, cut off when it is long.
    package static func quoted(_ text: ArraySlice<UInt8>) -> String {
        // Before it is cut off: half of a token doesn't look like one.
        let safe = Redaction.redactBody(Array(text.prefix(Limits.maximumSearchedExcerptBytes)))
        let shown = String(decoding: safe.prefix(Limits.maximumExcerptBytes), as: UTF8.self)
        return "\"\(shown)\"" + (safe.count > Limits.maximumExcerptBytes ? "…" : "")
    }

    /// The byte at the start of `text` as a character when it prints, else in hexadecimal.
    static func byte(_ text: ArraySlice<UInt8>) -> String {
        guard let byte = text.first else { return "the end of the text" }
        if 0x20..<0x7F ~= byte { return quoted(text.prefix(1)) }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (byte < 0x10 ? "0" : "") + digits
    }
}
