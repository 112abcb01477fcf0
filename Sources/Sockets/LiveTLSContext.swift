// The certificates in force: handshakes that begin take the newest, connections keep their own.

import Synchronization

/// A TLS context that can be replaced while it is used.
package final class LiveTLSContext: Sendable {
    private let context: Mutex<TLSContext>

    package init(_ context: TLSContext) {
        self.context = Mutex(context)
    }

    /// The context for the next handshake.
    package var current: TLSContext { context.withLock { $0 } }

    /// Puts another context in force; connections that exist are not touched.
    package func replace(with other: TLSContext) {
        context.withLock { $0 = other }
    }
}
