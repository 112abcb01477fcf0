// A lock for work that only one caller may do at a time.

import Synchronization

/// Grants the right to work to one caller at a time.
package final class Exclusive: Sendable {
    private let isTaken = Mutex(false)

    package init() {}

    /// Begins the work; false if another caller is at it.
    ///
    /// After true, `end` must follow.
    package func begin() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Ends the work, so that the next caller may begin.
    package func end() {
        isTaken.withLock { $0 = false }
    }
}
