// Where requests come from, as the server sees it: directly, through trusted proxies, behind a PROXY
// header. The grammars of the fields and the header are tested with their parsers.

import Sockets
import Testing

@testable import HTTP1

struct ServerOriginTests {
    private static func settings(trusting blocks: [String]) -> ServerSettings {
        ServerSettings(
            limits: TestServer.limits, trustedProxies: blocks.compactMap { AddressBlock($0) })
    }

    private static func get(_ fields: String) -> String {
        "GET /origin HTTP/1.1\r\nHost: inner\r\n\(fields)\r\n\r\n"
    }

    private static let fields = "Forwarded: for=192.0.2.7;proto=https;host=outer.example"

    @Test("RFC 7239 §4: a trusted proxy's word on client, scheme and host is taken")
    func trusted() async throws {
        try await TestServer.run(settings: Self.settings(trusting: ["127.0.0.0/8"])) { server in
            let answers = try await server.exchange(Self.get(Self.fields))
            #expect(answers.map { text($0.body) } == ["192.0.2.7:0 true outer.example"])
        }
    }

    @Test("RFC 7239 §8.1: nobody else's is")
    func untrusted() async throws {
        try await TestServer.run(settings: Self.settings(trusting: ["10.0.0.0/8"])) { server in
            let answers = try await server.exchange(Self.get(Self.fields))
            let line = try #require(answers.first.map { text($0.body) })
            #expect(line.hasPrefix("127.0.0.1:"))
            #expect(line.hasSuffix(" false inner"))
        }
    }

    @Test("a request id is taken over from a trusted proxy, where it can be sent back")
    func requestID() async throws {
        let ids = ["abc-1", "two words", "", String(repeating: "a", count: 129)]
        try await TestServer.run(settings: Self.settings(trusting: ["127.0.0.1"])) { server in
            let answers = try await server.exchange(
                ids.map { Self.get("X-Request-Id: \($0)") }.joined() + Self.get("X-Own: a"))
            #expect(answers[0]["X-Request-Id"] == "abc-1")
            #expect(answers.dropFirst().allSatisfy { $0["X-Request-Id"]?.count == 16 })
        }
        try await TestServer.run { server in
            let answers = try await server.exchange(Self.get("X-Request-Id: abc-1"))
            #expect(answers.first?["X-Request-Id"]?.count == 16)
        }
    }

    @Test(
        "RFC 9110 §7.4: a target of another scheme is not answered here",
        arguments: [("https://inner/origin", 421), ("http://inner/origin", 200)])
    func otherScheme(_ target: String, _ status: Int) async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(
                "GET \(target) HTTP/1.1\r\nHost: inner\r\n\r\n")
            #expect(answers.map(\.status) == [status])
        }
    }

    @Test(
        "a PROXY header names the client, however it is cut, and requests follow it",
        arguments: [1, 5, 16, 200])
    func proxyHeader(step: Int) async throws {
        let message = "PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\r\n" + Self.get("X: a")
        try await TestServer.run(expectsProxyHeader: true) { server in
            let answers = try await server.connect { peer in
                var rest = Array(message.utf8)[...]
                while !rest.isEmpty {
                    try await peer.send(Array(rest.prefix(step)))
                    rest = rest.dropFirst(step)
                }
                peer.finishSending()
                return try await peer.answers()
            }
            #expect(answers.map { text($0.body) } == ["192.0.2.7:4711 false inner"])
        }
    }

    @Test(
        "where a PROXY header is due, a connection without one is closed without an answer",
        arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "PROXY TCP4 x", ""])
    func noProxyHeader(_ bytes: String) async throws {
        try await TestServer.run(expectsProxyHeader: true) { server in
            let answer = try await server.connect { peer in
                try await peer.send(bytes)
                peer.finishSending()
                // What is not read before a close makes the kernel reset the connection.
                return (try? await peer.rest()) ?? []
            }
            #expect(answer == [])
            let event = await server.events.first { _ in true }
            guard case .proxyHeaderMissing = event else {
                Issue.record("told: \(String(describing: event))")
                return
            }
        }
    }

    @Test("what a response took is told where that is asked for")
    func serverTiming() async throws {
        let settings = ServerSettings(limits: TestServer.limits, sendsServerTiming: true)
        try await TestServer.run(settings: settings) { server in
            let answers = try await server.exchange("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            let value = try #require(answers.first?["Server-Timing"])
            #expect(value.hasPrefix("total;dur="))
            #expect((Double(value.dropFirst("total;dur=".count)) ?? 0) >= 100)
        }
    }

    @Test(
        "a request whose head was never complete gets no Server-Timing",
        arguments: ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n\u{1}\r\n"])
    func timingOfRefused(_ bytes: String) async throws {
        let settings = ServerSettings(limits: TestServer.limits, sendsServerTiming: true)
        try await TestServer.run(settings: settings) { server in
            let refusal = try #require(try await server.exchange(bytes).last)
            #expect(refusal.status == 400)
            #expect(refusal["Server-Timing"] == nil)
        }
    }
}
