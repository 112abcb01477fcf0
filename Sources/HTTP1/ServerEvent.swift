// What a server tells about connections that never came to a request.

import Sockets

/// Something that the log should know.
package enum ServerEvent: Sendable {
    /// A connection could not be accepted, such as without descriptors; the server goes on.
    case acceptFailed(SocketError)
    /// A handshake failed; the reason is OpenSSL's or the socket's.
    case handshakeFailed(SocketAddress, reason: SocketError)
    /// A connection did not begin with the PROXY header that its address asks for.
    case proxyHeaderMissing(SocketAddress)
    /// There were too many connections, from all or from this address.
    case turnedAway(SocketAddress)
}
