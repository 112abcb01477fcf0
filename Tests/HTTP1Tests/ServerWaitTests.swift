// Handlers and streams that wait for something else than their peer: they notice that it goes, and
// that the server stops.

import Sockets
import TestClient
import Testing

@testable import HTTP1

struct ServerWaitTests {
    private static func get(_ path: String, version: String = "1.1") -> String {
        "GET \(path) HTTP/\(version)\r\nHost: a\r\n\r\n"
    }

    /// How a peer goes.
    enum Leaving: CaseIterable {
        /// Its socket is closed, or its process ends.
        case closes
        /// It leaves an answer unread, so that its kernel resets the connection.
        case resets
        /// It shuts down its side, and still reads.
        case finishes
        /// It says good-bye under TLS, leaves the stream as it is, and still reads.
        case alerts

        static let all: [(Leaving, Bool)] = allCases.flatMap { leaving in
            (leaving == .alerts ? [true] : [false, true]).map { (leaving, $0) }
        }
    }

    /// Asks for `path`, and goes when that has been waited for.
    ///
    /// - Returns: what a peer that still reads gets.
    private static func leave(
        _ server: TestServer, _ path: String, _ leaving: Leaving
    ) async throws -> [UInt8] {
        try await server.connect { peer in
            try await peer.send(get("/a") + get(path))
            if leaving != .resets { _ = try await peer.answer() }
            #expect(await server.heldRequests.first { _ in true } != nil)
            switch leaving {
            case .closes, .resets: return []
            case .finishes: peer.finishSending()
            case .alerts: peer.sayGoodbye()
            }
            return try await peer.rest()
        }
    }

    // MARK: Handlers

