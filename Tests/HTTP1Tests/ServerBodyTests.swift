// Bodies over real sockets: when `100 Continue` is sent, what is too large, what happens to bodies
// that are not read, and that a response survives a peer that is still sending.

import Gzip
import Testing

@testable import HTTP1

struct ServerBodyTests {
    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(
        "RFC 9110 §10.1.1: 100 comes before the body, and the connection goes on after it",
        arguments: [
            ("Content-Length: 3", "abc"), ("Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n"),
        ])
    func continues(_ framing: String, _ body: String) async throws {
        try await TestServer.run { server in
            let answers = try await server.connect { peer in
                try await peer.send(
                    Exchange.post("/echo", "\(framing)\r\nExpect: 100-continue", ""))
                let interim = try await peer.answer()
                try await peer.send(body)
                let final = try await peer.answer()
                try await peer.send(Self.next)
                return [interim, final, try await peer.answer()]
            }
            #expect(answers.map(\.status) == [100, 200, 200])
            #expect(text(answers[1].body) == "abc")
            #expect(!answers[1].closes)
        }
    }

    @Test(
        "RFC 9110 §10.1.1: 100 is left out when the body has come, and for HTTP/1.0",
        arguments: [
            Exchange.post("/echo", "Content-Length: 3\r\nExpect: 100-continue", "abc"),
            "POST /echo HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
        ])
    func noContinue(_ bytes: String) async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(bytes)
            #expect(answers.map(\.status) == [200])
            #expect(answers.map { text($0.body) } == ["abc"])
        }
    }

    @Test(
        "RFC 9110 §10.1.1: a body that is not wanted is refused at once, and the connection closes",
        arguments: [("/echo", 1_000_000, 413), ("/echo", 1_001, 413), ("/ignore", 3, 200)])
    func refusedExpectation(_ path: String, _ length: Int, _ status: Int) async throws {
        try await TestServer.run { server in
            let answers = try await server.connect { peer in
                try await peer.send(
                    Exchange.post(path, "Content-Length: \(length)\r\nExpect: 100-continue", ""))
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == [status])
            #expect(answers.first?.closes == true)
        }
    }

    @Test("RFC 9110 §15.5.14: a length over the limit is refused before the body comes")
    func lengthOverLimit() async throws {
        try await TestServer.run { server in
            let answers = try await server.connect { peer in
                try await peer.send(
                    Exchange.post("/echo", "Content-Length: 9223372036854775807", ""))
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == [413])
            #expect(answers.first?.closes == true)
        }
    }

    @Test(
        "RFC 9112 §9.6: the refusal is readable although the peer sends all of its body first",
        arguments: ["/echo", "/ignore"])
    func lingers(_ path: String) async throws {
        let body = [UInt8](repeating: 0x61, count: 600_000)
        try await TestServer.run { server in
            let answers = try await server.connect { peer in
                try await peer.send(Exchange.post(path, "Content-Length: \(body.count)", ""))
                try await peer.send(body)
                try await peer.send(Self.next)
                return try await peer.answers()
            }
            #expect(answers.map(\.status) == [path == "/echo" ? 413 : 200])
            #expect(answers.first?.closes == true)
        }
    }

    @Test(
        "RFC 9112 §9.3: a small body that nobody reads is skipped, and the next request answered",
        arguments: [("/ignore", 3, 200), ("/ignore", 65_536, 200), ("/echo", 1_001, 413)])
    func skipped(_ path: String, _ length: Int, _ status: Int) async throws {
        let body = String(repeating: "G", count: length)
        try await TestServer.run { server in
            let answers = try await server.exchange(
                Exchange.post(path, "Content-Length: \(length)", body) + Self.next)
            #expect(answers.map(\.status) == [status, 200])
            #expect(answers.last.map { text($0.body) } == "GET /next")
        }
    }

    @Test(
        "RFC 9112 §9.3: where an unread body can't be skipped the connection closes",
        arguments: [
            Exchange.post(
                "/ignore", "Content-Length: 65537", String(repeating: "G", count: 65_537)),
            Exchange.post("/ignore", "Transfer-Encoding: chunked", "1\r\na\r\n0\r\n\r\n"),
        ])
    func notSkipped(_ bytes: String) async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(bytes + Self.next)
            #expect(answers.map(\.status) == [200])
            #expect(answers.first?.closes == true)
        }
    }

    @Test(
        "RFC 9112 §8: a body that ends too soon is not taken for a whole one",
        arguments: [
            Exchange.post("/echo", "Content-Length: 5", "abc"),
            Exchange.post("/echo", "Transfer-Encoding: chunked", "3\r\nabc\r\n"),
        ])
    func shortBody(_ bytes: String) async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(bytes)
            #expect(answers.map { text($0.body) } == ["gone"])
            #expect(answers.first?.closes == true)
        }
    }

    @Test(
        "a body of exactly the limit is taken, by length and in chunks",
        arguments: [
            ("Content-Length: 1000", "\(String(repeating: "a", count: 1_000))"),
            (
                "Transfer-Encoding: chunked",
                "3E8\r\n\(String(repeating: "a", count: 1_000))\r\n0\r\n\r\n"
            ),
        ])
    func exactLimit(_ framing: String, _ body: String) async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(Exchange.post("/echo", framing, body))
            #expect(answers.map(\.status) == [200])
            #expect(answers.first?.body.count == TestHandler.bodyLimit)
        }
    }

    // MARK: Content codings

    /// `hello`, as gzip -9n writes it.
    private static let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86,
        0xA6, 0x10, 0x36, 0x05, 0, 0, 0,
    ]

    private static func answers(
        coding: String, _ body: [UInt8], _ path: String = "/echo"
    ) async throws -> [Answer] {
        let head = Exchange.post(
            path, "Content-Length: \(body.count)\r\nContent-Encoding: \(coding)", "")
        var answers: [Answer] = []
        try await TestServer.run { server in
            answers = try await server.connect { peer in
                try await peer.send(Array(head.utf8) + body + Array(next.utf8))
                peer.finishSending()
                return try await peer.answers()
            }
        }
        return answers
    }

    @Test(
        "RFC 9110 §8.4.1: a gzip body is inflated",
        arguments: ["gzip", "x-gzip", "GZIP", "identity, gzip"])
    func inflated(coding: String) async throws {
        let answers = try await Self.answers(coding: coding, Self.hello)
        #expect(answers.map(\.status) == [200, 200])
        #expect(answers.first.map { text($0.body) } == "hello")
    }

    @Test(
        "RFC 9110 §15.5.16: other codings are refused, with those that are known",
        arguments: ["br", "gzip, gzip", "deflate", "gzipx"])
    func unknownCoding(coding: String) async throws {
        let answers = try await Self.answers(coding: coding, Self.hello)
        #expect(answers.first?.status == 415)
        #expect(answers.first?["Accept-Encoding"] == "gzip")
    }

    @Test(
        "a body that is no gzip, or ends too soon, is refused",
        arguments: [Array("hello".utf8), Array(hello.dropLast()), hello + [0]])
    func malformedGzip(body: [UInt8]) async throws {
        let answers = try await Self.answers(coding: "gzip", body)
        #expect(answers.map(\.status) == [400])
        #expect(answers.first?.closes == true)
    }

    @Test("a body that inflates to more than is wanted is refused", arguments: ["/echo", "/parts"])
    func bomb(path: String) async throws {
        let zeros = [UInt8](repeating: 0, count: 8_000_000)
        let bomb = try #require(Gzip.compress(zeros, level: 9))
        let answers = try await Self.answers(coding: "gzip", bomb, path)
        #expect(answers.first?.status == 413)
        // Before it is begun, a small body can be skipped as it is.
        #expect(answers.count == (path == "/echo" ? 2 : 1))
    }

    @Test("a body whose coding nobody asks for is skipped as it is")
    func skippedCoding() async throws {
        let answers = try await Self.answers(coding: "br", Self.hello, "/ignore")
        #expect(answers.map { text($0.body) } == ["ignored", "GET /next"])
    }
}
