// What a server reports about connections that end before their first request.

import Sockets

/// An event for the log.
package enum ServerEvent: Sendable {
    /// A connection could not be accepted, for example without free descriptors; the server
    /// continues.
    case acceptFailed(SocketError)
    /// A handshake failed; the reason is OpenSSL's or the socket's.
    case handshakeFailed(SocketAddress, reason: SocketError)
    /// A connection didn't begin with the PROXY header that its address requires.
    case proxyHeaderMissing(SocketAddress)
    /// There were too many connections, in total or from this address.
    case turnedAway(SocketAddress)
}
