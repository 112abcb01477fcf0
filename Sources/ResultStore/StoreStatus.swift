// The store's status, for readiness checks and metrics.

/// The current status of a store.
package struct StoreStatus: Sendable {
    /// Why the last batch of records was not stored; nil if it was.
    package let failure: StoreError?

    /// Progress of the index's rebuild, in bytes; nil if the index is available.
    package let rebuilding: (done: Int64, of: Int64)?

    /// Number of records that are durable and not indexed yet.
    package let lag: Int

    /// Why the last batch of records could not be indexed; nil if it was.
    package let indexFailure: StoreError?

    /// Whether the space that is reserved for erasing is in use, so that new records are refused.
    package let isReserveMissing: Bool

    /// Whether the records are in a database.
    package let isDatabase: Bool

    /// Number of records that are durable on this machine and wait for the database.
    package let spooled: Int

    /// Why the last record could not wait for the database; nil if it could.
    package let spoolFailure: StoreError?

    /// Whether the last record was not stored because the database can't be used.
    package var isDatabaseFailing: Bool {
        if case .database = failure { true } else { false }
    }

    /// Whether new records are refused because the disk is full.
    package var isFull: Bool {
        isReserveMissing || [failure, spoolFailure, indexFailure].contains { $0?.isFull == true }
    }

    package init(
        failure: StoreError?, rebuilding: (done: Int64, of: Int64)? = nil, lag: Int = 0,
        indexFailure: StoreError? = nil, isReserveMissing: Bool = false,
        isDatabase: Bool = false, spooled: Int = 0, spoolFailure: StoreError? = nil
    ) {
        self.failure = failure
        self.rebuilding = rebuilding
        self.lag = lag
        self.indexFailure = indexFailure
        self.isReserveMissing = isReserveMissing
        self.isDatabase = isDatabase
        self.spooled = spooled
        self.spoolFailure = spoolFailure
    }
}

extension ResultStore {
    /// The current status.
    package var status: StoreStatus { storage.status }

    /// Number of clients that wait for some records, and of those that follow all.
    ///
    /// O(subscriptions).
    package var subscriptionCounts: (waiting: Int, following: Int) { feed.subscriptionCounts }

    /// Bytes of all records as they are kept: of the segments on the disk, or of the database's
    /// tables.
    ///
    /// O(segments). Throws `file` if the folder can't be listed, or `database`.
    package func storedBytes() async throws(StoreError) -> Int64 {
        try await storage.storedBytes()
    }
}
