// All errors below HTTP.

import CLinux

/// An error of a socket, its listener or its event loop.
package enum SocketError: Error, Equatable {
    /// The peer reset the connection, or disappeared while data was in transit.
    case disconnected

    /// The operation's deadline passed first.
    case timedOut

    /// The loop is stopping, and the operation could be abandoned.
    case draining

    /// The address is in use by another socket (`EADDRINUSE`).
    case addressInUse

    /// TLS failed; `reason` is OpenSSL's error, and contains no secrets.
    case tls(reason: String)

    /// The peer sent an unencrypted HTTP request where TLS was expected.
    case plainHTTP

    /// A system call failed for another reason; `code` is its positive errno.
    case system(call: StaticString, code: Int32)

    /// A file that isn't a socket is where one should be.
    package static let notASocket = SocketError.system(call: "bind", code: ENOTSOCK)

    /// Compares case and code; the call's name is for people.
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

    /// Converts a shim's negative result to the case that callers distinguish.
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
    /// The error as one English clause, without a full stop.
    package var description: String {
        switch self {
        case .disconnected: "the peer closed the connection"
        case .timedOut: "the deadline passed"
        case .draining: "the server is stopping"
        case .addressInUse: "the address is in use"
        case .tls(let reason): "TLS: \(reason)"
        case .plainHTTP: "plain HTTP was sent to a TLS port"
        case .system(let call, let code): "\(call): \(systemErrorText(code))"
        }
    }
}

/// The operating system's English text for a positive errno.
package func systemErrorText(_ code: Int32) -> String {
    // SAFETY: the C function returns a static string.
    unsafe String(cString: clinux_error_text(code))
}
