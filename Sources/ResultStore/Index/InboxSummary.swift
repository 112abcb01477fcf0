// What is known of an inbox as a whole.

import Clocks

/// One inbox that has received something.
package struct InboxSummary: Sendable, Equatable {
    package let name: String
    /// Records in it, of the kinds that were asked for.
    package let count: Int
    /// When the latest of them was received.
    package let lastReceivedAt: Timestamp
}
