// A record as subscriptions receive it.

/// A record that has just become durable, shared by all subscriptions.
package final class FeedRecord: Sendable {
    package let facts: RecordFacts
    package let line: StoredLine

    init(facts: RecordFacts, line: StoredLine) {
        self.facts = facts
        self.line = line
    }
}
