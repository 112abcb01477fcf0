// The client's end of a connection that a test makes, and how long it waits.

import CTestClient
import Sockets

/// How long a test waits for what must come, in milliseconds; a busy machine needs some of it.
package let patience: UInt64 = 20_000

/// A peer that may take as long as a test may wait.
package let patient = WritePace(stallMilliseconds: patience, bytesPerSecond: 1)

extension AcceptedSocket {
    /// Connects to a server at an IP address, and blocks until that accepts.
    ///
    /// Throws `system`, such as `ECONNREFUSED`.
    package init(
        connectingTo host: String, port: UInt16, within milliseconds: Int32 = 10_000
    ) throws(SocketError) {
        // SAFETY: the C string lives for the call.
        let result = unsafe host.withCString { unsafe ctestclient_connect($0, port, milliseconds) }
        guard result >= 0 else { throw .system(call: "connect", code: -result) }
        let address = IPAddress(Array(host.utf8)) ?? IPAddress(v4: 0)
        self.init(number: result, peer: .ip(address, port: port))
    }
}

extension Socket {
    /// Starts the client's side of TLS, and checks that the server's certificate is for `host`.
    ///
    /// Throws as `startTLS` for servers does.
    package mutating func startTLS(
        _ context: TLSClientContext, host: String, until deadline: UInt64
    ) async throws(SocketError) {
        try await startTLS(until: deadline) { descriptor throws(TLSError) in
            try context.session(over: descriptor, host: host)
        }
    }
}
