// Work of which only one may go on.

import Synchronization

/// Tells whether a work may begin.
final class Exclusive: Sendable {
    private let isTaken = Mutex(false)

    /// Whether nobody else is at it; then `end` must follow.
    func begin() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Lets the next one begin.
    func end() {
        isTaken.withLock { $0 = false }
    }
}
