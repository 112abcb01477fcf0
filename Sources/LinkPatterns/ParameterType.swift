// The syntax of typed parameters. A type only validates: the captured value stays the text of the
// link.

/// The types of the pattern language, with the names of both of its versions (Deeper README).
enum ParameterType: String, Sendable {
    case num
    case str
    case bool
    case int
    case double
    case string

    /// Whether `text` is a value of this type.
    ///
    /// - Complexity: O(*n*) in the length of `text`.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .str, .string: true
        case .num, .double: Double(text) != nil
        case .int: Int(text) != nil
        case .bool: Self.bool(in: text) != nil
        }
    }

    /// The value of a `bool`'s text; nil if it is invalid.
    static func bool(in text: String) -> Bool? {
        if text == "1" || text.isASCIIWord("true") { return true }
        return text == "0" || text.isASCIIWord("false") ? false : nil
    }
}

extension String {
    /// Whether this equals `word`, which has only lowercase ASCII letters, ignoring ASCII case.
    fileprivate func isASCIIWord(_ word: String) -> Bool {
        utf8.elementsEqual(word.utf8) { byte, letter in byte | 0x20 == letter }
    }
}
