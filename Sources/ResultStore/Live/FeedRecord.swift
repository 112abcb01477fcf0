// A record as those who wait for it get it.

/// A record that has just become durable.
package struct FeedRecord: Sendable {
    package let facts: RecordFacts
    package let line: StoredLine
}
