// Why a text is not a query, and where.

/// The first fault of a query's text, or of the value of a simple parameter.
package struct QueryError: Error, Sendable, Equatable {
    /// The fault's place: Unicode scalars from the beginning of the text, at most its length.
    package var character: Int
    /// The same place in bytes of UTF-8.
    package var byte: Int
    /// What would be right there, as a phrase.
    package var expected: String
    /// What stands there, shortened; nil at the end of the text.
    package var found: String?
    /// What may have been meant, as a query would write it; nil when nothing is near.
    package var hint: String?

    /// Makes an error at a byte of a text; control characters are replaced in `found`.
    ///
    /// O(size of the text).
    init(
        at byte: Int, of text: some Collection<UInt8>, expected: String, found: String? = nil,
        hint: String? = nil
    ) {
        self.byte = byte
        character = text.prefix(byte).reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        self.expected = expected
        self.hint = hint
        self.found = found.map { found in
            let scalars = found.unicodeScalars
            var shown = String.UnicodeScalarView()
            for scalar in scalars.prefix(Limits.excerptCharacters) {
                let isControl = scalar.properties.generalCategory == .control
                shown.append(isControl ? "\u{FFFD}" : scalar)
            }
            let isShortened = scalars.dropFirst(Limits.excerptCharacters).first != nil
            return String(shown) + (isShortened ? "…" : "")
        }
    }
}

extension QueryError: CustomStringConvertible {
    /// One sentence in English.
    package var description: String {
        let found = found.map { "\"\($0)\"" } ?? "the end"
        let hint = hint.map { "; did you mean \($0)?" } ?? "."
        return "Expected \(expected) at character \(character), but found \(found)\(hint)"
    }
}
