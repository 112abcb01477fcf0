// Limits of link patterns. They keep parsing, registering and matching bounded. The size of a link is
// limited by its reader.

/// Limits of link patterns.
enum Limits {
    /// Maximum bytes of a pattern's text.
    static let patternBytes = 2_048

    /// Maximum depth of brackets in a pattern.
    static let bracketDepth = 32

    /// Number of places in a pattern up to which a router follows all ways through alternatives and
    /// groups.
    static let routePlaces = 32
}
