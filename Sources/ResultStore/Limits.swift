// Limits of this target, each with its unit.

/// Limits of the store.
enum Limits {
    /// Size in bytes at which a segment is followed by the next part of the same day.
    static let segmentBytes: Int64 = 256 * 1024 * 1024

    /// Bytes of the file LOCK that are read.
    static let lockBytes = 4096

    /// Segments that are kept open for queries.
    ///
    /// A closed one is opened again when it is needed.
    static let openSegments = 64

    /// Size in bytes below which a segment is merged with its neighbours of the day, whatever their
    /// size.
    static let smallSegmentBytes: Int64 = 1024 * 1024

    /// Disk space in bytes that a server reserves for erasing.
    static let reserveBytes: Int64 = 16 * 1024 * 1024

    /// Bytes that can be written before a full disk counts as one with room: some callbacks.
    static let roomBytes: Int64 = 1024 * 1024

    /// Segments merged in one step.
    static let mergedSegments = 32

    /// Bytes read at once when segments are scanned.
    static let scanBytes = 1024 * 1024

    /// Queries that read the index at the same time, each on a thread and a connection.
    static let indexReaders = 4

    /// Page cache of each connection to the index, in KiB.
    static let indexCacheKibibytes = 8 * 1024

    /// Maximum pages of the index: 128 GiB.
    ///
    /// With more, the first byte of a page doesn't identify its kind.
    static let indexPages = 0x1FF_FFFF

    /// Records of a segment that are read and indexed in one transaction when the store opens.
    static let indexBatchRecords = 4096

    /// Size of an index in bytes up to which its pages are checked before it is used.
    ///
    /// A larger one is checked while it is in use.
    static let checkedIndexBytes: Int64 = 16 * 1024 * 1024

    /// Maximum bytes of segments that a server indexes before it serves: some tenths of a second.
    static let awaitedIndexBytes: Int64 = 16 * 1024 * 1024

    /// Passes of a rebuild over newly written lines before new lines are queued for it.
    static let rebuildingPasses = 10

    /// Maximum pause between two attempts to rebuild the index, in milliseconds.
    static let rebuildingPauseMilliseconds: UInt64 = 60_000

    /// How long a request that needs the index waits for a rebuild, in milliseconds.
    static let rebuildingPatienceMilliseconds: UInt64 = 10_000

    /// Bytes in which a segment's first or last line is searched before the segment is read.
    static let outerLineBytes = 64 * 1024

    /// Segments that may be lost one after another while a batch is written.
    static let lostSegments = 3

    /// How far ahead a clock may be, in milliseconds.
    ///
    /// A record of a later time doesn't begin its day.
    static let clockErrorMilliseconds: Int64 = 7 * 86_400_000

    /// How far the clock may run ahead of the time since the last check, in milliseconds, for
    /// retention to trust it.
    static let clockStepMilliseconds: Int64 = 3_600_000

    /// How far the clock may be ahead of the newest records at a start, in milliseconds, for
    /// retention to trust it.
    static let clockPauseMilliseconds: Int64 = 400 * 86_400_000

    /// When results expire by age, those that would expire within this time go too, in
    /// milliseconds; at most a sixteenth of the age.
    static let earlyExpiryMilliseconds: Int64 = 3_600_000

    /// Number of newest records that confirm the time; half of them may be wrong.
    static let clockWitnesses = 101

    /// How long committed records are collected before they are indexed, in milliseconds.
    ///
    /// A query that must see them has them indexed at once.
    static let indexDelayMilliseconds: UInt64 = 80

    /// Number of committed records that are indexed without further delay, and at most in one
    /// transaction.
    static let indexGatheredRecords = 1024

    /// The same while queries come in: a query may wait for twice as many, a few milliseconds.
    static let indexQueriedRecords = 128

    /// How long after a query had to wait that number applies, in milliseconds.
    static let indexQueriedMilliseconds: UInt64 = 1000

    /// Rows that an erasure of many records removes from the index in one transaction.
    ///
    /// Such a transaction adds at most a few megabytes to the write-ahead log, which a full disk
    /// has in reserve.
    static let erasedRows = 512

    /// Bytes that an erasure without the reserve must find free, and further ones for each row of its
    /// first transaction: rows that lie far apart change three or four pages each.
    static let erasureBytes: Int64 = 512 * 1024
    static let erasedRowBytes: Int64 = 16 * 1024

