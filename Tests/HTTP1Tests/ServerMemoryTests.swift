// Bodies that stall, over real sockets: what they hold is bounded, and others are served.

import Sockets
import TestClient
import Testing

@testable import HTTP1

struct ServerMemoryTests {
    /// Limits of which a few small and one large body take everything.
    private static var tight: HTTP1.Limits {
        var limits = TestServer.limits
        limits.smallMemoryBytes = 300_000
        limits.bodyMemoryBytes = 250_000
        limits.hurriedMilliseconds = 300
        limits.lingerMilliseconds = 100
        return limits
    }

    /// A body that lacks its last byte.
    private static func stalled(_ size: Int) -> [UInt8] {
        Array(Exchange.post("/large/echo", "Content-Length: \(size)", "").utf8)
            + [UInt8](repeating: 0x61, count: size - 1)
    }

    @Test("a body that came fast gets no more than the pause for its last byte")
    func pause() async throws {
        var limits = TestServer.limits
        limits.bodyPauseMilliseconds = 300
        try await TestServer.run(limits: limits) { server in
            let answers = try await server.connect { peer in
                try await peer.send(Self.stalled(900_000))
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == [408])
        }
    }

    @Test("a stalled large body makes way for others, and those that find no memory get 503")
    func largeBodies() async throws {
        try await TestServer.run(limits: Self.tight) { server in
            let statuses = try await withThrowingTaskGroup(of: Answer?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await server.connect { peer in
                            try await peer.send(Self.stalled(200_000))
                            return try await peer.answers().first
                        }
                    }
                }
                return try await group.reduce(into: [Answer?]()) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { [408, 503].contains($0?.status) })
            #expect(statuses.contains { $0?.status == 408 })
            for case let answer? in statuses where answer.status == 503 {
                #expect(answer["Retry-After"] == "5" && answer.closes)
            }
            let whole = try await server.connect { peer in
                try await peer.send(
                    Exchange.post(
                        "/large/echo", "Content-Length: 200000",
                        String(repeating: "a", count: 200_000)))
                return try await peer.answer()
            }
            #expect(whole.status == 200 && whole.body.count == 200_000)
        }
    }

    @Test("unfinished small bodies are bounded together, and whole requests are served meanwhile")
    func smallBodies() async throws {
        var limits = Self.tight
        limits.hurriedMilliseconds = 2_000
        try await TestServer.run(limits: limits) { server in
            let (begun, hasBegun) = AsyncStream.makeStream(of: Int.self)
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await server.connect { peer in
                            try await peer.send(Self.stalled(60_000))
                            hasBegun.yield(number)
                            return try await peer.answers().first?.status
                        }
                    }
                }
                for await number in begun where number >= 0 { break }
                let answers = try await server.exchange(
                    Exchange.post("/echo", "Content-Length: 3", "abc"))
                #expect(answers.map(\.status) == [200])
                return try await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(statuses.contains(503))
            #expect(statuses.allSatisfy { [408, 503].contains($0) })
        }
    }

    @Test("a large response that its peer doesn't read leaves no memory for another such one")
    func unreadResponses() async throws {
        var limits = Self.tight
        limits.hurriedMilliseconds = patience
        try await TestServer.run(limits: limits) { server in
            let request = "GET /huge HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            try await server.connect { first in
                try await first.send(request)
                // The only loop has sent the head, and what of the content the kernel takes.
                _ = try await first.answer(toHead: true)
                let second = try await server.connect { peer in
                    try await peer.send(request)
                    // The loop serves this connection after the one before.
                    _ = try await server.exchange("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
                    return try await peer.rest().count
                }
                #expect(second < TestServer.huge.count)
                let rest = try await first.rest().count
                #expect(rest == TestServer.huge.count)
            }
        }
    }

    @Test("a long head that stalls is refused when there is no memory for it")
    func heads() async throws {
        try await TestServer.run(limits: Self.tight) { server in
            let answers = try await server.connect { peer in
                try await peer.send(
                    "GET /" + String(repeating: "a", count: 200_000))
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == [503])
        }
    }
}
