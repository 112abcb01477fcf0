// Why a text is not JSON, said once and exactly: where, what was expected, what stood there.
//
// Invariant: a fault names the first byte that cannot be part of any JSON text, or the start of the
// construct that it breaks. Left out: recovery. The first fault ends the reading.

/// The reason for which a text was refused, and its place.
public struct JSONFault: Error, Sendable, Hashable {
    /// What is wrong, as far as the reader can name it.
    public enum Kind: String, CaseIterable, Sendable {
        /// The text ends inside of a value.
        case unexpectedEnd = "unexpected_end"
        /// A byte stands where the grammar has no place for it.
        case unexpectedByte = "unexpected_byte"
        /// A complete value is followed by something else than whitespace.
        case trailingBytes = "trailing_bytes"
        /// A complete value is followed by another one, with or without a comma.
        case severalValues = "several_values"
        /// Bytes are not UTF-8 (RFC 8259 §8.1).
        case invalidUTF8 = "invalid_utf8"
        /// A string holds a raw control character, U+0000 to U+001F (RFC 8259 §7).
        case controlCharacter = "control_character"
        /// A backslash is followed by something that is not an escape (RFC 8259 §7).
        case badEscape = "bad_escape"
        /// A number breaks the grammar, such as `01`, `1.` or `+1` (RFC 8259 §6).
        case badNumber = "bad_number"
        /// Arrays and objects nest deeper than the caller allows.
        case tooDeep = "too_deep"
        /// The text is longer than `Limits.maximumDocumentBytes`.
        case tooLarge = "too_large"
        /// A comma stands before a closing bracket.
        case trailingComma = "trailing_comma"
        /// A value follows another one without a comma between them.
        case missingComma = "missing_comma"
        /// A string isn't closed before its line ends.
        case unclosedString = "unclosed_string"
        /// The name of a member has no quotation marks.
        case unquotedName = "unquoted_name"
        /// `NOT` stands before a text of an array rather than in it.
        case notOutsideQuotes = "not_outside_quotes"
        /// A comment stands between tokens.
        case comment
        /// The placeholder of a template stands where a value or a name belongs.
        case templatePlaceholder = "template_placeholder"
        /// The text is JavaScript or another program.
        case sourceCode = "source_code"
        /// The text starts with a byte order mark, of UTF-8, UTF-16 or UTF-32 (RFC 8259 §8.1).
        case byteOrderMark = "byte_order_mark"
        /// A typographic or single quotation mark stands where `"` belongs.
        case wrongQuote = "wrong_quote"
        /// The text starts with `<`: a web page or XML.
        case markup
    }

    /// What is wrong.
    public let kind: Kind

    /// The place of the fault in bytes, from 0; the length of the text when it ends too early.
    public let offset: Int

    /// The line of the fault, from 1.
    public let line: Int

    /// The column of the fault in UTF-8 bytes, from 1.
    public let column: Int

    /// What would have been right, for people.
    public let expected: String

    /// What stood there, for people.
    public let found: String

    /// What to do about it, where that is known.
    public let hint: String?

    /// The JSON pointer (RFC 6901) to the value that was being read; `""` for the outermost one.
    ///
    /// It is made of names that stand before the fault.
    public internal(set) var pointer = ""
}
