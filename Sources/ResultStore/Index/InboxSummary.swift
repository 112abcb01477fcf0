// What the index knows of an inbox as a whole.

import Clocks

/// An inbox that has received something.
package struct InboxSummary: Sendable, Equatable {
    package let name: String
    /// Number of its records of the requested kinds.
    package let count: Int
    /// When the latest of these records was received.
    package let lastReceivedAt: Timestamp
}
