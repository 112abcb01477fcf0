// Text that a contract depends on: decoded without errors, or not at all. Invariant: of several
// broken layers, the outermost is reported.

/// A parameter's text if every layer of it is valid.
struct CleanText {
    /// The text: UTF-8 without NUL.
    let bytes: ArraySlice<UInt8>

    /// Decodes `text`; nil, with an error for the first broken layer, if it is invalid.
    init?(_ text: EscapedText, findings: inout Findings) {
        let unescaped = text.unescaped()
        if let offset = unescaped.brokenAt {
            findings.addBrokenPercent(.error, text, at: offset)
            return nil
        }
        if Self.isPlain(unescaped.bytes.span) {
            bytes = unescaped.bytes
            return
        }
        if let offset = unescaped.bytes.firstUTF8Fault {
            findings.addInvalidUTF8(.error, text, at: offset)
            return nil
        }
        if let index = unescaped.bytes.firstIndex(of: 0) {
            findings.add(
                .error, text.containerLayer, "nul_character", in: text.part,
                at: text.sourceOffset(ofUnescaped: index - unescaped.bytes.startIndex),
                expected: "text", found: "the character U+0000")
            return nil
        }
        bytes = unescaped.bytes
    }

    /// Whether `text` is ASCII without NUL, which most text is.
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        // Wraps on purpose: one comparison detects both NUL and non-ASCII.
        for index in text.indices where text[index] &- 1 >= 0x7F { return false }
        return true
    }
}
