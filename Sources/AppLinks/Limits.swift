// Limits of link files. They keep reading, deciding and checking bounded. The size of a link is
// limited by its reader.

/// Limits of link files.
enum Limits {
    /// Maximum bytes of an association file, uncompressed (Apple, *App Search Programming Guide*).
    static let associationBytes = 131_072

    /// Maximum wildcards and variables that Apple's matcher follows before it gives up.
    static let appleMatchingDepth = 64

    /// Number of wildcards and variables in a pattern that causes a warning.
    static let manyWildcards = 10

    /// Steps for finding rules of a file that match only what others match.
    static let inclusionSteps = 200_000

    /// Steps of these for two patterns.
    static let inclusionStepsOfTwo = 20_000

    /// Maximum bytes of an asset links file that Android reads (AOSP, `StatementRetriever`).
    static let assetLinksBytes = 1_048_576

    /// Maximum depth of arrays and objects in an asset links file.
    static let assetLinksDepth = 64

    /// Maximum findings of one severity for one file.
    static let findings = 1_000

    /// Bytes of pointers and messages of one severity after which no more findings are kept.
    static let findingBytes = 1_048_576
}
