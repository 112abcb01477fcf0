// Octets that no message shows, and that are overwritten when they are released. Copies that the
// caller made before are the caller's responsibility.

import COpenSSL
import Synchronization

/// A secret in memory: its description is empty, and it is overwritten at the end.
final class SecretOctets: Sendable, CustomReflectable {
    private let octets: Mutex<[UInt8]>

    init(_ octets: consuming [UInt8]) {
        self.octets = Mutex(octets)
    }

    deinit {
        octets.withLock { octets in
            // SAFETY: the pointer is used within the closure, for as many octets as there are.
            unsafe octets.withUnsafeMutableBytes { raw in
                unsafe copenssl_wipe(raw.baseAddress, raw.count)
            }
        }
    }

    /// Calls `read` with the octets.
    func withOctets<Result: Sendable>(
        _ read: (_ base: UnsafePointer<UInt8>?, _ count: Int) -> Result
    ) -> Result {
        octets.withLock { octets in
            // SAFETY: the pointer is used within the closure only.
            unsafe octets.withUnsafeBufferPointer { unsafe read($0.baseAddress, $0.count) }
        }
    }

    /// Empty, because reflection must not show the secret either.
    var customMirror: Mirror { Mirror(self, children: []) }
}
