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

    @Test(
        "a peer's address is its number and port",
        arguments: hasIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"])
    func peerAddress(host: String) async throws {
        let listener = try Listener(host: host, port: 0, isShared: false)
        let peer = try await Self.peer(of: listener) {
            _ = try AcceptedSocket(connectingTo: host, port: listener.port)
        }
        #expect(peer.ip == IPAddress(Array(host.utf8)))
        #expect(peer.port > 0)
        #expect(peer.description == (host.contains(":") ? "[\(host)]" : host) + ":\(peer.port)")
    }

    /// Runs a listener until a connection has come from `connect`.
    private static func peer(
        of listener: Listener, connect: () throws -> Void
    ) async throws -> SocketAddress {
        let loop = try EventLoop(name: "listening")
        defer { loop.stop() }
        let (peers, peer) = AsyncStream.makeStream(of: SocketAddress.self)
        let running = Task(executorPreference: loop) {
            try await listener.run(on: loop, onFailure: { Issue.record($0) }) { accepted in
                peer.yield(accepted.peer)
                accepted.close()
            }
        }
        try connect()
        let found = try #require(await peers.first { _ in true })
        loop.drain()
        try await running.value
        return found
    }

    @Test("a Unix-domain socket is listened on, and replaced only when nobody does any more")
    func unixSocket() async throws {
        let path = "/tmp/landfall-test-\(UInt64.random(in: .min ... .max)).sock"
        defer { SocketFile.remove(path) }
        let listener = try Listener(path: path)
        #expect(listener.address == .unix)
        #expect(throws: SocketError.addressInUse) { _ = try Listener(path: path) }
        listener.close()
        let successor = try Listener(path: path)
        #expect(throws: SocketError.system(call: "listen", code: 36)) {
            _ = try Listener(path: String(repeating: "a", count: 200))
        }
        successor.close()
    }

    @Test(
        "sockets are handed over with what waits on them, and only to who goes through with it",
        arguments: [true, false])
    func handover(isConfirmed: Bool) async throws {
        let path = "/tmp/landfall-test-\(UInt64.random(in: .min ... .max)).sock"
        defer { SocketFile.remove(path) }
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        let offer = try Listener(path: path)
        let offering = try EventLoop(name: "offering")
        defer { offering.stop() }
        let (decisions, decision) = AsyncStream.makeStream(of: Bool.self)
        let running = Task(executorPreference: offering) {
            try await withThrowingDiscardingTaskGroup { group in
                try await offer.run(on: offering, onFailure: { Issue.record($0) }) { accepted in
                    group.addTask {
                        decision.yield(
                            try await ListenerHandover.offer(
                                [listener], to: accepted, on: offering))
                    }
                }
            }
        }
        var received: [Listener] = []
        do {
            let takeover = try Takeover(from: path)
            received = takeover.listeners
            if isConfirmed { try takeover.confirm() }
        }
        #expect(await decisions.first { _ in true } == isConfirmed)
        let waiting = try AcceptedSocket(connectingTo: "127.0.0.1", port: listener.port)
        defer { waiting.close() }
        offering.drain()
        try await running.value
        // A listener that drains takes in what waits, unless it has left that to its successor.
        let successor = try #require(received.first)
        #expect(successor.port == listener.port)
        let draining = try EventLoop(name: "draining")
        defer { draining.stop() }
        draining.drain()
        let (taken, take) = AsyncStream.makeStream(of: SocketAddress.self)
        try await Task(executorPreference: draining) {
            while !draining.isDraining { await Task.yield() }
            try await listener.run(on: draining, onFailure: { Issue.record($0) }) { accepted in
                take.yield(accepted.peer)
                accepted.close()
            }
        }.value
        take.finish()
        var count = 0
        for await _ in taken { count += 1 }
        #expect(count == (isConfirmed ? 0 : 1))
        guard isConfirmed else { return }
        let peer = try await Self.peer(of: successor) {}
        #expect(peer.ip?.isLoopback == true)
    }

    @Test("nobody who listens for takeovers is told as such")
    func noHandover() {
        #expect(throws: SocketError.system(call: "connect", code: 2)) {
            _ = try Takeover(from: "/nonexistent/landfall.sock")
        }
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
