// The current certificates: new handshakes use the newest, connections keep their own.

import Synchronization

/// A TLS context that can be replaced while it is in use.
package final class LiveTLSContext: Sendable {
    private let context: Mutex<TLSContext>

    package init(_ context: TLSContext) {
        self.context = Mutex(context)
    }

    /// The context for the next handshake.
    package var current: TLSContext { context.withLock { $0 } }

    /// Replaces the context; existing connections keep theirs.
    package func replace(with other: TLSContext) {
        context.withLock { $0 = other }
    }
}
