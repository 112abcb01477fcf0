// Text of which no contract depends: names, and parameters that are only passed on.
//
// Invariant: always valid UTF-8. What was wrong is a warning, since nothing is lost that was
// readable.

import JSON

/// A parameter's text, made readable whatever it is.
struct Repaired {
    /// The text, in which broken escapes stand as sent and broken UTF-8 is U+FFFD.
    let bytes: ArraySlice<UInt8>

    /// Unescapes and repairs `text`, adding a warning for each layer that was broken.
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
