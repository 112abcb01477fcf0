// An address that a server listens on, and the protocol of its connections.

import Sockets

/// One address with its listening sockets.
package struct Binding: Sendable {
    let listeners: [Listener]
    let tls: LiveTLSContext?
    let expectsProxyHeader: Bool

    /// Whether a connection begins directly with a request.
    var isPlain: Bool { tls == nil && !expectsProxyHeader }

    /// Makes a binding.
    ///
    /// - Parameters:
    ///   - listeners: sockets of the same address, at least one; loops without their own socket
    ///     share one.
    ///   - tls: the certificates; nil for plain HTTP.
    ///   - expectsProxyHeader: whether every connection begins with a PROXY header, version 1 or 2.
    package init(
        _ listeners: [Listener], tls: LiveTLSContext? = nil, expectsProxyHeader: Bool = false
    ) {
        self.listeners = listeners
        self.tls = tls
        self.expectsProxyHeader = expectsProxyHeader
    }
}
