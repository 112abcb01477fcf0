// Waits that another task of the loop ends, and that notice meanwhile that the peer goes.

import TestClient
import Testing

@testable import Sockets

struct WakerTests {
    /// Runs a server and a client at the two ends of one connection, plain or under TLS.
    private func withPeer<ServerValue: Sendable>(
        isSecure: Bool,
        server: @escaping @Sendable (inout Socket) async throws -> ServerValue,
        client: @escaping @Sendable (inout Socket) async throws -> Void
    ) async throws -> ServerValue {
        guard isSecure else {
            return try await withConnection(server: server, client: client).server
        }
        let (forServer, forClient) = (try serverContext(), try clientContext())
        return try await withConnection { socket in
            try await socket.startTLS(forServer, until: socket.loop.now + patience)
            return try await server(&socket)
        } client: { socket in
            let deadline = socket.loop.now + patience
            try await socket.startTLS(forClient, host: "first.example", until: deadline)
            try await client(&socket)
        }.server
    }

    /// How a wait without a waker's call ends.
    private static func end(
        _ socket: inout Socket, _ buffer: inout ReadBuffer, after milliseconds: UInt64 = patience
    ) async -> SocketError? {
        _ = socket.makeWaker()
        do throws(SocketError) {
            try await socket.waitForWake(into: &buffer, until: socket.loop.now + milliseconds)
            return nil
        } catch {
            return error
        }
    }

    @Test("a wake before the wait ends it at once, and the next wait is a new one")
    func wakeBefore() async throws {
        let end = try await withPeer(isSecure: false) { socket in
            var buffer = ReadBuffer()
            let waker = socket.makeWaker()
            waker.wake()
            waker.wake()
            try await socket.waitForWake(into: &buffer, until: socket.loop.now + patience)
            return await Self.end(&socket, &buffer, after: 10)
        } client: { socket in
            _ = try await socket.readAll()
        }
        #expect(end == .timedOut)
    }

    @Test(
        "a wake during the wait ends it, and what the peer sends does not",
        arguments: [false, true])
    func wakeDuring(isSecure: Bool) async throws {
        let (asks, ask) = AsyncStream.makeStream(of: Void.self)
        let bytes = try await withPeer(isSecure: isSecure) { socket in
            var buffer = ReadBuffer()
            try await socket.write([0], pace: patient)
            let waker = socket.makeWaker()
            let loop = socket.loop
            let waking = Task(executorPreference: loop) {
                for await _ in asks {}
                // Each gives the loop a turn, in which it learns of the bytes.
                for _ in 0..<3 { await Task.yield() }
                waker.wake()
            }
            try await socket.waitForWake(into: &buffer, until: loop.now + patience)
            await waking.value
            var bytes: [UInt8] = []
            while bytes.count < 3 {
                if buffer.isEmpty {
                    let deadline = loop.now + patience
                    guard try await socket.read(into: &buffer, until: deadline) > 0 else { break }
                }
                buffer.move(buffer.count, to: &bytes)
            }
            return bytes
        } client: { socket in
            _ = try await socket.readAll(upTo: 1)
            for byte: UInt8 in 1...3 { try await socket.write([byte], pace: patient) }
            ask.finish()
            _ = try await socket.readAll()
        }
        #expect(bytes == [1, 2, 3])
    }

    @Test(
        "a peer that ends its side has gone, now and whenever it is waited for again",
        arguments: [false, true], [0, 1, 100_000])
    func peerEnds(isSecure: Bool, count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) }
        let result = try await withPeer(isSecure: isSecure) { socket in
            var buffer = ReadBuffer()
            var ends = [await Self.end(&socket, &buffer)]
            ends.append(await Self.end(&socket, &buffer))
            // Bounded, and nothing is lost.
            let ahead = buffer.count
            var received: [UInt8] = []
            buffer.move(buffer.count, to: &received)
            received += try await socket.readAll()
            return (ends, ahead, received)
        } client: { socket in
            try await socket.write(bytes, pace: patient)
            socket.shutdownWriting()
            _ = try await socket.readAll()
        }
        #expect(result.0 == [.disconnected, .disconnected])
        #expect(result.1 <= 2 * Limits.readBufferBytes)
        #expect(result.2 == bytes)
    }

    @Test("RFC 8446 §6.1: a peer that says so under TLS has gone, although its stream is open")
    func closingAlert() async throws {
        let end = try await withPeer(isSecure: true) { socket in
            var buffer = ReadBuffer()
            return await Self.end(&socket, &buffer)
        } client: { socket in
            try await socket.write([1, 2, 3], pace: patient)
            socket.sendClosingAlert()
            _ = try await socket.readAll()
        }
        #expect(end == .disconnected)
    }

    @Test("a drain ends the wait, whether it comes before or during it", arguments: [false, true])
    func drain(isBefore: Bool) async throws {
        let end = try await withPeer(isSecure: false) { socket in
            var buffer = ReadBuffer()
            if isBefore { socket.loop.drain() } else { try await socket.write([0], pace: patient) }
            // The loop has begun to drain when it has had a turn.
            while isBefore, !socket.loop.isDraining { await Task.yield() }
            let loop = socket.loop
            let draining = Task(executorPreference: loop) { loop.drain() }
            defer { draining.cancel() }
            return await Self.end(&socket, &buffer)
        } client: { socket in
            _ = try await socket.readAll()
        }
        #expect(end == .draining)
    }

    @Test("no buffer is held during the wait", arguments: [false, true])
    func noBuffer(isSecure: Bool) async throws {
        let capacity = try await withPeer(isSecure: isSecure) { socket in
            var buffer = ReadBuffer()
            _ = try await socket.read(into: &buffer, until: socket.loop.now + patience)
            buffer.consume(buffer.count)
            _ = await Self.end(&socket, &buffer, after: 10)
            return buffer.capacity
        } client: { socket in
            try await socket.write([1], pace: patient)
            _ = try await socket.readAll()
        }
        #expect(capacity == 0)
    }
}