    @Test(
        "an operation that ends by itself gives its value, and the connection goes on",
        arguments: [false, true])
    func finished(isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            async let answers = server.connect { peer in
                try await peer.send(Self.get("/wait"))
                let first = try await peer.answer()
                try await peer.send(Self.get("/a"))
                return [first, try await peer.answer()]
            }
            #expect(await server.heldRequests.first { _ in true } != nil)
            server.release()
            let bodies = try await answers.map { text($0.body) }
            #expect(bodies == ["released finished", "GET /a"])
        }
    }

    @Test("operations that need not wait give their values, one after the other")
    func atOnce() async throws {
        try await TestServer.run { server in
            server.release()
            let answers = try await server.connect { peer in
                try await peer.send(
                    Self.get("/wait") + Self.get("/wait")
                        + "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return try await peer.answers()
            }
            let released = "released finished"
            #expect(answers.map { text($0.body) } == [released, released, "GET /a"])
        }
    }

    @Test("an operation is cancelled when its peer goes, however it goes", arguments: Leaving.all)
    func peerGone(_ leaving: Leaving, isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            let rest = text(try await Self.leave(server, "/wait", leaving))
            #expect(await server.ends.first { _ in true } == "cancelled peerGone")
            let stillReads = leaving == .finishes || leaving == .alerts
            #expect(rest.hasSuffix("\r\n\r\ncancelled peerGone") == stillReads)
        }
    }

    @Test("a peer that has gone before the wait begins is noticed too", arguments: [false, true])
    func goneBefore(isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            try await server.connect { peer in
                try await peer.send(Self.get("/slow") + Self.get("/wait"))
            }
            #expect(await server.ends.first { _ in true } == "cancelled peerGone")
        }
    }

    @Test("an operation is cancelled when the server drains, and its answer is the last")
    func draining() async throws {
        try await TestServer.run { server in
            async let answers = server.connect { peer in
                try await peer.send(Self.get("/wait") + Self.get("/a"))
                return try await peer.answers()
            }
            #expect(await server.heldRequests.first { _ in true } != nil)
            server.drain(patience)
            let sent = try await answers
            #expect(sent.map { text($0.body) } == ["cancelled draining"])
            #expect(sent.first?.closes == true)
        }
    }

    @Test("an operation is cancelled when its time is over, and the connection goes on")
    func timedOut() async throws {
        try await TestServer.run { server in
            let answers = try await server.connect { peer in
                try await peer.send(Self.get("/wait/briefly"))
                let first = try await peer.answer()
                try await peer.send(Self.get("/a"))
                return [first, try await peer.answer()]
            }
            #expect(answers.map { text($0.body) } == ["cancelled timedOut", "GET /a"])
        }
    }

    @Test(
        "RFC 9112 §9.3.2: requests that come during a wait are answered after it",
        arguments: [1, 1_000], [false, true])
    func pipelined(count: Int, isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            let (sent, hasSent) = AsyncStream.makeStream(of: Void.self)
            async let answers = server.connect { peer in
                defer { hasSent.finish() }
                try await peer.send(Self.get("/wait"))
                #expect(await server.heldRequests.first { _ in true } != nil)
                // Some one by one, the others as fast as they go: more than is read ahead.
                for number in 0..<min(3, count) { try await peer.send(Self.get("/\(number)")) }
                if count > 3 {
                    try await peer.send((3..<count).map { Self.get("/\($0)") }.joined())
                }
                hasSent.finish()
                var answers: [Answer] = []
                for _ in 0...count { answers.append(try await peer.answer()) }
                return answers
            }
            for await _ in sent {}
            // The server knows of them when it has answered another on the same loop.
            try await server.connect { peer in
                try await peer.send(Self.get("/a"))
                _ = try await peer.answer()
            }
            server.release()
            let bodies = try await answers.map { text($0.body) }
            #expect(bodies.first == "released finished")
            #expect(bodies.dropFirst() == ArraySlice((0..<count).map { "GET /\($0)" }))
        }
    }

    @Test("a peer that goes behind more than is read ahead is noticed", arguments: [false, true])
    func goneBehindMuch(isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            try await server.connect { peer in
                try await peer.send(Self.get("/wait"))
                #expect(await server.heldRequests.first { _ in true } != nil)
                try await peer.send((0..<1_000).map { Self.get("/\($0)") }.joined())
            }
            #expect(await server.ends.first { _ in true } == "cancelled peerGone")
        }
    }

    // MARK: Work

    /// Limits with which a peer is missed soon.
    private static var impatient: HTTP1.Limits {
        var limits = TestServer.limits
        limits.absentPeerMilliseconds = 50
        return limits
    }

    @Test("work is cancelled when its peer has left, however it left", arguments: Leaving.all)
    func workPeerGone(_ leaving: Leaving, isSecure: Bool) async throws {
        try await TestServer.run(limits: Self.impatient, isSecure: isSecure) { server in
            let rest = text(try await Self.leave(server, "/work", leaving))
            #expect(await server.ends.first { _ in true } == "cancelled peerGone")
            let stillReads = leaving == .finishes || leaving == .alerts
            #expect(rest.hasSuffix("\r\n\r\ncancelled peerGone") == stillReads)
        }
    }

    @Test(
        "RFC 9112 §9.6: a peer that has shut down its side gets what takes little time",
        arguments: [false, true])
    func workHalfClosed(isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            let rest = try await server.connect { peer in
                try await peer.send(Self.get("/work"))
                #expect(await server.heldRequests.first { _ in true } != nil)
                peer.finishSending()
                // The server knows of it when it has answered another on the same loop.
                try await server.connect { other in
                    try await other.send(Self.get("/a"))
                    _ = try await other.answer()
                }
                server.release()
                return text(try await peer.rest())
            }
            #expect(rest.hasSuffix("\r\n\r\nreleased finished"))
        }
    }

    @Test("work goes on while the server drains", arguments: [10_000, 50] as [UInt64])
    func workDraining(absentPeerMilliseconds: UInt64) async throws {
        var limits = TestServer.limits
        limits.absentPeerMilliseconds = absentPeerMilliseconds
        try await TestServer.run(limits: limits) { server in
            async let answers = server.connect { peer in
                try await peer.send(Self.get("/work"))
                return try await peer.answers()
            }
            #expect(await server.heldRequests.first { _ in true } != nil)
            server.drain(patience)
            #expect(try await server.refusesConnections())
            server.release()
            let sent = try await answers
            #expect(sent.map { text($0.body) } == ["released finished"])
        }
    }

    // MARK: Streams

    @Test("a stream whose next part takes long ends when its peer goes", arguments: Leaving.all)
    func partsPeerGone(_ leaving: Leaving, isSecure: Bool) async throws {
        try await TestServer.run(limits: Self.impatient, isSecure: isSecure) { server in
            let rest = text(try await Self.leave(server, "/busy/parts", leaving))
            #expect(await server.ends.first { _ in true } == "cancelled")
            #expect(!rest.contains("\r\n0\r\n\r\n"))
        }
    }

    @Test(
        "parts of a live stream go out as they come, and the connection goes on",
        arguments: [false, true])
    func parts(isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            async let message = server.connect { peer in
                try await peer.send(
                    Self.get("/live") + "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return text(try await peer.rest())
            }
            #expect(await server.heldRequests.first { _ in true } != nil)
            server.release()
            let sent = try await message
            #expect(sent.contains("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\nHTTP/1.1 200"))
            #expect(sent.hasSuffix("\r\n\r\nGET /a"))
        }
    }

    @Test("a stream that has nothing to send ends when its peer goes", arguments: Leaving.all)
    func streamsPeerGone(_ leaving: Leaving, isSecure: Bool) async throws {
        try await TestServer.run(isSecure: isSecure) { server in
            let rest = text(try await Self.leave(server, "/live", leaving))
            #expect(await server.ends.first { _ in true } == "cancelled")
            #expect(!rest.contains("\r\n0\r\n\r\n"))
        }
    }

    @Test("RFC 9112 §7.1: a live stream ends well when the server drains")
    func streamDraining() async throws {
        try await TestServer.run { server in
            async let message = server.connect { peer in
                try await peer.send(Self.get("/live"))
                return text(try await peer.rest())
            }
            #expect(await server.heldRequests.first { _ in true } != nil)
            server.drain(patience)
            let sent = try await message
            #expect(sent.hasSuffix("\r\n\r\n3\r\none\r\n0\r\n\r\n"))
            #expect(await server.ends.first { _ in true } == "cancelled")
        }
    }

    @Test(
        "RFC 9112 §8: a live stream that breaks off ends the connection, so that the peer can tell")
    func broken() async throws {
        try await TestServer.run { server in
            server.release()
            let message = try await server.connect { peer in
                try await peer.send(Self.get("/live/broken") + Self.get("/a"))
                return text(try await peer.rest())
            }
            #expect(message.hasSuffix("\r\n\r\n3\r\none\r\n"))
        }
    }

    @Test("a live stream that goes on although the server stops is cut off when its time is over")
    func stubborn() async throws {
        try await TestServer.run { server in
            async let message = server.connect { peer in
                try await peer.send(Self.get("/live/stubborn"))
                return text(try await peer.rest())
            }
            _ = try await server.exchange(Self.get("/a"))
            server.drain(100)
            let sent = try await message
            #expect(sent.contains("\r\nmore\r\n"))
            #expect(!sent.hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    @Test("RFC 9112 §6.1: HTTP/1.0 gets a live stream without chunks")
    func untilClose() async throws {
        try await TestServer.run { server in
            server.release()
            let message = try await server.connect { peer in
                try await peer.send(Self.get("/live", version: "1.0"))
                return text(try await peer.rest())
            }
            #expect(message.hasSuffix("\r\n\r\nonetwo"))
        }
    }
}
