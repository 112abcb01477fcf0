// What can go wrong below HTTP, as one closed list.

import CLinux

/// A failure of a socket, its listener or its event loop.
package enum SocketError: Error, Equatable {
    /// The peer reset the connection, or it vanished while bytes were on their way.
    case disconnected

    /// The operation's deadline passed first.
    case timedOut

    /// The loop is stopping, and the operation was marked as one that need not be finished.
    case draining

    /// The address is in use by another socket (`EADDRINUSE`).
    case addressInUse

    /// TLS failed; `reason` is what OpenSSL's queue says, and holds no secrets.
    case tls(reason: String)

    /// The peer sent an HTTP request in the clear where TLS was expected.
    case plainHTTP

    /// A system call failed for another reason; `code` is its positive errno.
    case system(call: StaticString, code: Int32)

    /// Equal when case and code are; the call's name is for people.
    package static func == (left: SocketError, right: SocketError) -> Bool {
        switch (left, right) {
        case (.disconnected, .disconnected), (.timedOut, .timedOut), (.draining, .draining),
            (.addressInUse, .addressInUse), (.plainHTTP, .plainHTTP):
            true
        case (.tls(let left), .tls(let right)): left == right
        case (.system(_, let left), .system(_, let right)): left == right
        default: false
        }
    }

    /// Turns a shim's negative result into the case that callers tell apart.
    init(_ call: StaticString, _ result: Int) {
        let code = Int32(truncatingIfNeeded: -result)
        switch code {
        case ECONNRESET, EPIPE, ENOTCONN, ETIMEDOUT: self = .disconnected
        case EADDRINUSE: self = .addressInUse
        default: self = .system(call: call, code: code)
        }
    }
}

extension SocketError: CustomStringConvertible {
    /// One clause in English, without a full stop.
    package var description: String {
        switch self {
        case .disconnected: "the peer closed the connection"
        case .timedOut: "the deadline passed"
        case .draining: "the server is stopping"
        case .addressInUse: "the address is in use"
        case .tls(let reason): "TLS: \(reason)"
        case .plainHTTP: "plain HTTP was sent where TLS is spoken"
        case .system(let call, let code): "\(call): \(systemErrorText(code))"
        }
    }
}

/// The operating system's English text for a positive errno.
package func systemErrorText(_ code: Int32) -> String {
    // SAFETY: strerrordesc_np returns a static string, or NULL for a number it doesn't know.
    guard let text = unsafe clinux_error_text(code) else { return "error \(code)" }
    return unsafe String(cString: text)
}
