// Limits of the query language, each with its unit.

extension Limits {
    /// Maximum size of a query's text in bytes.
    static let queryBytes = 4096

    /// Maximum depth of parentheses and `NOT`.
    static let queryDepth = 32

    /// Maximum number of comparisons, existence tests and words in a query.
    static let queryTerms = 64

    /// Maximum size of a folded word in bytes; a longer one is truncated.
    static let wordBytes = 64

    /// Maximum characters of the query that an error repeats.
    static let excerptCharacters = 40
}
