// A record as subscriptions receive it.

/// A record that has just become durable.
package struct FeedRecord: Sendable {
    package let facts: RecordFacts
    package let line: StoredLine
}
