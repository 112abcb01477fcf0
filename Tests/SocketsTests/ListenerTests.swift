// Addresses: what can be listened on, what is in use, and that a drained listener refuses.
// Ports are always the kernel's choice, so that tests run beside one another.

import Testing

@testable import Sockets

struct ListenerTests {
    @Test("a port that is in use is told as addressInUse", arguments: [true, false])
    func portInUse(isShared: Bool) throws {
        let first = try Listener(host: "127.0.0.1", port: 0, isShared: isShared)
        #expect(throws: SocketError.addressInUse) {
            try Listener.checkFree(host: "127.0.0.1", port: first.port)
        }
        #expect(throws: SocketError.addressInUse) {
            _ = try Listener(host: "127.0.0.1", port: first.port, isShared: false)
        }
    }

    @Test("listeners that share a port get the same one")
    func sharedPort() throws {
        let first = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        let second = try Listener(host: "127.0.0.1", port: first.port, isShared: true)
        #expect(first.port == second.port)
        #expect(first.port != 0)
    }

    @Test("a port is free again when its listener is gone")
    func portIsReleased() throws {
        let port = try Listener(host: "localhost", port: 0, isShared: true).port
        try Listener.checkFree(host: "localhost", port: port)
    }

    @Test(
        "what is no address is refused with EINVAL",
        arguments: [
            "", "example.invalid", "127.0.0", "127.0.0.1:80", "[::1]", "::g",
        ])
    func badAddress(host: String) {
        #expect(throws: SocketError.system(call: "listen", code: 22)) {
            _ = try Listener(host: host, port: 0, isShared: false)
        }
    }

    private static var hasIPv6: Bool {
        (try? Listener(host: "::1", port: 0, isShared: false)) != nil
    }

    @Test("IPv6 is listened on, and peers are written in brackets", .enabled(if: hasIPv6))
    func ipv6() async throws {
        let (peer, bytes) = try await withConnection(host: "::1") { socket in
            try await socket.write([1], stallLimit: patience)
            return socket.peer
        } client: { socket in
            try await socket.readAll()
        }
        #expect(peer.hasPrefix("[::1]:"))
        #expect(bytes == [1])
    }

    @Test("a drained listener stops listening, and its port refuses")
    func drainedListener() async throws {
        let loop = try EventLoop(name: "drained")
        defer { loop.stop() }
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
        let running = Task(executorPreference: loop) {
            try await listener.run(on: loop, onFailure: { Issue.record($0) }, start: { _ in })
        }
        loop.drain()
        try await running.value
        #expect(throws: SocketError.system(call: "connect", code: 111)) {
            _ = try AcceptedSocket(connectingTo: "127.0.0.1", port: listener.port)
        }
        // It runs once: a second run has nothing to listen on and returns.
        try await Task(executorPreference: loop) {
            try await listener.run(on: loop, onFailure: { Issue.record($0) }, start: { _ in })
        }.value
    }

    @Test("a host that can't be found can't be connected to")
    func unknownHost() {
        // Too long for a name, so that nobody has to be asked.
        let name = String(repeating: "a", count: 300)
        #expect(throws: SocketError.system(call: "connect", code: 113)) {
            _ = try AcceptedSocket(connectingTo: name, port: 80)
        }
    }

    @Test(
        "errors are told in words",
        arguments: [
            (SocketError.addressInUse, "the address is in use"),
            (SocketError("recv", -104), "the peer closed the connection"),
            (SocketError("send", -32), "the peer closed the connection"),
            (SocketError("bind", -98), "the address is in use"),
            (SocketError("connect", -111), "connect: Connection refused"),
            (SocketError("odd", -9999), "odd: error 9999"),
            (SocketError.timedOut, "the deadline passed"),
            (SocketError.draining, "the server is stopping"),
        ])
    func description(_ error: SocketError, _ text: String) {
        #expect(error.description == text)
    }
}
