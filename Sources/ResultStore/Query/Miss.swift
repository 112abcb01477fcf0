// Why a record is not what somebody waits for.

/// A condition that a record does not meet.
package struct Miss: Sendable, Hashable {
    /// The condition as a query would write it, such as `outcome:completed`.
    package var condition: String
    /// The record's value; nil when it has none, and for words.
    ///
    /// Where the condition names several fields, each with its value: `vendor: dimmy, flow: none`.
    package var found: String?

    /// Makes a miss of its parts.
    package init(condition: String, found: String?) {
        self.condition = condition
        self.found = found
    }
}
