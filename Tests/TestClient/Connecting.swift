// The client's end of a connection that a test makes.

import CTestClient
import Sockets

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
