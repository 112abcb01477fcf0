// Why a text isn't JSON: where, what was expected, and what was found.
//
// Invariant: a fault refers to the first byte that can't be part of any JSON text, or to the start
// of the construct that it breaks. Left out: recovery. Parsing ends at the first fault.

/// Why a text isn't JSON, and where.
public struct JSONFault: Error, Sendable, Hashable {
    /// What is wrong, as far as the parser can identify it.
    public enum Kind: String, CaseIterable, Sendable {
        /// The text ends within a value.
        case unexpectedEnd = "unexpected_end"
        /// The grammar doesn't allow a byte at its position.
        case unexpectedByte = "unexpected_byte"
        /// A complete value is followed by something other than whitespace.
        case trailingBytes = "trailing_bytes"
        /// A complete value is followed by another one, with or without a comma.
        case severalValues = "several_values"
        /// The bytes are not valid UTF-8 (RFC 8259 §8.1).
        case invalidUTF8 = "invalid_utf8"
        /// A string contains a raw control character, U+0000 to U+001F (RFC 8259 §7).
        case controlCharacter = "control_character"
        /// A backslash is followed by something that is not an escape (RFC 8259 §7).
        case badEscape = "bad_escape"
        /// A number is malformed, such as `01`, `1.` or `+1` (RFC 8259 §6).
        case badNumber = "bad_number"
        /// Arrays and objects are nested deeper than the caller allows.
        case tooDeep = "too_deep"
        /// The text is longer than `Limits.maximumDocumentBytes`.
        case tooLarge = "too_large"
        /// A comma precedes a closing bracket.
        case trailingComma = "trailing_comma"
        /// A value follows another one without a comma between them.
        case missingComma = "missing_comma"
        /// A string isn't closed before its line ends.
        case unclosedString = "unclosed_string"
        /// The name of a member has no quotation marks.
        case unquotedName = "unquoted_name"
        /// `NOT` is before a text of an array instead of in it.
        case notOutsideQuotes = "not_outside_quotes"
        /// There is a comment between tokens.
        case comment
        /// A template's placeholder is in place of a value or a name.
        case templatePlaceholder = "template_placeholder"
        /// The text is JavaScript or another programming language.
        case sourceCode = "source_code"
        /// The text starts with a byte order mark, of UTF-8, UTF-16 or UTF-32 (RFC 8259 §8.1).
        case byteOrderMark = "byte_order_mark"
        /// A typographic or single quotation mark is in place of `"`.
        case wrongQuote = "wrong_quote"
        /// The text starts with `<`: HTML or XML.
        case markup
    }

    /// What is wrong.
    public let kind: Kind

    /// The position of the fault in bytes, from 0; the length of the text if it ends too early.
    public let offset: Int

    /// The line of the fault, from 1.
    public let line: Int

    /// The column of the fault in UTF-8 bytes, from 1.
    public let column: Int

    /// What was expected, for people.
    public let expected: String

    /// What was found, for people.
    public let found: String

    /// How to fix it, if that is known.
    public let hint: String?

    /// The JSON pointer (RFC 6901) to the value that was being parsed; `""` for the root value.
    ///
    /// It consists of names before the fault.
    public internal(set) var pointer = ""
}
