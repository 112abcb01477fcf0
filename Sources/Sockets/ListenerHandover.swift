// Passing listening sockets to the process that takes over: the sockets stay open all the time, so
// no connection is refused or reset, not even one that waits to be accepted.

import CLinux

/// Sends and receives listening sockets over a Unix-domain socket (`SCM_RIGHTS`).
package enum ListenerHandover {
    /// Sends all sockets to a process that has connected, and closes the connection.
    ///
    /// Throws `system`: `EPERM` when the process belongs to another user.
    package static func send(
        _ listeners: [Listener], to accepted: AcceptedSocket
    ) throws(SocketError) {
        let connection = Descriptor(adopting: accepted.number)
        let checked = clinux_check_same_user(connection.number)
        guard checked >= 0 else { throw SocketError("SO_PEERCRED", Int(checked)) }
        let numbers = listeners.compactMap(\.number)
        // SAFETY: the buffer lives for the call, and its count goes with it.
        let sent = unsafe numbers.withUnsafeBufferPointer { buffer in
            unsafe clinux_send_descriptors(
                connection.number, buffer.baseAddress, Int32(buffer.count))
        }
        guard sent >= 0 else { throw SocketError("sendmsg", Int(sent)) }
    }

    /// Asks the process that listens at `path` for its sockets; it stops accepting then.
    ///
    /// Blocks until they have come.
    ///
    /// Throws `system`: `ENOENT` or `ECONNREFUSED` when no such process runs.
    package static func receive(from path: String) throws(SocketError) -> [Listener] {
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
        return listeners
    }
}
