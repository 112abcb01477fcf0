// Passing listening sockets to the process that takes over: the sockets stay open in both processes all
// the time, so no connection is refused or reset, not even one that waits to be accepted.
//
// The conversation: the server sends its sockets. The successor checks what it can, then asks for
// `release`; the server answers what it has begun, closes its store and says `released`; the successor
// opens the store and says `taken`; only then the server ends. When the connection ends before that
// word, the server goes on with its sockets. Which of the two serves is never decided here: it is the
// one that holds the lock of the store.

import CLinux

/// What the two processes say to each other: one byte each.
private enum HandoverWord: UInt8 {
    /// The successor asks the server to finish.
    case release = 1
    /// The server has closed its store.
    case released = 2
    /// The successor has opened the store and begins to serve.
    case taken = 3
}

/// One end of the conversation.
private struct HandoverConnection: ~Copyable, Sendable {
    enum Heard {
        case nothing
        case word(HandoverWord)
        /// The other process has closed the connection, or has ended.
        case end
    }

    let descriptor: Descriptor

    /// What the other process has said since the last call; returns at once.
    func hear() -> Heard {
        var octet: UInt8 = 0
        // SAFETY: the pointer is used within the closure, and one byte is received.
        let result = unsafe withUnsafeMutableBytes(of: &octet) { raw in
            unsafe clinux_recv_now(descriptor.number, raw.baseAddress, 1)
        }
        if result == Int(-EAGAIN) { return .nothing }
        guard result == 1, let word = HandoverWord(rawValue: octet) else { return .end }
        return .word(word)
    }

    func say(_ word: HandoverWord) throws(SocketError) {
        var octet = word.rawValue
        // SAFETY: the pointer is used within the closure, and one byte is sent.
        let result = unsafe withUnsafeBytes(of: &octet) { raw in
            unsafe clinux_send(descriptor.number, raw.baseAddress, 1, 0)
        }
        guard result == 1 else { throw SocketError("send", result) }
    }
}

/// How the server that runs hands its sockets over.
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

    /// Sends all sockets to a process that has connected, and waits until it asks for release.
    ///
    /// - Returns: the process; nil when it has given up. The listeners leave what waits to be accepted
    ///   to it, until they are taken back.
    ///
    /// Throws as `Socket.read` does, and `system` with `EPERM` when the process belongs to another
    /// user.
    package static func offer(
        _ listeners: [Listener], to accepted: AcceptedSocket, on loop: EventLoop
    ) async throws(SocketError) -> Successor? {
        var socket = try Socket(adopting: accepted, on: loop)
        // The conversation goes on after the loop has ended.
        let copy = try Descriptor("dup", clinux_duplicate(accepted.number))
        try send(listeners, over: accepted.number)
        var request = ReadBuffer()
        let deadline = loop.now + Limits.handoverMilliseconds
        guard try await socket.read(into: &request, until: deadline, isIdle: true) > 0 else {
            return nil
        }
        for listener in listeners { listener.leaveBacklog() }
        return Successor(copy)
    }
}

/// A process that takes over, seen by the server that runs.
package final class Successor: Sendable {
    /// What became of it.
    package enum State: Sendable {
        /// It has not opened the store yet.
        case preparing
        /// It serves.
        case serves
        /// It has given up, or has ended.
        case gone
    }

    private let connection: HandoverConnection

    fileprivate init(_ descriptor: consuming Descriptor) {
        connection = HandoverConnection(descriptor: descriptor)
    }

    /// Says that the store is closed; when the process has gone, `state` says so.
    package func release() {
        try? connection.say(.released)
    }

    /// What became of it by now; returns at once.
    package func state() -> State {
        switch connection.hear() {
        case .nothing: .preparing
        case .word(.taken): .serves
        case .word, .end: .gone
        }
    }
}

/// A server that is being taken over, seen by the process that takes over.
package final class Takeover: Sendable {
    /// The sockets of the server that runs.
    package let listeners: [Listener]

    private let connection: HandoverConnection

    /// Asks the server that listens at `path` for its sockets.
    ///
    /// Blocks until they have come. Until `askForRelease`, the server goes on as if nothing had been.
    ///
    /// Throws `system`: `ENOENT` or `ECONNREFUSED` when no such server runs.
    package init(from path: String) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let connected = unsafe path.withCString { unsafe clinux_connect_unix($0) }
        let descriptor = try Descriptor("connect", connected)
        var numbers = [Int32](repeating: -1, count: Int(clinux_most_passed_descriptors))
        // SAFETY: the shim writes no more than the array's count.
        let count = unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            unsafe clinux_receive_descriptors(
                descriptor.number, buffer.baseAddress, Int32(buffer.count))
        }
        guard count >= 0 else { throw SocketError("recvmsg", Int(count)) }
        var listeners: [Listener] = []
        for number in numbers.prefix(Int(count)) {
            listeners.append(try Listener(inheriting: number))
        }
        self.listeners = listeners
        connection = HandoverConnection(descriptor: descriptor)
    }

    /// Asks the server to answer what it has begun and to close its store.
    package func askForRelease() throws(SocketError) {
        try connection.say(.release)
    }

    /// Whether the store is free: the server has said so, or has ended; returns at once.
    package func isReleased() -> Bool {
        switch connection.hear() {
        case .nothing: false
        case .word, .end: true
        }
    }

    /// Tells the server to end: from now on this process accepts.
    ///
    /// A server that has ended already needs no word.
    package func confirm() {
        try? connection.say(.taken)
    }
}
