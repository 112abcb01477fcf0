// What only one request may use at a time: idempotency keys, and the ids of strays.

import Synchronization

/// The set of keys in use.
final class KeysInFlight: Sendable {
    private let keys = Mutex<Set<String>>([])

    /// Reserves a key; false if it is in use; after true, `end` must follow.
    func begin(_ key: String) -> Bool {
        keys.withLock { $0.insert(key).inserted }
    }

    /// Releases the key.
    func end(_ key: String) {
        keys.withLock { _ = $0.remove(key) }
    }
}
