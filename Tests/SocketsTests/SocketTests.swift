// Streams between two loops: order and completeness under back-pressure, deadlines, half-close,
// peers that vanish, and buffers that idle connections give back.

import TestClient
import Testing

@testable import Sockets

struct SocketTests {
    /// More than the kernel's buffers of both ends take.
    private static let large: [UInt8] = {
        var bytes = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        while bytes.count < 12_000_000 { bytes.append(contentsOf: bytes) }
        return bytes
    }()

    @Test("large data arrives whole both ways while the reader lets the writer wait")
    func backPressure() async throws {
        let data = Self.large
        let (received, echoed) = try await withConnection { socket in
            try await Task.sleep(for: .milliseconds(50))
            let bytes = try await socket.readAll()
            try await socket.write(bytes, pace: patient)
            return bytes
        } client: { socket in
            try await socket.write(data, pace: patient)
            socket.shutdownWriting()
            try await Task.sleep(for: .milliseconds(50))
            return try await socket.readAll()
        }
        #expect(received == data)
        #expect(echoed == data)
    }

    @Test("other tasks of the loop get their turn during a long write, however fast the peer reads")
    func turns() async throws {
        let data = Self.large
        let (received, rounds) = try await withConnection { socket in
            try await socket.readAll().count
        } client: { socket in
            let former = socket.loop.round
            try await socket.write(data, pace: patient)
            return socket.loop.round - former
        }
        #expect(received == data.count)
        #expect(rounds >= data.count / Limits.turnBytes)
    }

    @Test("a peer that has finished sending can still be written to")
    func halfClose() async throws {
        let (received, answered) = try await withConnection { socket in
            let bytes = try await socket.readAll()
            try await socket.write([4, 5], pace: patient, hasMore: true)
            try await socket.write([6], pace: patient)
            return bytes
        } client: { socket in
            try await socket.write([1, 2, 3], pace: patient)
            socket.shutdownWriting()
            return try await socket.readAll()
        }
        #expect(received == [1, 2, 3])
        #expect(answered == [4, 5, 6])
    }

    @Test("a part of an array is sent, without what was sent before")
    func part() async throws {
        let (received, _) = try await withConnection { socket in
            try await socket.readAll()
        } client: { socket in
            try await socket.write([0, 1, 2, 3, 4], 1..<4, pace: patient)
            try await socket.write([5, 6, 7, 8, 9], 1..<4, after: 2, pace: patient)
            try await socket.write([10, 11], after: 1, pace: patient)
        }
        #expect(received == [1, 2, 3, 8, 11])
    }

    @Test("the peer's end of the stream is told again on every further read")
    func endIsSticky() async throws {
        let (counts, _) = try await withConnection { socket in
            var buffer = ReadBuffer()
            var counts: [Int] = []
            for _ in 0..<4 {
                counts.append(
                    try await socket.read(into: &buffer, until: socket.loop.now + patience))
            }
            return counts
        } client: { socket in
            try await socket.write([7], pace: patient)
        }
        #expect(counts == [1, 0, 0, 0])
    }

    @Test("a read whose deadline passes throws timedOut, and the stream goes on afterwards")
    func readDeadline() async throws {
        let (outcome, _) = try await withConnection { socket in
            var buffer = ReadBuffer()
            await #expect(throws: SocketError.timedOut) {
                _ = try await socket.read(into: &buffer, until: socket.loop.now + 50)
            }
            try await socket.write([1], pace: patient)
            return try await socket.read(into: &buffer, until: socket.loop.now + patience)
        } client: { socket in
            _ = try await socket.readAll(upTo: 1)
            try await socket.write([2, 3], pace: patient)
        }
        #expect(outcome == 2)
    }

    @Test("bytes that are there are read although the deadline has passed")
    func lateRead() async throws {
        let (writes, hasWritten) = AsyncStream.makeStream(of: Void.self)
        let (count, _) = try await withConnection { socket in
            var buffer = ReadBuffer()
            for await _ in writes {}
            // Each gives the loop a turn, in which it learns of the bytes.
            for _ in 0..<3 { await Task.yield() }
            return try await socket.read(into: &buffer, until: 0)
        } client: { socket in
            try await socket.write([1, 2], pace: patient)
            hasWritten.finish()
            _ = try await socket.readAll()
        }
        #expect(count == 2)
    }

    @Test("a write that the peer takes nothing of throws timedOut and ends the stream")
    func writeStall() async throws {
        let data = Self.large
        let (ends, hasEnded) = AsyncStream.makeStream(of: Void.self)
        let (errors, _) = try await withConnection { socket in
            defer { hasEnded.finish() }
            var errors: [SocketError] = []
            for _ in 0..<2 {
                do throws(SocketError) {
                    try await socket.write(
                        data, pace: WritePace(stallMilliseconds: 100, bytesPerSecond: 1))
                } catch {
                    errors.append(error)
                }
            }
            return errors
        } client: { socket in
            for await _ in ends {}
            _ = try await socket.readAll()
        }
        #expect(errors == [.timedOut, .disconnected])
    }

    @Test("writing to a peer that is gone throws disconnected and raises no signal")
    func vanishedPeer() async throws {
        let data = Self.large
        let (error, _) = try await withConnection { socket in
            do throws(SocketError) {
                try await socket.write(data, pace: patient)
                try await socket.write(data, pace: patient)
                return SocketError?.none
            } catch {
                return error
            }
        } client: { socket in
            _ = try await socket.readAll(upTo: 1)
        }
        #expect(error == .disconnected)
    }

    @Test("a drain ends an idle read and leaves one that was begun alone")
    func drain() async throws {
        let (outcomes, _) = try await withConnection { socket in
            var buffer = ReadBuffer()
            socket.loop.drain()
            await #expect(throws: SocketError.draining) {
                _ = try await socket.read(
                    into: &buffer, until: socket.loop.now + patience, isIdle: true)
            }
            try await socket.write([1], pace: patient)
            return try await socket.read(into: &buffer, until: socket.loop.now + patience)
        } client: { socket in
            _ = try await socket.readAll(upTo: 1)
            try await socket.write([2], pace: patient)
        }
        #expect(outcomes == 1)
    }

    @Test("an idle connection holds no buffer while it waits")
    func idleBuffer() async throws {
        let (capacities, _) = try await withConnection { socket in
            var buffer = ReadBuffer()
            let loop = socket.loop
            _ = try await socket.read(into: &buffer, until: loop.now + patience, isIdle: true)
            let whileUsed = buffer.capacity
            buffer.consume(buffer.count)
            await #expect(throws: SocketError.timedOut) {
                _ = try await socket.read(into: &buffer, until: loop.now + 10, isIdle: true)
            }
            return [whileUsed, buffer.capacity]
        } client: { socket in
            try await socket.write([1], pace: patient)
            _ = try await socket.readAll()
        }
        #expect(capacities == [Limits.readBufferBytes, 0])
    }
}
