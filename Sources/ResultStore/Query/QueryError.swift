// Why a text is not a valid query, and where.

/// The first error in a query's text, or in the value of a simple parameter.
package struct QueryError: Error, Sendable, Equatable {
    /// Position of the error in Unicode scalars; up to the length of the text.
    package var character: Int
    /// The same position in UTF-8 bytes.
    package var byte: Int
    /// What would be valid there, as a phrase.
    package var expected: String
    /// What was found there, shortened; nil at the end of the text.
    package var found: String?
    /// A suggestion, as a query would write it; nil if nothing is near.
    package var hint: String?

    /// Makes an error at a byte of a text; replaces control characters in `found`.
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
    /// The error as one English sentence.
    package var description: String {
        let found = found.map { "\"\($0)\"" } ?? "the end"
        let hint = hint.map { "; did you mean \($0)?" } ?? "."
        return "Expected \(expected) at character \(character), but found \(found)\(hint)"
    }
}
