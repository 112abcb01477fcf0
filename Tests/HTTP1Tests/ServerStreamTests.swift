// Content that is made while it is sent, and bodies that are read part by part.

import Testing

@testable import HTTP1

struct ServerStreamTests {
    private static func get(_ path: String, version: String = "1.1") -> String {
        "GET \(path) HTTP/\(version)\r\nHost: a\r\n\r\n"
    }

    @Test("RFC 9112 §7.1: content of unknown length goes out in chunks, empty parts left out")
    func chunked() async throws {
        try await TestServer.run { server in
            let bytes = try await server.connect { peer in
                try await peer.send(Self.get("/stream"))
                peer.finishSending()
                return try await peer.rest()
            }
            let message = text(bytes)
            #expect(message.contains("Transfer-Encoding: chunked\r\n"))
            #expect(!message.contains("Content-Length"))
            #expect(
                message.hasSuffix("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n"))
        }
    }

    @Test("RFC 9112 §7.1.2: trailers follow the last chunk, and HTTP/1.0 gets none")
    func trailers() async throws {
        try await TestServer.run { server in
            for (version, end) in [
                ("1.1", "three\r\n0\r\nParts: 3\r\nEnd: yes\r\n\r\n"), ("1.0", "three"),
            ] {
                let bytes = try await server.connect { peer in
                    try await peer.send(Self.get("/stream/trailers", version: version))
                    peer.finishSending()
                    return try await peer.rest()
                }
                #expect(text(bytes).hasSuffix(end))
            }
        }
    }

    @Test("RFC 9112 §6.1: HTTP/1.0 gets no chunks; the end of the connection ends the content")
    func untilClose() async throws {
        try await TestServer.run { server in
            let message = try await server.connect { peer in
                try await peer.send(Self.get("/stream", version: "1.0"))
                return text(try await peer.rest())
            }
            #expect(!message.contains("Transfer-Encoding"))
            #expect(!message.contains("Content-Length"))
            #expect(message.contains("Connection: close\r\n"))
            #expect(message.hasSuffix("\r\n\r\nonetwothree"))
        }
    }

    @Test("a stream of known length is sent with it, and the connection goes on")
    func knownLength() async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(
                Self.get("/stream/known") + Self.get("/next"))
            #expect(answers.map { text($0.body) } == ["onetwothree", "GET /next"])
            #expect(answers.first?["Content-Length"] == "11")
        }
    }

    @Test(
        "RFC 9112 §8: content that breaks off ends the connection, so that the peer can tell",
        arguments: ["/stream/broken", "/stream/wrong"])
    func broken(_ path: String) async throws {
        try await TestServer.run { server in
            let message = try await server.connect { peer in
                try await peer.send(Self.get(path) + Self.get("/next"))
                return text(try await peer.rest())
            }
            #expect(message.contains("two"))
            #expect(!message.contains("\r\n0\r\n\r\n"))
            #expect(!message.contains("GET /next"))
        }
    }

    @Test("RFC 9110 §9.3.2: HEAD of a stream has GET's fields, and nothing is made")
    func head() async throws {
        try await TestServer.run { server in
            let message = try await server.connect { peer in
                try await peer.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                peer.finishSending()
                return text(try await peer.rest())
            }
            #expect(message.contains("Transfer-Encoding: chunked\r\n"))
            #expect(message.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(
        "a body is read part by part, none larger than its room",
        arguments: ["Content-Length: 300000", "Transfer-Encoding: chunked"])
    func parts(_ framing: String) async throws {
        let data = String(repeating: "a", count: 300_000)
        let body = framing.hasPrefix("C") ? data : "493E0\r\n\(data)\r\n0\r\n\r\n"
        try await TestServer.run { server in
            let answers = try await server.exchange(
                Exchange.post("/parts", framing, body) + Self.get("/next"))
            #expect(answers.map { text($0.body) } == ["300000 true", "GET /next"])
        }
    }

    @Test("an error in the middle of a body that is read part by part is told, and ends it")
    func brokenParts() async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(
                Exchange.post(
                    "/parts", "Transfer-Encoding: chunked", "3\r\nabc\r\nxyz\r\n") + Self.get("/a"))
            #expect(answers.map(\.status) == [400])
            #expect(answers.first?.closes == true)
        }
    }

    @Test("RFC 9110 §12.5.3: content is compressed for who accepts it, and says what it depends on")
    func compressed() async throws {
        try await TestServer.run { server in
            let plain = "GET /compressible HTTP/1.1\r\nHost: a\r\n"
            let answers = try await server.exchange(
                plain + "\r\n" + plain + "Accept-Encoding: br, gzip\r\n\r\n" + plain
                    + "Accept-Encoding: xgzip, gzip;q=0\r\n\r\n")
            #expect(answers.map { $0["Vary"] } == Array(repeating: "Accept-Encoding", count: 3))
            #expect(answers.map { $0["Content-Encoding"] } == [nil, "gzip", nil])
            #expect(answers[0].body == TestServer.large)
            #expect(answers[1].body.count < 2_000)
            #expect(answers[1].body.starts(with: [0x1F, 0x8B]))
            #expect(answers[2].body == TestServer.large)
        }
    }

    @Test("RFC 9110 §15.4.5: 304 has the Vary of the compressed content")
    func unchanged() async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(
                "GET /compressible HTTP/1.1\r\nHost: a\r\nIf-None-Match: W/\"v1\"\r\n\r\n")
            #expect(answers.map(\.status) == [304])
            #expect(answers.first?["Vary"] == "Accept-Encoding")
            #expect(answers.first?["ETag"] == "W/\"v1\"")
        }
    }

    @Test("a large file arrives whole and in parts, and the connection goes on")
    func file() async throws {
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) }
        let range = "GET /file HTTP/1.1\r\nHost: a\r\nRange: bytes=100-199999\r\n\r\n"
        try await TestServer.run { server in
            let answers = try await server.exchange(
                Self.get("/file") + range + Self.get("/file") + Self.get("/next"))
            #expect(answers.map(\.status) == [200, 206, 200, 200])
            #expect(answers[0].body == content)
            #expect(answers[1].body == Array(content[100..<200_000]))
            #expect(answers[2].body == content)
        }
    }
}
