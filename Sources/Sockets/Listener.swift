// Listening sockets: one per loop on the same port (SO_REUSEPORT), so that the kernel spreads the
// connections and no connection ever changes its thread.

import CLinux
import Synchronization

/// A listening TCP socket, until it has run.
package final class Listener: Sendable {
    private let descriptor: Mutex<Descriptor?>

    /// The port that it listens on: the given one, or the kernel's choice for 0.
    package let port: UInt16

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address, or `localhost`.
    ///   - isShared: whether other listeners of this process may have the same port.
    ///
    /// Throws `addressInUse` or `system` (`EINVAL` when `host` is no address).
    package init(host: String, port: UInt16, isShared: Bool) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { host in
            unsafe clinux_listen(host, port, isShared ? 1 : 0, Limits.listenBacklog)
        }
        let listening = try Descriptor("listen", result)
        let bound = clinux_local_port(listening.number)
        guard bound >= 0 else { throw SocketError("getsockname", Int(bound)) }
        descriptor = Mutex(consume listening)
        self.port = UInt16(truncatingIfNeeded: bound)
    }

    /// Throws `addressInUse` when any socket holds the port already, even one that would share it.
    package static func checkFree(host: String, port: UInt16) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { host in unsafe clinux_probe_bind(host, port) }
        guard result >= 0 else { throw SocketError("bind", Int(result)) }
    }

    /// Hands every connection to `start`, on `loop`, until the loop drains; then stops listening,
    /// and peers are refused.
    ///
    /// Runs once.
    ///
    /// Without free descriptors it pauses (`acceptBackOffMilliseconds`) and reports to `onFailure`;
    /// connections wait in the kernel's backlog meanwhile.
    package func run(
        on loop: EventLoop, onFailure: (SocketError) -> Void,
        start: (AcceptedSocket) -> Void
    ) async throws(SocketError) {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        let registration = try loop.register(descriptor.number)
        defer { loop.unregister(registration) }
        while true {
            var address = clinux_address()
            let client = unsafe clinux_accept(descriptor.number, &address)
            if client >= 0 {
                start(AcceptedSocket(number: client, peer: Self.text(of: address)))
                continue
            }
            var deadline = UInt64.max
            switch -client {
            case EAGAIN:
                // What the kernel completed before the loop began to drain has been taken in.
                if loop.isDraining { return }
            case ECONNABORTED: continue
            default:
                if loop.isDraining { return }
                onFailure(SocketError("accept4", Int(client)))
                deadline = loop.now + Limits.acceptBackOffMilliseconds
            }
            _ = await loop.wait(
                \.reader, of: registration, until: deadline, endsOnDrain: true)
        }
    }

    private static func text(of address: clinux_address) -> String {
        var address = address
        // SAFETY: the shim ends the text with NUL inside the array.
        return unsafe withUnsafeBytes(of: &address.text) { raw in
            unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
