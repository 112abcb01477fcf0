// Idempotency keys whose first request has not been answered yet.

import Synchronization

/// The keys that are being worked on.
final class KeysInFlight: Sendable {
    private let keys = Mutex<Set<String>>([])

    /// Whether nobody else works on a key; then `end` must follow.
    func begin(_ key: String) -> Bool {
        keys.withLock { $0.insert(key).inserted }
    }

    /// Lets the key be used again.
    func end(_ key: String) {
        keys.withLock { _ = $0.remove(key) }
    }
}
