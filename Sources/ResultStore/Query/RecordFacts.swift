// The queryable facts of a record. They are made once for each record, then given to the index and
// to subscriptions. Left out: the record's line.

import Clocks

/// The queryable facts of a record.
package struct RecordFacts: Sendable, Equatable {
    /// The record's `seq`.
    package var sequence: Int
    package var id: RecordID
    package var receivedAt: Timestamp
    package var kind = RecordKind.callback
    package var inbox: String
    package var vendor: String
    package var contract: String?
    package var outcome: String?
    package var verdict: String
    package var flow: String?
    /// The status that a receiver with an answer of its own sent.
    package var answered: Int?
    package var method: String
    /// In lowercase, without the port.
    package var host: String
    /// The target up to its `?`.
    package var path: String
    /// The trace id of the request's `traceparent`.
    package var trace: String?
    /// What the receiver's path captured, by name.
    package var parameters: [String: String] = [:]
    /// Parallel to `FieldCatalog.fields`; nil where the result has no such value.
    package var fields: [FieldValue?]
    /// Folded words, separated by single spaces; see `Words`.
    package var words: String
}
