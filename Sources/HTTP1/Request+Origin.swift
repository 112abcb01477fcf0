// Where a request comes from, and what its sender asked for before proxies passed it on. The
// connection fills it in: a head alone does not know.

import Sockets

extension Request {
    /// Who asked, over which scheme, for which host.
    package struct Origin: Sendable {
        /// The client's address; port 0 where a proxy did not tell it.
        package var client: SocketAddress

        /// Whether the client spoke TLS, with this server or with a trusted proxy.
        package var isSecure: Bool

        /// Host and port that a trusted proxy was asked for; nil where the request's own count.
        var host: [UInt8]?

        init(client: SocketAddress, isSecure: Bool) {
            self.client = client
            self.isSecure = isSecure
        }
    }

    /// Bytes that a proxy's request id may have.
    private static var longestRequestID: Int { 128 }

    /// The X-Request-Id field, where it is one line of visible octets that can be sent back.
    var validRequestID: [UInt8]? {
        let values = values(.requestID)
        guard values.count == 1, let value = values.first,
            (1...Self.longestRequestID).contains(value.count),
            value.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return Array(value)
    }
}
