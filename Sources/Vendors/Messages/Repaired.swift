// Free text that is passed on: names, and parameters that no contract uses.
//
// Invariant: always valid UTF-8. A defect is a warning, because nothing readable is lost.

/// A parameter's text, made readable.
struct Repaired {
    /// The text; broken escapes stay unchanged, invalid UTF-8 becomes U+FFFD.
    let bytes: ArraySlice<UInt8>

    /// Decodes and repairs `text`; adds a warning for each broken layer.
    init(_ text: EscapedText, findings: inout Findings) {
        let unescaped = text.unescaped()
        if let offset = unescaped.brokenAt {
            findings.addBrokenPercent(.warning, text, at: offset)
        }
        if let offset = unescaped.bytes.firstUTF8Fault {
            findings.addInvalidUTF8(.warning, text, at: offset)
            bytes = Array(String(decoding: unescaped.bytes, as: UTF8.self).utf8)[...]
        } else {
            bytes = unescaped.bytes
        }
    }
}
