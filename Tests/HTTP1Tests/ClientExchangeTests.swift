// The program's client and the program's own server: whole and streamed, both ways, plain and under
// TLS.

import HTTPClient
import Sockets
import Synchronization
import TestClient
import Testing

@testable import HTTP1

struct ClientExchangeTests {
    /// Parts of a body that may break off.
    private static func parts(_ count: Int, breaks: Bool = false) -> ClientRequest.Body {
        .parts(
            AsyncThrowingStream<[UInt8], any Error> { continuation in
                for _ in 0..<count {
                    continuation.yield([UInt8](repeating: 0x61, count: 1_000))
                    continuation.yield([])
                }
                continuation.finish(throwing: breaks ? PeerError(text: "broken off") : nil)
            })
    }

    private static func request(
        _ method: ClientRequest.Method, _ server: TestServer, _ path: String
    ) -> ClientRequest {
        var request = ClientRequest(method, "http://127.0.0.1:\(server.port)\(path)")
        request.limitWaits(to: patience)
        return request
    }

    @Test("the program's client is answered by the program's server")
    func whole() async throws {
        try await TestServer.run { server in
            var post = Self.request(.post, server, "/echo")
            post.body = .bytes(Array("a=b".utf8))
            let echoed = try await Client.send(post)
            #expect(echoed.status == 200)
            #expect(text(echoed.body) == "a=b")
            // RFC 9110 §7.1: a fragment is no part of the target.
            let got = try await Client.send(Self.request(.get, server, "/a#b"))
            #expect(text(got.body) == "GET /a")
            #expect(got.head["content-type"] == "text/plain")
            let deleted = try await Client.send(Self.request(.delete, server, "/a"))
            #expect(text(deleted.body) == "DELETE /a")
            let refused = try await Client.send(Self.request(.get, server, "/\\"))
            #expect(refused.status == 400)
            let large = try await Client.send(Self.request(.get, server, "/large"))
            #expect(large.body == TestServer.large)
        }
    }

    @Test("a streamed answer is handed on part by part, with its head")
    func streamedAnswer() async throws {
        try await TestServer.run { server in
            let content = Mutex<[UInt8]>([])
            let head = try await Client.send(Self.request(.get, server, "/stream")) { head, part in
                #expect(head.status == 200)
                #expect(!part.isEmpty)
                content.withLock { $0 += part }
            }
            #expect(head["transfer-encoding"] == "chunked")
            #expect(content.withLock { text($0) } == "onetwothree")
            let trailed = try await Client.send(Self.request(.get, server, "/stream/trailers"))
            #expect(text(trailed.body) == "onetwothree")
            #expect(trailed.head.trailer("parts") == "3" && trailed.head["parts"] == nil)
        }
    }

    @Test(
        "RFC 9112 §8: a streamed answer that breaks off is an error",
        arguments: ["/stream/broken", "/stream/wrong"])
    func brokenAnswer(_ path: String) async throws {
        try await TestServer.run { server in
            await #expect(throws: ClientError.self) {
                try await Client.send(Self.request(.get, server, path))
            }
        }
    }

    @Test("what takes the parts can end the exchange")
    func refusingTaker() async throws {
        try await TestServer.run { server in
            let error = await #expect(throws: ClientError.self) {
                try await Client.send(Self.request(.get, server, "/large")) { _, _ in
                    throw PeerError(text: "no room")
                }
            }
            #expect(error?.description.contains("no room") == true)
        }
    }

    @Test("RFC 9110 §10.1.1: a streamed body follows when the server wants it")
    func streamedBody() async throws {
        try await TestServer.run { server in
            var post = Self.request(.post, server, "/parts")
            post.body = Self.parts(200)
            let answer = try await Client.send(post)
            #expect(text(answer.body) == "200000 true")
        }
    }

    @Test("a body that nobody wants is not sent, and the answer is read")
    func unwantedBody() async throws {
        try await TestServer.run { server in
            var post = Self.request(.post, server, "/close")
            post.body = Self.parts(100)
            let answer = try await Client.send(post)
            #expect(text(answer.body) == "bye")
        }
    }

    @Test("a body that the server refuses in the middle is answered")
    func refusedBody() async throws {
        try await TestServer.run { server in
            var post = Self.request(.post, server, "/parts")
            post.body = Self.parts(2_000)
            let answer = try await Client.send(post)
            #expect(answer.status == 413)
        }
    }

    @Test("RFC 9112 §8: a body that breaks off is an error here, and no body there")
    func brokenBody() async throws {
        try await TestServer.run { server in
            var post = Self.request(.post, server, "/parts")
            post.body = Self.parts(3, breaks: true)
            let error = await #expect(throws: ClientError.self) { try await Client.send(post) }
            #expect(error?.description.contains("broken off") == true)
        }
    }

    @Test("nobody listens: the client says so in a sentence")
    func nobodyListens() async throws {
        let port = try Listener(host: "127.0.0.1", port: 0, isShared: false).port
        let error = await #expect(throws: ClientError.self) {
            try await Client.send(ClientRequest(.get, "http://127.0.0.1:\(port)/"))
        }
        #expect(error?.description.contains("Connection refused") == true)
    }

    @Test("a server that says nothing is given up in time")
    func silence() async throws {
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: false)
        var request = ClientRequest(.get, "http://127.0.0.1:\(listener.port)/")
        request.limitWaits(to: 50)
        let error = await #expect(throws: ClientError.self) { try await Client.send(request) }
        #expect(error?.description.contains("in time") == true)
    }

    @Test("RFC 9110 §4.3.4: a server's certificate must be of a trusted authority, for its host")
    func secure() async throws {
        let certificate = try TestCertificate.shared.get()
        try await TestServer.run(isSecure: true) { server in
            var request = ClientRequest(
                .get, "https://127.0.0.1:\(server.port)/a", trusting: certificate.authority)
            request.limitWaits(to: patience)
            let answer = try await Client.send(request)
            #expect(text(answer.body) == "GET /a")
            request.authorities = nil
            let untrusted = await #expect(throws: ClientError.self) {
                try await Client.send(request)
            }
            #expect(untrusted?.description.contains("certificate") == true)
            // The certificate is for 127.0.0.1 alone.
            var other = ClientRequest(
                .get, "https://localhost:\(server.port)/a", trusting: certificate.authority)
            other.limitWaits(to: patience)
            await #expect(throws: ClientError.self) { try await Client.send(other) }
        }
    }

    @Test("authorities that can't be read are an error, and nobody is trusted instead")
    func unreadableAuthorities() async throws {
        try await TestServer.run(isSecure: true) { server in
            var request = ClientRequest(
                .get, "https://127.0.0.1:\(server.port)/a", trusting: Array("nothing".utf8))
            request.limitWaits(to: patience)
            await #expect(throws: ClientError.self) { try await Client.send(request) }
        }
    }
}
