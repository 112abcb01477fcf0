// Sizes of the query language, each with its unit.

extension Limits {
    /// Bytes of a query's text.
    static let queryBytes = 4096

    /// How many parentheses and `NOT` may be open at once.
    static let queryDepth = 32

    /// Comparisons, existences and words of a query.
    static let queryTerms = 64

    /// Bytes of a folded word; the rest of a longer one is left out.
    static let wordBytes = 64

    /// Characters of the query that an error repeats.
    static let excerptCharacters = 40
}
