// Sizes that link patterns and link files may have. They keep reading, registering and matching
// bounded; what a link may hold is bounded by whoever reads it.

/// Limits of link patterns and link files.
enum Limits {
    /// Bytes of a pattern's text.
    static let patternBytes = 2_048

    /// Brackets of a pattern that may be open at once.
    static let bracketDepth = 32

    /// Places in a pattern up to which a router follows all ways through alternatives and groups.
    static let routePlaces = 32

    /// Bytes that an association file may have, uncompressed (Apple, *App Search Programming
    /// Guide*).
    static let associationBytes = 131_072

    /// Wildcards and variables that Apple's matcher follows before it gives up.
    static let appleMatchingDepth = 64

    /// Wildcards and variables of a pattern that are worth a warning.
    static let manyWildcards = 10

    /// Steps for finding out which rules of a file fit only what others fit.
    static let inclusionSteps = 200_000

    /// Steps of those that two patterns may take.
    static let inclusionStepsOfTwo = 20_000

    /// Bytes of an asset links file that Android reads (AOSP, `StatementRetriever`).
    static let assetLinksBytes = 1_048_576

    /// Arrays and objects of an asset links file that may be open at once.
    static let assetLinksDepth = 64

    /// Findings that are kept of one asset links file.
    static let findings = 1_000
}
