// What one group commit stored, for those who count. The index and the subscriptions get the batch
// itself.

/// A batch that has become durable.
package struct StoreCommit: Sendable {
    private let batch: CommittedBatch

    init(_ batch: CommittedBatch) {
        self.batch = batch
    }

    /// Number of lines: records and erasures.
    package var lines: Int { batch.changes.count }

    /// Bytes of the lines.
    package var bytes: Int { batch.bytes.count }

    /// How long writing and syncing took.
    package var microseconds: UInt64 { batch.microseconds }

    /// Calls `body` with the facts of each record.
    package func forEachRecord(_ body: (RecordFacts) -> Void) {
        for case .record(let entry) in batch.changes { body(entry.facts) }
    }
}
