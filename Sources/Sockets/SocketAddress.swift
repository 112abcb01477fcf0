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

extension SocketAddress {
    /// Reads an address as it describes itself; nil for any other text.
    package init?(_ text: String) {
        if text == SocketAddress.unix.description {
            self = .unix
            return
        }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let end = parts.last, parts.count > 1, let port = UInt16(Substring(end)) else {
            return nil
        }
        var host = Array(text.utf8.dropLast(end.count + 1))
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            host = Array(host.dropFirst().dropLast())
        }
        guard let address = IPAddress(host) else { return nil }
        self = .ip(address, port: port)
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:51512`, `[::1]:51512` (RFC 3986 §3.2.2) or `unix:`.
    package var description: String {
        switch self {
        case .ip(let address, let port):
            guard address.isIPv4 else { return "[\(address)]:\(port)" }
            // Each callback has this text: interpolation takes five times as long.
            var text: [UInt8] = []
            text.reserveCapacity(24)
            address.appendIPv4(to: &text)
            text.append(UInt8(ascii: ":"))
            text.append(decimal: Int(port))
            return String(decoding: text, as: UTF8.self)
        case .unix: return "unix:"
        }
    }
}
