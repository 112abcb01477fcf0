// Sizes that a link pattern may have. They keep parsing, registering and matching bounded;
// what a link may hold is bounded by whoever reads it.

/// Limits of link patterns.
enum Limits {
    /// Bytes of a pattern's text.
    static let patternBytes = 2_048

    /// Brackets of a pattern that may be open at once.
    static let bracketDepth = 32
}
