// Listening sockets: one per loop on the same port (SO_REUSEPORT), so that the kernel spreads the
// connections and no connection ever changes its thread. Others are shared by the loops as they are:
// Unix-domain sockets, and those that were handed over by another process.

import CLinux
import Synchronization

/// A listening socket, until it has run.
package final class Listener: Sendable {
    private let descriptor: Mutex<Descriptor?>

    /// Whether another process accepts what waits.
    private let isHandedOver = Atomic<Bool>(false)

    /// Where it listens.
    package let address: SocketAddress

    /// Binds to a TCP address and listens.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 for a free one of the kernel's choice.
    ///   - isShared: whether other listeners may have the same port.
    ///
    /// Throws `addressInUse` or `system` (`EINVAL` when `host` is no address).
    package convenience init(host: String, port: UInt16, isShared: Bool) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { host in
            unsafe clinux_listen(host, port, isShared ? 1 : 0, Limits.listenBacklog)
        }
        try self.init(Descriptor("listen", result))
    }

    /// Listens on a Unix-domain socket, which its owner and his group can open.
    ///
    /// A socket that nobody listens on any more is replaced.
    ///
    /// Throws `addressInUse` or `system` (`ENAMETOOLONG` for more than 107 bytes).
    package convenience init(path: String) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe path.withCString { path in
            unsafe clinux_listen_unix(path, Limits.listenBacklog)
        }
        try self.init(Descriptor("listen", result))
    }

    /// Takes over a listening socket that was inherited from the process that started this one.
    ///
    /// Throws `system` when the descriptor is none.
    package convenience init(inheriting number: Int32) throws(SocketError) {
        let result = clinux_adopt_listener(number)
        guard result >= 0 else { throw SocketError("listener", Int(result)) }
        try self.init(Descriptor(adopting: number))
    }

    init(_ listening: consuming Descriptor) throws(SocketError) {
        var local = clinux_address()
        let result = unsafe clinux_local_address(listening.number, &local)
        guard result >= 0 else { throw SocketError("getsockname", Int(result)) }
        address = SocketAddress(local)
        descriptor = Mutex(consume listening)
    }

    /// The port that it listens on; 0 for a Unix-domain socket.
    package var port: UInt16 { address.port }

    /// Another listener on the same socket: connections come to one of the two.
    package func duplicate() throws(SocketError) -> Listener {
        let result = clinux_duplicate(number ?? -1)
        return try Listener(Descriptor("dup", result))
    }

    /// The descriptor, until it is closed.
    var number: Int32? { descriptor.withLock { $0?.number } }

    /// Throws `addressInUse` when any socket holds the port already, even one that would share it.
    package static func checkFree(host: String, port: UInt16) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { host in unsafe clinux_probe_bind(host, port) }
        guard result >= 0 else { throw SocketError("bind", Int(result)) }
    }

    /// Hands every connection to `start`, on `loop`, until the loop drains; then stops listening,
    /// and peers are refused, unless another process has the socket too.
    ///
    /// Runs once, but again after it was handed over and taken back: then it has not stopped listening.
    ///
    /// Without free descriptors it pauses (`acceptBackOffMilliseconds`) and reports to `onFailure`;
    /// connections wait in the kernel's backlog meanwhile.
    ///
    /// Throws `system` when the loop can't watch the socket.
    package func run(
        on loop: EventLoop, onFailure: (SocketError) -> Void,
        start: (AcceptedSocket) -> Void
    ) async throws(SocketError) {
        guard let number else { return }
        defer { if !isHandedOver.load(ordering: .acquiring) { close() } }
        let registration = try loop.register(number)
        defer { loop.unregister(registration) }
        while true {
            if loop.isDraining, isHandedOver.load(ordering: .acquiring) { return }
            var address = clinux_address()
            let client = unsafe clinux_accept(number, &address)
            if client >= 0 {
                start(AcceptedSocket(number: client, peer: SocketAddress(address)))
                continue
            }
            switch -client {
            case EAGAIN:
                // What the kernel completed before the loop began to drain has been taken in.
                if loop.isDraining { return }
                _ = await loop.wait(\.reader, of: registration, until: .max, endsOnDrain: true)
            case ECONNABORTED: continue
            default:
                if loop.isDraining { return }
                onFailure(SocketError("accept4", Int(client)))
                // Every connection that arrives ends a wait: only the deadline ends the pause.
                let deadline = loop.now + Limits.acceptBackOffMilliseconds
                while loop.now < deadline, !loop.isDraining {
                    _ = await loop.wait(
                        \.reader, of: registration, until: deadline, endsOnDrain: true)
                }
            }
        }
    }

    /// Leaves the connections that wait to another process that has the socket: a drain takes no
    /// more of them in.
    func leaveBacklog() {
        isHandedOver.store(true, ordering: .releasing)
    }

    /// Lets the socket `run` again after it was handed over to a process that has given up.
    package func takeBack() {
        isHandedOver.store(false, ordering: .releasing)
    }

    /// Stops listening; peers are refused unless somebody else has the socket too.
    package func close() {
        descriptor.withLock { $0 = nil }
    }
}

/// The files of Unix-domain sockets, which stay when their listener has gone.
package enum SocketFile {
    /// Removes the file at `path`, if there is one.
    package static func remove(_ path: String) {
        // SAFETY: the C string lives for the call.
        _ = unsafe path.withCString { unsafe clinux_unlink($0) }
    }
}
