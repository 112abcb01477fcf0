// `:a`, `(:a)` or `(:a|:b)` after the `?` of a pattern. Every parameter here has a name.

/// One element of a pattern's query.
enum QueryElement: Sendable, Equatable {
    /// The query has an item for the parameter.
    case required(PatternParameter)

    /// The item is captured when there is one.
    case optional(PatternParameter)

    /// The query has an item for one of the parameters; the first of them that has one is taken.
    case either([PatternParameter])
}
