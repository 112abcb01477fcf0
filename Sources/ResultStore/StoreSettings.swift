// The user's settings of the store.

/// How segments are split, and what is kept.
package struct StoreSettings: Sendable, Equatable {
    /// Size in bytes at which a segment is followed by the next part of its day.
    package var segmentBytes = Limits.segmentBytes

    /// Whether segments of past days are compressed.
    package var compresses = true

    /// Milliseconds from an erasure to the rewriting of its segments.
    package var compactionMilliseconds: UInt64 = 30_000

    /// Milliseconds after which a result is erased; nil for never.
    package var retentionMilliseconds: Int64?

    /// Maximum size of all segments on the disk in bytes; nil for no limit.
    ///
    /// Beyond it, results are erased in the order of `RetentionBudget.Part`, and from the inboxes
    /// that hold the most.
    package var retentionBytes: Int64?

    /// Maximum results of an inbox; nil for no limit.
    ///
    /// Beyond it, its oldest results are erased, in the order of `RetentionBudget.Part`.
    package var retentionInboxResults: Int?

    /// Disk space reserved for erasing, in bytes; limited to a sixteenth of the disk; 0 for none.
    package var reserveBytes: Int64 = 0

    /// The reserve of a server.
    package static let servedReserveBytes = Limits.reserveBytes

    /// Maximum bytes of segments that are indexed before the store opens.
    ///
    /// If the index lacks more, all of them are indexed while the store is in use; queries throw
    /// `rebuilding` until that is done. The same holds for an erasure that was interrupted, if much
    /// of it is left, unless this is `.max`.
    package var awaitedIndexBytes: Int64 = .max

    /// The `awaitedIndexBytes` of a server.
    package static let servedAwaitedIndexBytes = Limits.awaitedIndexBytes

    /// The defaults: everything is kept.
    package init() {}
}
