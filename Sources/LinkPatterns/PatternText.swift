// The text that the operators write, piece by piece, so that one parser reads both forms of the
// language and both mean the same. Invariant: a word that would change the meaning of the text is a
// fault, and every text that includes it keeps the fault.

/// A piece of a pattern's text, and the first fault in it that parsing the text wouldn't find.
struct PatternText: Sendable, Equatable {
    private(set) var text = ""
    private(set) var fault: LinkPatternError?

    /// Whether nothing was written, not even an empty literal.
    var isEmpty: Bool { text.isEmpty && fault == nil }

    /// Writes characters of the language.
    mutating func write(_ characters: String) {
        text += characters
    }

    /// Writes another piece, including its fault.
    mutating func write(_ piece: PatternText) {
        if let found = piece.fault {
            mark(found.message, at: text.utf8.count + found.offset)
        }
        text += piece.text
    }

    /// Writes a parameter; its name can't contain `separator`.
    mutating func write(_ parameter: PatternParameter, before separator: UInt8) {
        // The colon, and the type with its bracket.
        let start = text.utf8.count + 1 + (parameter.type.map { $0.rawValue.utf8.count + 1 } ?? 0)
        let name = parameter.name ?? ""
        if let (offset, character) = PatternParser.firstReserved(in: name, or: separator) {
            mark("a parameter's name can't hold '\(character)'", at: start + offset)
        }
        text += parameter.description
    }

    /// Writes a literal.
    mutating func write(literal: String) {
        if literal.isEmpty {
            mark(
                "a literal can't be empty; .root is the path without components",
                at: text.utf8.count)
        }
        let separator = UInt8(ascii: "/")
        if let (offset, character) = PatternParser.firstReserved(in: literal, or: separator) {
            mark(
                "a literal can't hold '\(character)': it is one component; operators say the rest",
                at: text.utf8.count + offset)
        }
        text += literal
    }

    private mutating func mark(_ message: String, at offset: Int) {
        if fault == nil { fault = LinkPatternError(message: message, offset: offset) }
    }
}
