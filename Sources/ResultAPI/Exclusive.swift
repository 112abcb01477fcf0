// Work of which only one may go on.

import Synchronization

/// Tells whether a work may begin.
package final class Exclusive: Sendable {
    private let isTaken = Mutex(false)

    package init() {}

    /// Whether nobody else is at it; then `end` must follow.
    package func begin() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Lets the next one begin.
    package func end() {
        isTaken.withLock { $0 = false }
    }
}
