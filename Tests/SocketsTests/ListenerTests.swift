// Addresses: what can be listened on, what is in use, and that a drained listener refuses.
// Ports are always the kernel's choice, so that tests run beside one another.

import TestClient
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

    /// Runs a listener until `count` connections have come, also from `connect`; returns what
    /// `note` says of each.
    private static func accepted<Note: Sendable>(
        _ count: Int, by listener: Listener, connect: () throws -> Void = {},
        note: @escaping @Sendable (EventLoop, SocketAddress) -> Note
    ) async throws -> [Note] {
        let loop = try EventLoop(name: "listening")
        defer { loop.stop() }
        let (notes, noted) = AsyncStream.makeStream(of: Note.self)
        let running = Task(executorPreference: loop) {
            try await listener.run(on: loop, onFailure: { Issue.record($0) }) { accepted in
                noted.yield(note(loop, accepted.peer))
                accepted.close()
            }
        }
        try connect()
        var found: [Note] = []
        for await note in notes {
            found.append(note)
            if found.count == count { break }
        }
        loop.drain()
        try await running.value
        return found
    }

    /// Runs a listener until a connection has come from `connect`.
    private static func peer(
        of listener: Listener, connect: () throws -> Void
    ) async throws -> SocketAddress {
        let peers = try await accepted(1, by: listener, connect: connect) { _, peer in peer }
        return try #require(peers.first)
    }

    @Test("a loop looks at its other descriptors between connections that wait to be accepted")
    func manyConnections() async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
        let count = 3 * Limits.acceptsInARow
        var waiting: [AcceptedSocket] = []
        defer { for socket in waiting { socket.close() } }
        for _ in 0..<count {
            waiting.append(try AcceptedSocket(connectingTo: "127.0.0.1", port: listener.port))
        }
        let rounds = try await Self.accepted(count, by: listener) { loop, _ in loop.round }
        #expect(Set(rounds).count >= 3)
    }

    @Test("a Unix-domain socket is listened on, and replaced only when nobody does any more")
    func unixSocket() async throws {
        let path = "/tmp/landfall-test-\(UInt64.random(in: .min ... .max)).sock"
        defer { SocketFile.remove(path) }
        let listener = try Listener(path: path)
        #expect(listener.address == .unix && listener.path == path)
        #expect(try Listener(host: "127.0.0.1", port: 0, isShared: false).path == nil)
        #expect(throws: SocketError.addressInUse) { _ = try Listener(path: path) }
        #expect(throws: SocketError.addressInUse) { try Listener.checkFree(path: path) }
        listener.close()
        try Listener.checkFree(path: path)
        let successor = try Listener(path: path)
        #expect(throws: SocketError.system(call: "listen", code: 36)) {
            _ = try Listener(path: String(repeating: "a", count: 200))
        }
        successor.close()
    }

    @Test(
        "a place where no Unix-domain socket can be is found out before one is made",
        arguments: [
            ("/nonexistent/x.sock", SocketError.system(call: "listen", code: 2)),
            ("/dev/null/x.sock", SocketError.system(call: "listen", code: 20)),
            ("/dev/null", SocketError.notASocket),
            (String(repeating: "a", count: 200), SocketError.system(call: "listen", code: 36)),
        ])
    func placeOfSocket(path: String, error: SocketError) {
        #expect(throws: error) { try Listener.checkFree(path: path) }
        #expect(throws: error) { _ = try Listener(path: path) }
    }

    @Test("a place for a Unix-domain socket is left as it was")
    func freePlace() throws {
        let name = "landfall-test-\(UInt64.random(in: .min ... .max)).sock"
        for path in ["/tmp/\(name)", name] {
            try Listener.checkFree(path: path)
            #expect(throws: SocketError.system(call: "listen", code: 2)) {
                try Listener.checkFree(path: path + "/s")
            }
        }
    }

    /// Runs `body` with a takeover of `listener`, and with its other side: nil when the process at this
    /// end closed the conversation without asking for release.
    private static func handOver(
        _ listener: Listener, _ others: [Listener] = [], areInherited: Bool = false, asks: Bool,
        _ body: (inout Takeover?, Successor?) async throws -> Void
    ) async throws {
        let path = "/tmp/landfall-test-\(UInt64.random(in: .min ... .max)).sock"
        defer { SocketFile.remove(path) }
        let offer = try Listener(path: path)
        let offering = try EventLoop(name: "offering")
        defer { offering.stop() }
        let (successors, successor) = AsyncStream.makeStream(of: Successor?.self)
        let running = Task(executorPreference: offering) {
            try await withThrowingDiscardingTaskGroup { group in
                try await offer.run(on: offering, onFailure: { Issue.record($0) }) { accepted in
                    group.addTask {
                        successor.yield(
                            try await ListenerHandover.offer(
                                [listener] + others, areInherited: areInherited, to: accepted,
                                on: offering))
                    }
                }
            }
        }
        var takeover: Takeover? = try Takeover(from: path)
        if asks { try takeover?.askForRelease() } else { takeover = nil }
        let found = await successors.first { _ in true }
        let other: Successor? = try #require(found)
        offering.drain()
        try await running.value
        try await body(&takeover, other)
    }

    /// Lets a listener run on a loop that drains; returns how many connections it took in.
    private static func drained(
        _ listener: Listener, within limit: UInt64 = patience
    ) async throws -> Int {
        let draining = try EventLoop(name: "draining")
        defer { draining.stop() }
        draining.drain(within: limit)
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
        return count
    }

    @Test("a successor learns whether a service manager keeps sockets", arguments: [false, true])
    func inherited(areInherited: Bool) async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        try await Self.handOver(listener, areInherited: areInherited, asks: true) { takeover, _ in
            #expect(takeover?.areInherited == areInherited)
        }
    }

    @Test("a successor gets the sockets with what waits on them, and the server keeps them too")
    func handover() async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        try await Self.handOver(listener, asks: true) { takeover, successor in
            #expect(successor != nil)
            let listeners = takeover?.listeners ?? []
            let received = try #require(listeners.first)
            #expect(received.port == listener.port)
            let first = try AcceptedSocket(connectingTo: "127.0.0.1", port: listener.port)
            defer { first.close() }
            // A listener that drains leaves what waits to its successor, and can run again.
            #expect(try await Self.drained(listener) == 0)
            let firstPeer = try await Self.peer(of: received) {}
            #expect(firstPeer.ip?.isLoopback == true)
            let second = try AcceptedSocket(connectingTo: "127.0.0.1", port: listener.port)
            defer { second.close() }
            listener.takeBack()
            let secondPeer = try await Self.peer(of: listener) {}
            #expect(secondPeer.ip?.isLoopback == true)
        }
    }

    @Test("a successor gets the sockets of a machine with many processors")
    func manySockets() async throws {
        let first = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        let others = try (0..<128).map { _ in
            try Listener(host: "127.0.0.1", port: first.port, isShared: true)
        }
        try await Self.handOver(first, others, asks: true) { takeover, _ in
            let count = takeover?.listeners.count
            #expect(count == 129)
        }
    }

    @Test("who doesn't ask for release takes nothing over")
    func refusedHandover() async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        try await Self.handOver(listener, asks: false) { _, successor in
            #expect(successor == nil)
            let waiting = try AcceptedSocket(connectingTo: "127.0.0.1", port: listener.port)
            defer { waiting.close() }
            #expect(try await Self.drained(listener) == 1)
        }
    }

    @Test("a drain whose time is over accepts no more", arguments: [(patience, 1), (UInt64(0), 0)])
    func endOfDrain(_ limit: UInt64, _ count: Int) async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
        let waiting = try AcceptedSocket(connectingTo: "127.0.0.1", port: listener.port)
        defer { waiting.close() }
        #expect(try await Self.drained(listener, within: limit) == count)
    }

    @Test("server and successor hear of each other: released, taken, gone")
    func conversation() async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        try await Self.handOver(listener, asks: true) { takeover, successor in
            let (handed, former) = (takeover, successor)
            let other = try #require(handed)
            let server = try #require(former)
            #expect(!other.isReleased())
            server.release()
            #expect(other.isReleased())
            #expect(server.state() == .preparing)
            other.confirm()
            #expect(server.state() == .serves)
        }
        try await Self.handOver(listener, asks: true) { takeover, successor in
            let server = try #require(successor)
            let isReleased = takeover?.isReleased()
            #expect(isReleased == false)
            takeover = nil
            #expect(server.state() == .gone)
            // The successor is gone, so releasing changes nothing.
            server.release()
            #expect(server.state() == .gone)
        }
        var gone: Takeover?
        try await Self.handOver(listener, asks: true) { takeover, _ in gone = takeover }
        #expect(gone?.isReleased() == true)
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

    @Test(
        "errors are told in words",
        arguments: [
            (SocketError.addressInUse, "the address is in use"),
            (SocketError("recv", -104), "the peer closed the connection"),
            (SocketError("send", -32), "the peer closed the connection"),
            (SocketError("bind", -98), "the address is in use"),
            (SocketError("connect", -111), "connect: Connection refused"),
            (SocketError("odd", -9999), "odd: unknown error"),
            (SocketError.timedOut, "the deadline passed"),
            (SocketError.draining, "the server is stopping"),
        ])
    func description(_ error: SocketError, _ text: String) {
        #expect(error.description == text)
    }
}
