// Sizes of this target, each with its unit.

/// Limits of the store.
enum Limits {
    /// A segment that has reached so many bytes is followed by the next part of the same day.
    static let segmentBytes: Int64 = 256 * 1024 * 1024

    /// Segments that are kept open for queries; one that is used again is opened again.
    static let openSegments = 64

    /// Segments that are smaller than this many bytes are merged with their neighbours of the day,
    /// however small those are.
    static let smallSegmentBytes: Int64 = 1024 * 1024

    /// Bytes on the disk that a server keeps free for erasing.
    static let reserveBytes: Int64 = 16 * 1024 * 1024

    /// Segments that one step merges.
    static let mergedSegments = 32

    /// Bytes that are read at once when segments are scanned.
    static let scanBytes = 1024 * 1024

    /// Memory that each connection to the index may keep pages in, in KiB.
    static let indexCacheKibibytes = 8 * 1024

    /// Pages that the index may have: 128 GiB; with more, a page's kind can't be told by its first byte.
    static let indexPages = 0x1FF_FFFF

    /// Records that go into one transaction of the index.
    static let indexBatchRecords = 4096

    /// Bytes of an index up to which its pages are checked while it is opened; a larger one is checked
    /// while it answers.
    static let checkedIndexBytes: Int64 = 16 * 1024 * 1024

    /// Readings of what was written meanwhile, before an index that is made anew has lines wait for it.
    static let rebuildingPasses = 10

    /// Most milliseconds between two tries to make the index anew.
    static let rebuildingPauseMilliseconds: UInt64 = 60_000

    /// How long a request that needs the index waits while it is made anew, in milliseconds.
    static let rebuildingPatienceMilliseconds: UInt64 = 10_000

    /// Bytes in which a segment's first line is looked for before the segment is read.
    static let firstLineBytes = 64 * 1024

    /// Segments that may be lost one after another while a batch is written.
    static let lostSegments = 3

    /// How far a clock may be ahead, in milliseconds: a record of a later time does not begin its day.
    static let clockErrorMilliseconds: Int64 = 7 * 86_400_000

    /// How far the clock may get ahead of the time since the last look, in milliseconds, for retention
    /// to believe it.
    static let clockStepMilliseconds: Int64 = 3_600_000

    /// How far the clock may be ahead of the newest records at a start, in milliseconds, for retention
    /// to believe it.
    static let clockPauseMilliseconds: Int64 = 400 * 86_400_000

    /// The newest records that say what time it is; half of them may be wrong.
    static let clockWitnesses = 101

    /// How long committed records may gather before they are indexed, in milliseconds; a query that
    /// must see them has them indexed at once.
    static let indexDelayMilliseconds: UInt64 = 80

    /// Committed records that are indexed without further delay.
    ///
    /// A query may wait for as many: some 15 ms.
    static let indexGatheredRecords = 1024

    /// Records in one write from which on the next ones gather, to share one sync of the disk.
    ///
    /// After fewer, nothing waits.
    static let gatheringRecords = 8

    /// Records that are written without gathering more.
    static let gatheredRecords = 64

    /// Milliseconds for which records gather at most.
    static let gatheringMilliseconds: UInt64 = 1

    /// Bytes that one `write` gathers from waiting records; more of them form the next batch.
    static let batchBytes = 4 * 1024 * 1024

    /// Ranges of an index that are merged into one page; SQLite takes 500 at the most.
    static let mergedRanges = 64

    /// When a record may have been received, in milliseconds since 1970-01-01T00:00:00Z: up to the
    /// year 2248, which a place in the index can tell.
    static let recordMilliseconds: Range<Int64> = 0..<8_796_093_022_208

    /// Findings, and notes, that verification keeps; beyond, it only counts.
    static let verificationFindings = 1000

    /// Looks that verification takes, 10 ms apart, at a line that is being written.
    static let verificationTries = 10

    /// Rows that are gathered and sorted for a page where no index has its order.
    static let gatheredRows = 2000

    /// Inboxes, and origins, whose numbers the writer of the index remembers.
    static let rememberedNames = 10_000

    /// Sets of fields whose insertion is kept ready; others are made ready each time.
    static let rememberedInsertions = 64

    /// Bytes of words by which one record is searched.
    static let recordWordBytes = 1024

    /// Bytes of content that a compressed block has at least; whole lines make it a little more.
    ///
    /// A page may need as many blocks as it has results: smaller ones are inflated sooner, larger
    /// ones take less room on the disk.
    static let blockBytes = 16 * 1024

    /// Milliseconds between two looks for segments to compress and results to expire.
    static let maintenanceMilliseconds = 60_000

    /// Pages of word lists that are merged in one step.
    static let mergedPages = 500

    /// Tries to empty the index's log while queries keep it, and milliseconds between them.
    static let logTries = (count: 50, milliseconds: 20)

    /// Bytes of lines that a subscription keeps for a client that doesn't fetch them.
    static let subscriptionBytes = 4 * 1024 * 1024

    /// Bytes of lines that all subscriptions keep together: of many, each keeps its share.
    static let feedBytes = 32 * 1024 * 1024

    /// Near misses that are told to whoever waited in vain.
    static let nearMisses = 5

    /// Bytes of lines after which a page ends, so that one of the largest results has few others.
    static let pageBytes = 32 * 1024 * 1024

    /// Most results on a page.
    static let pageResults = 500

    /// Erasures that the journal remembers, so that redecoding brings back no record that was erased
    /// meanwhile; beyond them a record that was read before is not replaced.
    static let rememberedErasures = 10_000

    /// Strays that are kept: beyond them, the oldest go.
    static let strays = 10_000

    /// Bytes of the lines of strays that are kept.
    static let strayBytes: Int64 = 64 * 1024 * 1024

    /// Results of a list that is counted as a whole.
    static let slicedResults = 100_000
}
