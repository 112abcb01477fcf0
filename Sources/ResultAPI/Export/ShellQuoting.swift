// Quotes words for a POSIX shell (POSIX.1-2024, XCU §2.2.2), so that pasted text never runs.

/// Quoting for `sh`.
package enum ShellQuoting {
    /// One literal word for the shell; nil for text with a NUL, which no argument can hold.
    ///
    /// O(size).
    package static func word(_ text: String) -> String? {
        if text.utf8.contains(0) { return nil }
        return "'"
            + text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }
}
