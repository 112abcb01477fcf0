// A connected descriptor that is passed to the task that will own it.

import CLinux

/// A connection without an owner; `Socket.init` takes it over.
package struct AcceptedSocket: Sendable {
    let number: Int32

    /// The peer's address and port.
    package let peer: SocketAddress

    /// Takes over a connected descriptor that doesn't block; no other code may close it.
    package init(number: Int32, peer: SocketAddress) {
        self.number = number
        self.peer = peer
    }

    /// Closes the connection without sending anything.
    package func close() {
        _ = clinux_close(number)
    }
}
