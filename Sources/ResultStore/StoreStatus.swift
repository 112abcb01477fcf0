// How the store is, for readiness checks.

/// What is wrong with a store now.
package struct StoreStatus: Sendable {
    /// Why the last batch of records was not stored; nil when it was.
    package let failure: StoreError?

    /// How far the making anew of the index is, in bytes; nil when it answers.
    package let rebuilding: (done: Int64, of: Int64)?

    /// Records that are durable and not indexed yet.
    package let lag: Int
}

extension ResultStore {
    /// How the store is now.
    ///
    /// O(1).
    package var status: StoreStatus {
        StoreStatus(failure: journal.failure, rebuilding: index.rebuilding, lag: index.lag)
    }
}
