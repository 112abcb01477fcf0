// `:a`, `(:a)` or `(:a|:b)` after the `?` of a pattern. Every parameter here has a name.

/// One element of a pattern's query.
enum QueryElement: Sendable, Equatable {
    /// The query has an item for the parameter.
    case required(PatternParameter)

    /// The item is captured if it is present.
    case optional(PatternParameter)

    /// The query has an item for one of the parameters; the first one that has an item is used.
    case either([PatternParameter])
}