    /// Maximum number of such transactions before a server serves: some tenths of a second.
    static let awaitedErasingSteps = 32

    /// Records in one write from which the next ones are collected to share one sync of the disk.
    ///
    /// After a smaller write, nothing waits.
    static let gatheringRecords = 8

    /// Number of records that are written without collecting more.
    static let gatheredRecords = 64

    /// How long records are collected, in milliseconds.
    static let gatheringMilliseconds: UInt64 = 1

    /// Bytes of queued records in one `write`; more of them form the next batch.
    static let batchBytes = 4 * 1024 * 1024

    /// Ranges of an index that are merged into one page; SQLite allows 500.
    static let mergedRanges = 64

    /// Valid times of receipt, in milliseconds since 1970-01-01T00:00:00Z: up to the year 2248, and
    /// before the last that a place in the index can hold.
    static let recordMilliseconds: Range<Int64> = 0..<8_796_093_022_207

    /// Findings, and notes, that verification keeps; any more are only counted.
    static let verificationFindings = 1000

    /// Attempts of verification, 10 ms apart, to read a line that is being written.
    static let verificationTries = 10

    /// Rows that are collected and sorted for a page if no index has its order.
    static let gatheredRows = 2000

    /// Inboxes, and origins, whose numbers the writer of the index caches.
    static let rememberedNames = 10_000

    /// Sets of fields whose INSERT statement is cached; others are prepared each time.
    static let rememberedInsertions = 64

    /// Rows of the index in one INSERT: SQLite opens and closes a cursor on each of a dozen indexes
    /// once for all of them.
    static let insertedRows = 16

    /// Bytes of words by which one record is searched.
    static let recordWordBytes = 1024

    /// Minimum content of a compressed block, in bytes; whole lines make it a little more.
    ///
    /// A page may need as many blocks as it has results: smaller blocks are inflated faster, larger
    /// ones take less disk space.
    static let blockBytes = 16 * 1024

    /// Maximum content of a compressed block that is read, in bytes.
    ///
    /// Blocks of the store have less; a file that another program compressed is one block.
    static let inflatedBlockBytes = 64 * 1024 * 1024

    /// Milliseconds before erasing a record that another one's erasure covers is tried again.
    static let erasePauseMilliseconds = 500

    /// Milliseconds between two rounds of compressing segments and expiring results.
    static let maintenanceMilliseconds = 60_000

    /// Pages of word lists merged in one step.
    static let mergedPages = 500

    /// Milliseconds for which the index's writer waits for a lock that another connection holds.
    static let indexLockMilliseconds: UInt64 = 10_000

    /// Attempts to truncate the index's log while queries use it, and milliseconds between them.
    static let logTries = (count: 50, milliseconds: 20)

    /// Bytes of lines that a subscription keeps for a client that hasn't fetched them.
    static let subscriptionBytes = 4 * 1024 * 1024

    /// Bytes of lines that all subscriptions keep together; they get equal shares.
    static let feedBytes = 32 * 1024 * 1024

    /// Bytes of lines that wait to be handed to subscriptions; beyond it, the oldest are dropped.
    static let feedQueueBytes = 16 * 1024 * 1024

    /// Attempts, 1 ms apart, of a new subscription to find everything that other programs had stored
    /// before it.
    static let followingTries = 2000

    /// Last records of a batch among which near misses are sought.
    static let notedRecords = 64

    /// Near misses that are reported when a wait times out.
    static let nearMisses = 5

    /// Bytes of lines after which a page ends, so that a very large result has few others beside
    /// it.
    static let pageBytes = 32 * 1024 * 1024

    /// Maximum results on a page.
    static let pageResults = 500

    /// Records up to which the total of a list is counted.
    static let countedResults = 10_000

    /// Steps of SQLite's virtual machine after which counting stops, so that a list never waits for it.
    static let countingSteps: Int32 = 250_000

    /// Erasures that the journal remembers, so that redecoding doesn't bring back a record that was
    /// erased after it was read.
    ///
    /// If an erasure was forgotten, a record read before it is not replaced.
    static let rememberedErasures = 10_000

    /// Number of strays that are kept; beyond it, the oldest are erased.
    static let strays = 10_000

    /// Bytes of the lines of strays that are kept.
    static let strayBytes: Int64 = 64 * 1024 * 1024

    /// Length of a list up to which it is counted completely.
    static let slicedResults = 100_000

    // The query language:
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
