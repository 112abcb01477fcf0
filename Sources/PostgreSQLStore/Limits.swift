// Limits of this target, each with its unit.

/// Limits of a store in PostgreSQL.
enum Limits {
    /// Connections for queries, and for the news of flows.
    static let queryConnections = 3
    static let newsConnections = 1

    /// How long one attempt to connect may take, in seconds.
    static let connectSeconds = 5

    /// How long the database, or this program in a transaction, may be silent while the other side
    /// waits for it, in milliseconds.
    static let silenceMilliseconds = 10_000

    /// How long a query may take, in milliseconds.
    static let queryMilliseconds: Int32 = 30_000

    /// How long counting the results of a list may take, in milliseconds; a count that takes longer
    /// is reported as a lower bound.
    static let countingMilliseconds: UInt64 = 100

    /// The same in a large store, where a list must not wait for its count.
    static let quickMilliseconds: UInt64 = 4

    /// Matches that can be counted in that time.
    static let quicklyCounted = 500

    /// Records that an erasure removes in one transaction, while all writers wait.
    static let erasedAtOnce = 10_000

    /// How long a transaction of an erasure, or of maintenance, may take, in milliseconds.
    static let writingMilliseconds: Int32 = 60_000

    /// How long migrating may take, in milliseconds.
    static let migrationMilliseconds: Int32 = 3_600_000

    /// How long a failed connection counts as the answer for others, in milliseconds.
    static let failureMilliseconds: UInt64 = 500

    /// Records in one transaction, and bytes of their lines.
    static let batchRecords = 512
    static let batchBytes = 4 * 1024 * 1024

    /// How long the database may take to store a batch, in milliseconds; then the connection counts
    /// as lost.
    static let batchMilliseconds: Int32 = 10_000

    /// Attempts to store a batch whose transaction failed for a reason that passes.
    static let batchTries = 5

    /// The same where a spool takes what can't be stored.
    static let spooledTries = 2

    /// How long reading the news of flows, and the number of the last record, may take, in
    /// milliseconds.
    static let newsMilliseconds: Int32 = 2_000

    /// Pause between two attempts, in milliseconds.
    static let reconnectPauseMilliseconds = 200

    /// Pause before the writer looks whether the database stores again, in milliseconds.
    static let probeMilliseconds: UInt64 = 500

    /// Looks, 10 ms apart, at whether the process of a lost connection has ended.
    static let fencingTries = 500

    /// Names of inboxes and origins that are known to be in the database.
    static let rememberedNames = 10_000

    /// Statements that a connection keeps prepared.
    static let preparedStatements = 64

    /// Pause between two looks at the number of the last record, in milliseconds: for a database
    /// whose notifications don't arrive.
    static let followMilliseconds: UInt64 = 1000

    /// How long the follower sleeps, and a statement is waited for, in one piece, in milliseconds;
    /// closing waits for it.
    static let sliceMilliseconds: Int32 = 100

    /// How long the database may take to accept that a statement is cancelled, in seconds; it is
    /// not waited for after that.
    static let cancelSeconds: Int32 = 1

    /// Records that the follower reads at once.
    static let followedRecords = 500

    /// Records that were followed whose ids are remembered, to find out what a promoted standby lacks.
    static let rememberedSteps = 512

    /// Own batches that are kept until the records before them have been read.
    static let stashedBatches = 64

    /// Records up to which a set of rows is collected and sorted for a page.
    static let gatheredRows = 2000

    /// Records, next to each other, of which a page is sought before indexes are asked.
    static let candidateRows = 1000

    /// Facets are narrow if this number times their records is less than all records.
    static let narrowShare = 25

    /// Records that are looked up at once.
    static let lookedUpRows = 200

    /// Facets are read one beside the other if this number times their records is less than all.
    static let mergedShare = 4

    /// Ranges of an index that are merged into one page.
    static let mergedRanges = 8

    /// Results up to which the total of a list is counted.
    static let countedResults = 10_000

    /// Characters of a text by which an index orders; the rest is compared in the rows, because an
    /// index can't hold long texts.
    static let indexedCharacters = 200

    /// Records with the same idempotency key with which one from the spool is compared.
    static let comparedRepetitions = 100

    /// How long launches, and the ends of flows, are news to other instances, in milliseconds.
    static let flowNewsMilliseconds: Int64 = 86_400_000

    /// Pause between two attempts to store what is in the spool, in milliseconds.
    static let drainMilliseconds: UInt64 = 500

    /// Statements about all days that an instance executes at once: queries, following, maintenance.
    static let queriesAtOnce = queryConnections + newsConnections + 2

    /// Instances for which room for locks is advised.
    static let advisedInstances = 4

    /// Days for which partitions are made ahead.
    static let daysAhead = 2

    /// Milliseconds between two rounds of maintenance.
    static let maintenanceMilliseconds: UInt64 = 60_000

    /// How long an instance that does maintenance may send no statement, in milliseconds: then it
    /// loses its connection, and with it the lock against others.
    ///
    /// It waits for parts of erasures, which rarely take as long.
    static let roundSilenceMilliseconds: Int32 = 300_000

    /// How long another instance may do maintenance, in milliseconds, before that is reported, and
    /// before one that waits for its turn gives up.
    static let heldMilliseconds: UInt64 = 600_000

    /// Shortest time between two rounds, in milliseconds.
    static let shortestPauseMilliseconds: UInt64 = 1000

    /// Size in bytes of today's partition up to which erased rows are removed from it at once.
    ///
    /// Writing waits meanwhile, so a larger one is left for the next day.
    static let cleanedBytes = 16 * 1024 * 1024

    /// Looks at whether transactions still see erased rows, and the pause between two, in
    /// milliseconds; the next round looks again.
    static let readerTries = 30
    static let readerPauseMilliseconds = 100

    /// Number of newest records that confirm the time; half of them may be wrong.
    static let clockWitnesses = 101

    /// How long erasures stay known, in milliseconds: other instances read them from the database.
    ///
    /// A server that has read none for half of that time restores its flows (`FlowFollower`).
    static let erasureMilliseconds: Int64 = 3_600_000
}
