// Patterns with a query, in Swift syntax. Only `.?` and `.??` create one, and only it has `&`, so a
// query item can't come before them.

/// A pattern of paths and queries, written with operators: see ``PathPattern``.
public struct QueryPattern: Sendable, Equatable, CustomStringConvertible {
    /// The text of the whole pattern.
    let patternText: PatternText

    /// The pattern's text.
    public var description: String { patternText.text }

    init(_ path: PathPattern, _ item: ParameterChoice, isOptional: Bool = false) {
        self.init(path.patternText, "?", item, isOptional)
    }

    /// This pattern with a further item.
    func and(_ item: ParameterChoice, isOptional: Bool = false) -> QueryPattern {
        QueryPattern(patternText, "&", item, isOptional)
    }

    private init(
        _ text: PatternText, _ separator: String, _ item: ParameterChoice, _ isOptional: Bool
    ) {
        var text = text
        text.write(separator)
        if isOptional { text.write("(") }
        text.write(item.patternText)
        if isOptional { text.write(")") }
        patternText = text
    }
}

/// One query item, or one of several: `.a | .b`.
public struct ParameterChoice: Sendable, Equatable {
    private(set) var patternText = PatternText()

    init(_ parameter: PatternParameter) {
        patternText.write(parameter, before: UInt8(ascii: "&"))
    }

    /// This choice or another parameter.
    func or(_ parameter: PatternParameter) -> ParameterChoice {
        var choice = self
        choice.patternText.write("|")
        choice.patternText.write(parameter, before: UInt8(ascii: "&"))
        return choice
    }
}
