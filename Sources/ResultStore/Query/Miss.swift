// Why a record doesn't match a condition.

/// A condition that a record fails.
package struct Miss: Sendable, Hashable {
    /// The condition as a query would write it, such as `outcome:completed`.
    package var condition: String
    /// The record's value; nil if it has none, and for words.
    ///
    /// If the condition names several fields, each with its value: `vendor: dimmy, flow: none`.
    package var found: String?

    /// Makes a miss.
    package init(condition: String, found: String?) {
        self.condition = condition
        self.found = found
    }
}
