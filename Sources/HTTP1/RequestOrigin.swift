// Where a request comes from, and what its sender asked for before proxies passed it on. A head alone
// does not know: the connection says so.

import Sockets

/// Who asks, over which scheme, for which host; one object for all requests of a connection, unless
/// a proxy passes on those of several clients.
package final class RequestOrigin: Sendable {
    /// The client's address; port 0 where a proxy did not tell it.
    package let client: SocketAddress

    /// Whether the client spoke TLS, with this server or with a trusted proxy.
    package let isSecure: Bool

    /// Host and port that a trusted proxy was asked for; nil where the request's own count.
    let host: [UInt8]?

    init(client: SocketAddress, isSecure: Bool, host: [UInt8]? = nil) {
        self.client = client
        self.isSecure = isSecure
        self.host = host
    }

    /// Of requests that came over no connection.
    static let unknown = RequestOrigin(client: .unix, isSecure: false)
}

extension Request {
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
