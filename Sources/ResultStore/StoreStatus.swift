// The store's status, for readiness checks.

/// The current status of a store.
package struct StoreStatus: Sendable {
    /// Why the last batch of records was not stored; nil if it was.
    package let failure: StoreError?

    /// Progress of the index's rebuild, in bytes; nil if the index is available.
    package let rebuilding: (done: Int64, of: Int64)?

    /// Number of records that are durable and not indexed yet.
    package let lag: Int
}

extension ResultStore {
    /// The current status.
    ///
    /// O(1).
    package var status: StoreStatus {
        StoreStatus(failure: journal.failure, rebuilding: index.rebuilding, lag: index.lag)
    }
}
