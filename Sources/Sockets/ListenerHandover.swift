// Passes listening sockets to a process that takes over. The sockets stay open in both processes,
// so no connection is refused or reset, not even one that waits to be accepted.
//
// The protocol: the server sends its sockets, with a byte that is 1 if a service manager has opened
// some of them and keeps them. The successor checks what it can, then sends `release`. The server
// finishes its requests, closes its store and sends `released`. The successor opens the store and
// sends `taken`; only then does the server end. If the connection closes before `taken`, the server
// continues with its sockets. The lock of the store alone decides which of the two serves.

import CLinux

/// The messages between the two processes, one byte each.
private enum HandoverWord: UInt8 {
    /// The successor asks the server to finish.
    case release = 1
    /// The server has closed its store.
    case released = 2
    /// The successor has opened the store and begins to serve.
    case taken = 3
}

/// One end of the handover connection.
private struct HandoverConnection: ~Copyable, Sendable {
    enum Received {
        case nothing
        case word(HandoverWord)
        /// The other process has closed the connection or has ended.
        case end
    }

    let descriptor: Descriptor

    /// The message that has arrived since the last call; returns at once.
    func receive() -> Received {
        var octet: UInt8 = 0
        // SAFETY: the pointer is used within the closure, and one byte is received.
        let result = unsafe withUnsafeMutableBytes(of: &octet) { raw in
            unsafe clinux_recv_now(descriptor.number, raw.baseAddress, 1)
        }
        if result == Int(-EAGAIN) { return .nothing }
        guard result == 1, let word = HandoverWord(rawValue: octet) else { return .end }
        return .word(word)
    }

    func send(_ word: HandoverWord) throws(SocketError) {
        var octet = word.rawValue
        // SAFETY: the pointer is used within the closure, and one byte is sent.
        let result = unsafe withUnsafeBytes(of: &octet) { raw in
            unsafe clinux_send(descriptor.number, raw.baseAddress, 1, 0)
        }
        guard result == 1 else { throw SocketError("send", result) }
    }
}

/// Hands over the sockets of the running server.
package enum ListenerHandover {
    /// Sends all sockets to a connected process.
    ///
    /// Throws `system`: `EPERM` if the process belongs to another user.
    static func send(
        _ listeners: [Listener], areInherited: Bool, over connection: Int32
    ) throws(SocketError) {
        let checked = clinux_check_same_user(connection)
        guard checked >= 0 else { throw SocketError("SO_PEERCRED", Int(checked)) }
        let numbers = listeners.compactMap(\.number)
        // SAFETY: the buffer lives for the call, and its count goes with it.
        let sent = unsafe numbers.withUnsafeBufferPointer { buffer in
            unsafe clinux_send_descriptors(
                connection, buffer.baseAddress, Int32(buffer.count), areInherited ? 1 : 0)
        }
        guard sent >= 0 else { throw SocketError("sendmsg", Int(sent)) }
    }

    /// Sends all sockets to a connected process, and waits until it asks for release.
    ///
    /// - Parameter areInherited: whether a service manager has opened some of them, and keeps them.
    /// - Returns: the process; nil if it has given up. The listeners leave waiting connections to
    ///   it, until they are taken back.
    ///
    /// Throws as `Socket.read` does, and `system` with `EPERM` if the process belongs to another
    /// user.
    package static func offer(
        _ listeners: [Listener], areInherited: Bool = false, to accepted: AcceptedSocket,
        on loop: EventLoop
    ) async throws(SocketError) -> Successor? {
        var socket = try Socket(adopting: accepted, on: loop)
        // The handover continues after the loop has ended.
        let copy = try Descriptor("dup", clinux_duplicate(accepted.number))
        try send(listeners, areInherited: areInherited, over: accepted.number)
        var request = ReadBuffer()
        let deadline = loop.now + Limits.handoverMilliseconds
        guard try await socket.read(into: &request, until: deadline, isIdle: true) > 0 else {
            return nil
        }
        for listener in listeners { listener.leaveBacklog() }
        return Successor(copy)
    }
}

/// The process that takes over, as seen by the running server.
package final class Successor: Sendable {
    /// The successor's progress.
    package enum State: Sendable {
        /// It has not opened the store yet.
        case preparing
        /// It has opened the store and serves.
        case serves
        /// It has given up or has ended.
        case gone
    }

    private let connection: HandoverConnection

    fileprivate init(_ descriptor: consuming Descriptor) {
        connection = HandoverConnection(descriptor: descriptor)
    }

    /// Reports that the store is closed; if the process is gone, `state` returns `gone`.
    package func release() {
        try? connection.send(.released)
    }

    /// The current state; returns at once.
    package func state() -> State {
        switch connection.receive() {
        case .nothing: .preparing
        case .word(.taken): .serves
        case .word, .end: .gone
        }
    }
}

/// The running server, as seen by the process that takes over.
package final class Takeover: Sendable {
    /// The sockets of the running server.
    package let listeners: [Listener]

    /// Whether a service manager has opened some of them, and keeps them.
    package let areInherited: Bool

    private let connection: HandoverConnection

    /// Requests the sockets of the server that listens at `path`.
    ///
    /// Blocks until they have arrived. Until `askForRelease`, the server continues unchanged.
    ///
    /// Throws `system`: `ENOENT` or `ECONNREFUSED` if no such server runs; `timedOut` if it doesn't
    /// answer.
    package init(from path: String) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let connected = unsafe path.withCString { unsafe clinux_connect_unix($0) }
        let descriptor = try Descriptor("connect", connected)
        var numbers = [Int32](repeating: -1, count: Int(clinux_most_passed_descriptors))
        var byte: UInt8 = 0
        // SAFETY: the shim writes no more than the array's count, and one byte.
        let count = unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            unsafe clinux_receive_descriptors(
                descriptor.number, buffer.baseAddress, Int32(buffer.count), &byte,
                Limits.handoverAnswerMilliseconds)
        }
        if count == -ETIME { throw .timedOut }
        guard count >= 0 else { throw SocketError("recvmsg", Int(count)) }
        var listeners: [Listener] = []
        for number in numbers.prefix(Int(count)) {
            listeners.append(try Listener(inheriting: number))
        }
        self.listeners = listeners
        areInherited = byte == 1
        connection = HandoverConnection(descriptor: descriptor)
    }

    /// Asks the server to finish its requests and to close its store.
    package func askForRelease() throws(SocketError) {
        try connection.send(.release)
    }

    /// Whether the store is free, because the server has released it or has ended; returns at once.
    package func isReleased() -> Bool {
        switch connection.receive() {
        case .nothing: false
        case .word, .end: true
        }
    }

    /// Ends the server: from now on this process accepts connections.
    ///
    /// Has no effect if the server has ended already.
    package func confirm() {
        try? connection.send(.taken)
    }
}
