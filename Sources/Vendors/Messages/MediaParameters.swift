// Reads the parameters after a media type or a disposition: `; name=value; name="value"` (RFC 9110
// §5.6.6, RFC 2183 §2).
//
// Invariant: values are slices of the text, so every one has its place. A backslash in a quoted
// value keeps the next character from ending it, and stays in the value.

import Text

/// The parameters in a text that begins at the first semicolon.
struct MediaParameters {
    /// One parameter.
    struct Parameter {
        let name: ArraySlice<UInt8>
        /// Without its quotation marks.
        let value: ArraySlice<UInt8>

        /// Whether the name is `word`, which is in lower case.
        func isNamed(_ word: String) -> Bool { name.map(\.lowercased).elementsEqual(word.utf8) }
    }

    private var rest: ArraySlice<UInt8>

    /// The index of the first character that breaks the syntax, after which nothing is read; nil as
    /// long as there is none.
    private(set) var faultAt: Int?

    init(_ text: ArraySlice<UInt8>) { rest = text }

    /// The next parameter; nil after the last one, and at a fault.
    mutating func next() -> Parameter? {
        skipBlanks()
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst()
            skipBlanks()
        }
        guard !rest.isEmpty, faultAt == nil else { return nil }
        let name = rest.prefix(while: \.isTokenCharacter)
        rest = rest[name.endIndex...]
        guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return fail() }
        rest = rest.dropFirst()
        let value: ArraySlice<UInt8>
        if rest.first == UInt8(ascii: "\"") {
            guard let end = Self.endOfQuoted(rest) else { return fail() }
            value = rest[(rest.startIndex + 1)..<end]
            rest = rest[(end + 1)...]
        } else {
            value = rest.prefix(while: \.isTokenCharacter)
            rest = rest[value.endIndex...]
            if value.isEmpty { return fail() }
        }
        skipBlanks()
        if let next = rest.first, next != UInt8(ascii: ";") { return fail() }
        return Parameter(name: name, value: value)
    }

    private mutating func skipBlanks() { rest = rest.drop(while: \.isBlank) }

    private mutating func fail() -> Parameter? {
        faultAt = rest.startIndex
        return nil
    }

    /// The index of the quotation mark that ends a quoted value; nil if it is missing.
    private static func endOfQuoted(_ text: ArraySlice<UInt8>) -> Int? {
        var index = text.startIndex + 1
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "\"") { return index }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}
