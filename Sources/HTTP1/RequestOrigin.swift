// Where a request comes from, and what the client requested before proxies forwarded it. A head
// doesn't contain that; the connection provides it.

import Sockets

/// The client, the scheme and the requested host.
///
/// One object serves all requests of a connection, unless a proxy forwards those of several
/// clients.
package final class RequestOrigin: Sendable {
    /// The client's address; port 0 if a proxy didn't report it.
    package let client: SocketAddress

    /// Whether the client used TLS, with this server or with a trusted proxy.
    package let isSecure: Bool

    /// Whether the client sent this through a network without TLS, as far as that is known: to a port
    /// of this server, or to a trusted proxy that says so.
    package let isPlain: Bool

    /// Whether a trusted proxy reported it.
    package let isForwarded: Bool

    /// The host and port that a trusted proxy received; nil if the request's own apply.
    let host: [UInt8]?

    /// - Parameter isPlain: nil for what `client` and `isSecure` say by themselves.
    init(
        client: SocketAddress, isSecure: Bool, isPlain: Bool? = nil, isForwarded: Bool = false,
        host: [UInt8]? = nil
    ) {
        self.client = client
        self.isSecure = isSecure
        self.isPlain = isPlain ?? (!isSecure && client != .unix)
        self.isForwarded = isForwarded
        self.host = host
    }

    /// The origin in a stored request.
    ///
    /// - Parameters:
    ///   - peer: the client as `SocketAddress` describes it; for any other text, it has no name.
    ///   - host: host and port; empty if none was named.
    package convenience init(peer: String, isSecure: Bool, host: String) {
        self.init(
            client: SocketAddress(peer) ?? .unix, isSecure: isSecure,
            host: host.isEmpty ? nil : Array(host.utf8))
    }

    /// For requests without a connection.
    static let unknown = RequestOrigin(client: .unix, isSecure: false)
}

extension Request {
    /// Maximum bytes of a proxy's request id.
    private static var longestRequestID: Int { 128 }

    /// The X-Request-Id field, if it is one line of visible octets that can be sent back.
    var validRequestID: [UInt8]? {
        let values = values(.requestID)
        guard values.count == 1, let value = values.first,
            (1...Self.longestRequestID).contains(value.count),
            value.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return Array(value)
    }
}
