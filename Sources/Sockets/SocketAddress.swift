// The address of the other end of a connection.

/// The address of a stream's peer.
package enum SocketAddress: Sendable, Hashable {
    /// A TCP peer.
    case ip(IPAddress, port: UInt16)
    /// A peer on the same machine, over a Unix domain socket; it has no name.
    case unix

    /// The IP address; nil for `unix`.
    package var ip: IPAddress? {
        switch self {
        case .ip(let address, _): address
        case .unix: nil
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:51512`, `[::1]:51512` (RFC 3986 §3.2.2) or `unix:`.
    package var description: String {
        switch self {
        case .ip(let address, let port):
            // Put together without interpolation, which costs most of the time.
            address.isIPv4
                ? address.description + ":" + String(port)
                : "[" + address.description + "]:" + String(port)
        case .unix: "unix:"
        }
    }
}
