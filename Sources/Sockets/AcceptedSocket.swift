// A connected descriptor that is passed to the task that will own it.

import CLinux

/// A connection without an owner; `Socket.init` takes it over.
package struct AcceptedSocket: Sendable {
    let number: Int32

    /// The peer's address and port.
    package let peer: SocketAddress

    init(number: Int32, peer: SocketAddress) {
        self.number = number
        self.peer = peer
    }

    /// Connects to a server.
    ///
    /// Blocks until the server accepts, so it is for the command line only.
    ///
    /// Throws `disconnected` on timeout, or `system` (`ECONNREFUSED`, `EHOSTUNREACH` for unknown
    /// names, …).
    package init(
        connectingTo host: String, port: UInt16, within milliseconds: Int32 = 10_000
    ) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { unsafe clinux_connect($0, port, milliseconds) }
        guard result >= 0 else { throw SocketError("connect", Int(result)) }
        number = result
        peer = .ip(IPAddress(Array(host.utf8)) ?? IPAddress(v4: 0), port: port)
    }

    /// Closes the connection without sending anything.
    package func close() {
        _ = clinux_close(number)
    }
}
