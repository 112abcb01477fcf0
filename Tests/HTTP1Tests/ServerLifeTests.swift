// Deadlines, draining and starting: how connections and servers end. Times are only bounded from
// below; what must come is waited for with patience.

import Sockets
import TestClient
import Testing

@testable import HTTP1

struct ServerLifeTests {
    private static var hasty: HTTP1.Limits {
        var limits = TestServer.limits
        limits.headMilliseconds = 300
        limits.idleMilliseconds = 300
        limits.bodyPauseMilliseconds = 300
        return limits
    }

    @Test(
        "RFC 9110 §15.5.9: what does not arrive in time is answered with 408, and closed",
        arguments: [
            "G", "\r\nG", "GET / HTTP/1.1\r\nHost", "GET / HTTP/1.1\r\nHost: a\r\n",
            Exchange.post("/echo", "Content-Length: 3", "ab"),
            Exchange.post("/echo", "Transfer-Encoding: chunked", "3\r\nab"),
        ])
    func deadline(_ bytes: String) async throws {
        try await TestServer.run(limits: Self.hasty) { server in
            let answers = try await server.connect { peer in
                try await peer.send(bytes)
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == [408])
            #expect(answers.first?.closes == true)
        }
    }

    @Test("a head that drips in is cut off at the same deadline")
    func drip() async throws {
        try await TestServer.run(limits: Self.hasty) { server in
            let answers = try await server.connect { peer in
                for _ in 0..<20 {
                    try await peer.send("G")
                    try await Task.sleep(for: .milliseconds(80))
                }
                peer.finishSending()
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == [408])
        }
    }

    @Test(
        "RFC 9112 §9.5: an idle connection is closed without a word, also after empty lines (§2.2)",
        arguments: [
            ("", []), ("\r\n", []), ("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", [200]),
            (Exchange.post("/echo", "Content-Length: 2", "ab\r\n"), [200]),
        ])
    func idle(_ bytes: String, statuses: [Int]) async throws {
        try await TestServer.run(limits: Self.hasty) { server in
            let answers = try await server.connect { peer in
                try await peer.send(bytes)
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == statuses)
            #expect(answers.allSatisfy { !$0.closes })
        }
    }

    @Test(
        "a drain finishes what is in flight, closes what is idle, refuses what is new, and returns",
        arguments: [1, 2])
    func drain(loopCount: Int) async throws {
        try await TestServer.run(loopCount: loopCount) { server in
            let (idleAnswers, idleAnswer) = AsyncStream.makeStream(of: Bool.self)
            async let idle = server.connect { peer in
                try await peer.send("GET /idle HTTP/1.1\r\nHost: a\r\n\r\n")
                idleAnswer.yield(try await peer.answer().closes)
                return try await peer.rest()
            }
            #expect(await idleAnswers.first { _ in true } == false)
            async let inFlight = server.connect { peer in
                try await peer.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
                return try await peer.answers()
            }
            #expect(await server.heldRequests.first { _ in true } != nil)
            server.drain(patience)
            #expect(try await idle == [])
            #expect(try await server.refusesConnections())
            server.release()
            let answers = try await inFlight
            #expect(answers.map { text($0.body) } == ["held"])
            #expect(answers.first?.closes == true)
        }
    }

    @Test("who has just connected is answered although the server drains, and then closed")
    func newcomer() async throws {
        try await TestServer.run { server in
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let (drains, drained) = AsyncStream.makeStream(of: Void.self)
            async let answers = server.connect { peer in
                arrival.finish()
                for await _ in drains {}
                try await peer.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                return try await peer.answers()
            }
            for await _ in arrivals {}
            _ = try await server.exchange("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            server.drain(patience)
            drained.finish()
            #expect(try await answers.map { text($0.body) } == ["GET /a"])
            #expect(try await answers.first?.closes == true)
        }
    }

    @Test("a drain ends in time, whatever a peer does or does not")
    func drainLimit() async throws {
        try await TestServer.run { server in
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            async let stuck = server.connect { peer in
                try await peer.send(Exchange.post("/echo", "Content-Length: 5", "ab"))
                arrival.finish()
                return try await peer.rest()
            }
            for await _ in arrivals {}
            // The server knows of the request when it has answered another on the same loop.
            _ = try await server.exchange("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            server.drain(200)
            #expect(try await server.refusesConnections())
            _ = try await stuck
        }
    }

    @Test("a half-closed connection is answered before it ends, even by a slow handler")
    func halfClosed() async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(
                "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answers.map { text($0.body) } == ["slow", "GET /b"])
        }
    }
}
