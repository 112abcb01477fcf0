// Sizes of this target, each with its unit.

/// Limits of the store.
enum Limits {
    /// A segment that has reached so many bytes is followed by the next part of the same day.
    static let segmentBytes: Int64 = 256 * 1024 * 1024

    /// Bytes that are read at once when segments are scanned.
    static let scanBytes = 1024 * 1024

    /// Records that go into one transaction of the index.
    static let indexBatchRecords = 4096

    /// How long committed records may gather before they are indexed, in milliseconds; a query that
    /// must see them has them indexed at once.
    static let indexDelayMilliseconds = 20

    /// Bytes that one `write` gathers from waiting records; more of them form the next batch.
    static let batchBytes = 4 * 1024 * 1024

    /// Most results on a page.
    static let pageResults = 500
}
