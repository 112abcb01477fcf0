// Listening sockets. TCP has one socket for each loop on the same port (SO_REUSEPORT), so the
// kernel distributes the connections and a connection never changes its thread. Loops share one
// socket for Unix-domain sockets, and for sockets that another process handed over.

import CLinux
import Synchronization

/// A listening socket, until it has run.
package final class Listener: Sendable {
    private let descriptor: Mutex<Descriptor?>

    /// Whether another process accepts the waiting connections.
    private let isHandedOver = Atomic<Bool>(false)

    /// The address that it listens on.
    package let address: SocketAddress

    /// Binds to a TCP address and listens.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 for a free port that the kernel chooses.
    ///   - isShared: whether other listeners may use the same port.
    ///
    /// Throws `addressInUse` or `system` (`EINVAL` if `host` is invalid).
    package convenience init(host: String, port: UInt16, isShared: Bool) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { host in
            unsafe clinux_listen(host, port, isShared ? 1 : 0, Limits.listenBacklog)
        }
        try self.init(Descriptor("listen", result))
    }

    /// Listens on a Unix-domain socket that its owner and the owner's group can open.
    ///
    /// Replaces a socket file without a listener.
    ///
    /// Throws `addressInUse` or `system` (`ENAMETOOLONG` for more than 107 bytes).
    package convenience init(path: String) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe path.withCString { path in
            unsafe clinux_listen_unix(path, Limits.listenBacklog)
        }
        try self.init(Descriptor("listen", result))
    }

    /// Takes over a listening socket that was inherited from the parent process.
    ///
    /// Throws `system` if the descriptor isn't a listening socket.
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

    /// The path of a Unix-domain socket as it was bound; nil for others.
    package var path: String? {
        guard address == .unix, let number else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 108) { buffer in
            // SAFETY: the call writes a terminated text of at most 107 bytes into the buffer.
            let result = unsafe clinux_local_path(number, buffer.baseAddress)
            return unsafe result >= 0 ? buffer.baseAddress.map { unsafe String(cString: $0) } : nil
        }
    }

    /// The port that it listens on; 0 for a Unix-domain socket.
    package var port: UInt16 { address.port }

    /// Another listener on the same socket; each connection goes to one of the two.
    package func duplicate() throws(SocketError) -> Listener {
        let result = clinux_duplicate(number ?? -1)
        return try Listener(Descriptor("dup", result))
    }

    /// The descriptor, until it is closed.
    var number: Int32? { descriptor.withLock { $0?.number } }

    /// Throws `addressInUse` if any socket uses the port, even one that would share it.
    package static func checkFree(host: String, port: UInt16) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { host in unsafe clinux_probe_bind(host, port) }
        guard result >= 0 else { throw SocketError("bind", Int(result)) }
    }

    /// Throws what listening on the Unix-domain socket `path` would, without making it.
    ///
    /// - Parameter preface: what a process that listens there gets from this check.
    package static func checkFree(path: String, preface: String = "") throws(SocketError) {
        // SAFETY: the C strings live for the call.
        let result = unsafe path.withCString { path in
            unsafe preface.withCString { preface in
                unsafe clinux_probe_listen_unix(path, preface)
            }
        }
        guard result >= 0 else { throw SocketError("listen", Int(result)) }
    }

    /// Passes every connection to `start`, on `loop`, until the loop drains.
    ///
    /// Then it stops listening, and peers are refused unless another process has the socket too.
    /// Connections that wait by then are accepted while the drain has time. Runs once; after a
    /// handover that was taken back, it has not stopped listening and can run again.
    ///
    /// Without free descriptors it pauses (`acceptBackOffMilliseconds`) and calls `onFailure`;
    /// during the pause, connections wait in the kernel's backlog.
    ///
    /// Throws `system` if the loop can't watch the socket.
    package func run(
        on loop: EventLoop, onFailure: (SocketError) -> Void,
        start: (AcceptedSocket) -> Void
    ) async throws(SocketError) {
        guard let number else { return }
        defer { if !isHandedOver.load(ordering: .acquiring) { close() } }
        let registration = try loop.register(number)
        defer { loop.unregister(registration) }
        var accepted = 0
        while true {
            if loop.isAborting || loop.isDraining && isHandedOver.load(ordering: .acquiring) {
                return
            }
            var address = clinux_address()
            let client = unsafe clinux_accept(number, &address)
            if client >= 0 {
                start(AcceptedSocket(number: client, peer: SocketAddress(address)))
                accepted += 1
                // Connections that arrive without a pause must not keep the others waiting.
                if accepted.isMultiple(of: Limits.acceptsInARow) { await loop.yield() }
                continue
            }
            switch -client {
            case EAGAIN:
                // Connections that the kernel completed before the drain have been accepted.
                if loop.isDraining { return }
                _ = await loop.wait(.reading, of: registration, until: .max, endsOnDrain: true)
            case ECONNABORTED: continue
            default:
                if loop.isDraining { return }
                onFailure(SocketError("accept4", Int(client)))
                // Each new connection ends a wait, so the deadline alone ends the pause.
                let deadline = loop.now + Limits.acceptBackOffMilliseconds
                while loop.now < deadline, !loop.isDraining {
                    _ = await loop.wait(
                        .reading, of: registration, until: deadline, endsOnDrain: true)
                }
            }
        }
    }

    /// Leaves the waiting connections to another process that has the socket: a drain accepts no
    /// more.
    func leaveBacklog() {
        isHandedOver.store(true, ordering: .releasing)
    }

    /// Allows the socket to `run` again after a handover that the other process has abandoned.
    package func takeBack() {
        isHandedOver.store(false, ordering: .releasing)
    }

    /// Stops listening; peers are refused unless another process has the socket too.
    package func close() {
        descriptor.withLock { $0 = nil }
    }
}

/// The files of Unix-domain sockets, which remain after their listener is closed.
package enum SocketFile {
    /// Removes the file at `path`, if it exists.
    package static func remove(_ path: String) {
        // SAFETY: the C string lives for the call.
        _ = unsafe path.withCString { unsafe clinux_unlink($0) }
    }
}
