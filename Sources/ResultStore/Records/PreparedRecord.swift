// A record that a database is about to store: its values by column, made in the caller's task.

import Clocks

/// A record's values, complete but for its number and, if it is new, its id.
package struct PreparedRecord: Sendable {
    private let record: QueuedRecord

    /// The id of a record that already has one.
    package var id: RecordID? { record.id }
    /// Without id and number.
    package var facts: RecordFacts { record.facts }
    package var redecodedAt: Timestamp? { record.redecodedAt }
    /// The number of the line that it was decoded from.
    package var replaces: Int? { record.replaces }
    /// The line from its inbox on, as a JSON object.
    package var tail: [UInt8] { record.tail }
    /// Hash of its idempotency key; nil if it has none.
    package var idempotency: Int64? { record.idempotency }
    /// Nil for a line of another store, until that key has been looked up.
    package var keyClaim: KeyClaim?
    /// The number of a record that already has one.
    package var number: Int? { record.number }

    /// Prepares a record.
    ///
    /// O(size). Throws `unreadable` if its line couldn't be read back.
    package init(_ record: NewRecord, catalog: FieldCatalog) throws(StoreError) {
        let tail = RecordLine.tail(of: record)
        guard Journal.canBeReadBack(record, tail) else { throw .unreadable }
        keyClaim = record.keyClaim
        self.record = QueuedRecord(record, tail: tail, catalog: catalog)
    }

    /// Prepares the record of a line of another store; nil if it can't be read.
    ///
    /// O(size).
    package init?(_ line: StoredLine, keepingNumber keepsNumber: Bool, catalog: FieldCatalog) {
        guard let record = QueuedRecord(line, keepingNumber: keepsNumber, catalog: catalog) else {
            return nil
        }
        keyClaim = nil
        self.record = record
    }
}

extension FieldCatalog {
    /// The queryable facts of a record's line; nil if it can't be read.
    ///
    /// O(size).
    package func facts(in line: StoredLine) -> RecordFacts? {
        guard case .record(let facts, _, _) = StoredContent(line.stored[...], catalog: self) else {
            return nil
        }
        return facts
    }
}
