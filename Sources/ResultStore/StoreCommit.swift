// What one group commit stored, for those who count. The index and the subscriptions get the batch
// itself.

/// A batch that has become durable.
package struct StoreCommit: Sendable {
    private enum Records: Sendable {
        case inFiles(CommittedBatch)
        case facts([RecordFacts])
    }

    private let records: Records

    /// Number of lines: records and erasures.
    package let lines: Int

    /// Bytes of the lines.
    package let bytes: Int

    /// How long writing and syncing took.
    package let microseconds: UInt64

    init(_ batch: CommittedBatch) {
        records = .inFiles(batch)
        lines = batch.changes.count
        bytes = batch.bytes.count
        microseconds = batch.microseconds
    }

    /// Makes the commit of records that a database has stored.
    package init(_ facts: [RecordFacts], bytes: Int, microseconds: UInt64) {
        records = .facts(facts)
        lines = facts.count
        self.bytes = bytes
        self.microseconds = microseconds
    }

    /// Calls `body` with the facts of each record.
    package func forEachRecord(_ body: (RecordFacts) -> Void) {
        switch records {
        case .inFiles(let batch):
            for case .record(let entry) in batch.changes { body(entry.facts) }
        case .facts(let facts): facts.forEach(body)
        }
    }
}
