// What of the store's behaviour a user may choose.

/// How segments are cut, and what is kept.
package struct StoreSettings: Sendable, Equatable {
    /// Bytes after which a segment is followed by the next part of its day.
    package var segmentBytes = Limits.segmentBytes

    /// Whether segments of days that are over are compressed.
    package var compresses = true

    /// Milliseconds from an erasure to the rewriting of the segments that it concerns.
    package var compactionMilliseconds: UInt64 = 30_000

    /// Milliseconds after which a result is erased; nil for never.
    package var retentionMilliseconds: Int64?

    /// Bytes that all segments may have on the disk; nil for as many as there is room for.
    ///
    /// Beyond, results are erased: those that no contract matched first, and of the inboxes that hold
    /// the most (see `RetentionBudget`).
    package var retentionBytes: Int64?

    /// Results that an inbox may hold; nil for any number.
    ///
    /// Beyond, its oldest are erased, those that no contract matched first.
    package var retentionInboxResults: Int?

    /// Bytes of the disk that are kept free for erasing, at most a sixteenth of it; 0 for none.
    package var reserveBytes: Int64 = 0

    /// What a server keeps.
    package static let servedReserveBytes = Limits.reserveBytes

    /// The defaults: everything is kept.
    package init() {}
}
