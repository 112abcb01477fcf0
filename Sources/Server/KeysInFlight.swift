// Idempotency keys whose first request has not been answered yet.

import Synchronization

/// The keys that are being worked on.
package final class KeysInFlight: Sendable {
    private let keys = Mutex<Set<String>>([])

    /// Whether nobody else works on a key; then `end` must follow.
    package func begin(_ key: String) -> Bool {
        keys.withLock { $0.insert(key).inserted }
    }

    /// Lets the key be used again.
    package func end(_ key: String) {
        keys.withLock { _ = $0.remove(key) }
    }
}
