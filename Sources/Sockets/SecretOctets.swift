// Octets that no message may show, and that leave nothing in memory when they go. Copies that the
// caller made before are the caller's.

import COpenSSL
import Synchronization

/// A secret in memory: shown as nothing, overwritten at its end.
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

    /// Lends the octets to `read`.
    func withOctets<Result: Sendable>(
        _ read: (_ base: UnsafePointer<UInt8>?, _ count: Int) -> Result
    ) -> Result {
        octets.withLock { octets in
            // SAFETY: the pointer is used within the closure only.
            unsafe octets.withUnsafeBufferPointer { unsafe read($0.baseAddress, $0.count) }
        }
    }

    /// Empty: reflection must not show the secret either.
    var customMirror: Mirror { Mirror(self, children: []) }
}
