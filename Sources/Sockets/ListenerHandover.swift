// Passing listening sockets to the process that takes over: the sockets stay open all the time, so
// no connection is refused or reset, not even one that waits to be accepted.

import CLinux

/// The two sides of a takeover.
///
/// The successor gets the sockets at once, and says later whether it goes through with it: until
/// then, the server that runs goes on accepting.
package enum ListenerHandover {
    /// Sends all sockets to a process that has connected.
    ///
    /// Throws `system`: `EPERM` when the process belongs to another user.
    static func send(
        _ listeners: [Listener], over connection: Int32
    ) throws(SocketError) {
        let checked = clinux_check_same_user(connection)
        guard checked >= 0 else { throw SocketError("SO_PEERCRED", Int(checked)) }
        let numbers = listeners.compactMap(\.number)
        // SAFETY: the buffer lives for the call, and its count goes with it.
        let sent = unsafe numbers.withUnsafeBufferPointer { buffer in
            unsafe clinux_send_descriptors(connection, buffer.baseAddress, Int32(buffer.count))
        }
        guard sent >= 0 else { throw SocketError("sendmsg", Int(sent)) }
    }

    /// Sends all sockets to a process that has connected, and waits for its decision.
    ///
    /// - Returns: whether it takes over. The listeners leave what waits to be accepted to it then.
    ///
    /// Throws as `Socket.read` does, and `system` with `EPERM` when the process belongs to another
    /// user.
    package static func offer(
        _ listeners: [Listener], to accepted: AcceptedSocket, on loop: EventLoop
    ) async throws(SocketError) -> Bool {
        var socket = try Socket(adopting: accepted, on: loop)
        try send(listeners, over: accepted.number)
        var decision = ReadBuffer()
        let deadline = loop.now + Limits.handoverMilliseconds
        guard try await socket.read(into: &decision, until: deadline, isIdle: true) > 0 else {
            return false
        }
        for listener in listeners { listener.leaveBacklog() }
        return true
    }
}

/// A takeover that has begun, seen by the process that takes over.
package struct Takeover: ~Copyable {
    /// The sockets of the server that runs.
    package let listeners: [Listener]

    private let connection: Descriptor

    /// Asks the server that listens at `path` for its sockets.
    ///
    /// Blocks until they have come. Without `confirm`, the server goes on as if nothing had been.
    ///
    /// Throws `system`: `ENOENT` or `ECONNREFUSED` when no such server runs.
    package init(from path: String) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let connected = unsafe path.withCString { unsafe clinux_connect_unix($0) }
        let connection = try Descriptor("connect", connected)
        var numbers = [Int32](repeating: -1, count: Int(clinux_most_passed_descriptors))
        // SAFETY: the shim writes no more than the array's count.
        let count = unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            unsafe clinux_receive_descriptors(
                connection.number, buffer.baseAddress, Int32(buffer.count))
        }
        guard count >= 0 else { throw SocketError("recvmsg", Int(count)) }
        var listeners: [Listener] = []
        for number in numbers.prefix(Int(count)) {
            listeners.append(try Listener(inheriting: number))
        }
        self.listeners = listeners
        self.connection = connection
    }

    /// Tells the server to stop: from now on this process has to accept.
    package consuming func confirm() throws(SocketError) {
        var go: UInt8 = 1
        // SAFETY: the pointer is used within the closure, and one byte is sent.
        let result = unsafe withUnsafeBytes(of: &go) { raw in
            unsafe clinux_send(connection.number, raw.baseAddress, 1, 0)
        }
        guard result == 1 else { throw SocketError("send", result) }
    }
}
