// Whole exchanges over real sockets: what goes in on one connection, and which answers come out.
// The peer shuts down its sending side at once, so every one of these also shows that half-closed
// connections are served (RFC 9112 §9.6).

import Testing

@testable import HTTP1

/// Bytes on one connection and the answers to them.
struct Exchange: Sendable, CustomTestStringConvertible {
    struct Expected: Sendable, Equatable {
        var status: Int
        var body: String?
        var connection: String?
    }

    let rule: String
    let bytes: String
    let expected: [Expected]

    var testDescription: String { rule }

    init(_ rule: String, _ bytes: String, _ expected: Expected...) {
        self.rule = rule
        self.bytes = bytes
        self.expected = expected
    }

    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    static let persistence: [Exchange] = [
        Exchange("RFC 9112 §9.3: 1.1 stays open", next, .open("GET /next")),
        Exchange(
            "RFC 9112 §9.3.2: pipelined requests are answered in order",
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPUT /2 HTTP/1.1\r\nHost: a\r\n\r\n\(next)",
            .open("GET /1"), .open("PUT /2"), .open("GET /next")),
        Exchange(
            "RFC 9112 §9.3.2: pipelined requests with bodies are answered in order",
            post("/echo", "Content-Length: 3", "abc")
                + post(
                    "/echo", "Transfer-Encoding: chunked", "2\r\nde\r\n1\r\nf\r\n0\r\nX: y\r\n\r\n")
                + post("/echo", "Content-Length: 0", "") + next,
            .open("abc"), .open("def"), .open(""), .open("GET /next")),
        Exchange(
            "RFC 9112 §2.2: an empty line between requests is ignored",
            post("/echo", "Content-Length: 3", "abc") + "\r\n" + next,
            .open("abc"), .open("GET /next")),
        Exchange(
            "RFC 9112 §9.6: behind close nothing is processed",
            "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n\(next)", .closed("GET /1")),
        Exchange("RFC 9112 §9.3: 1.0 closes", "GET /1 HTTP/1.0\r\n\r\n\(next)", .closed("GET /1")),
        Exchange(
            "RFC 9112 §9.3: 1.0 stays open when it asks to be, and is told",
            "GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n\(next)",
            Expected(status: 200, body: "GET /1", connection: "keep-alive"), .open("GET /next")),
        Exchange(
            "RFC 9112 §6.1: a coding over 1.0 closes, and is decoded",
            "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1\r\na\r\n0\r\n\r\n\(next)", .closed("a")),
        Exchange(
            "the handler may close", "GET /close HTTP/1.1\r\nHost: a\r\n\r\n\(next)",
            .closed("bye")),
        Exchange(
            "RFC 9110 §6.4.1: 204 and 304 have no content, whatever the handler gives",
            "GET /empty HTTP/1.1\r\nHost: a\r\n\r\n"
                + "GET /unchanged HTTP/1.1\r\nHost: a\r\n\r\n\(next)",
            Expected(status: 204, body: ""), Expected(status: 304, body: ""), .open("GET /next")),
        Exchange(
            "RFC 9112 §3.2.2: absolute-form", "GET http://b/c HTTP/1.1\r\nHost: a\r\n\r\n",
            .open("GET /c")),
    ]

    static let refusals: [Exchange] = [
        Exchange(
            "RFC 9112 §2.2: the good request is answered, the bad one refused, no more processed",
            "\(next)GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n\(next)",
            .open("GET /next"), .refused(400)),
        Exchange("RFC 9112 §3.2: no Host", "GET / HTTP/1.1\r\n\r\n\(next)", .refused(400)),
        Exchange(
            "RFC 9112 §6.3: a bad length", post("/echo", "Content-Length: +3", "abc") + next,
            .refused(400)),
        Exchange(
            "RFC 9112 §6.1: a length and a coding",
            post("/echo", "Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n") + next,
            .refused(400)),
        Exchange(
            "RFC 9112 §6.1: an unknown coding",
            post("/echo", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n") + next, .refused(501)),
        Exchange(
            "RFC 9112 §7.1: a malformed chunk",
            post("/echo", "Transfer-Encoding: chunked", "3\nabc\r\n0\r\n\r\n") + next, .refused(400)
        ),
        Exchange(
            "RFC 9112 §7.1: a chunk size that would overflow",
            post("/echo", "Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n") + next,
            .refused(400)),
        Exchange(
            "RFC 9110 §15.5.14: chunks over the limit",
            post("/echo", "Transfer-Encoding: chunked", "3E9\r\n\(many("a", 1_001))\r\n0\r\n\r\n")
                + next, .refused(413)),
        Exchange(
            "RFC 9110 §10.1.1: another expectation",
            post("/echo", "Content-Length: 3\r\nExpect: x", "abc") + next, .refused(417)),
        Exchange(
            "RFC 9110 §9.1: no known method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", .refused(501)),
        Exchange(
            "RFC 9110 §15.6.6: other version", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", .refused(505)),
        Exchange("RFC 9112 §3: too long a target", "GET /\(many("a", 300_000))", .refused(414)),
        Exchange(
            "RFC 6585 §5: too large fields",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(many("a", 20_000))\r\n\r\n", .refused(431)),
        Exchange(
            "RFC 6585 §5: too many fields",
            "GET / HTTP/1.1\r\nHost: a\r\n\(many("X: a\r\n", 100))\r\n", .refused(431)),
    ]

    private static func many(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    /// A POST with `fields` and `body`.
    static func post(_ path: String, _ fields: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }
}

extension Exchange.Expected {
    static func open(_ body: String) -> Self { Self(status: 200, body: body) }
    static func closed(_ body: String) -> Self {
        Self(status: 200, body: body, connection: "close")
    }
    static func refused(_ status: Int) -> Self { Self(status: status, connection: "close") }
}

struct ServerExchangeTests {
    @Test(
        "an exchange comes to the answers of its rule",
        arguments: Exchange.persistence + Exchange.refusals)
    func exchange(_ exchange: Exchange) async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(exchange.bytes)
            #expect(answers.map(\.status) == exchange.expected.map(\.status))
            for (answer, expected) in zip(answers, exchange.expected) {
                #expect(answer["Connection"] == expected.connection)
                if let body = expected.body { #expect(text(answer.body) == body) }
            }
            for answer in answers { Self.checkCommonFields(answer) }
            #expect(Set(answers.map { $0["X-Request-Id"] }).count == answers.count)
        }
    }

    /// What every answer has, errors of the parser too.
    private static func checkCommonFields(_ answer: Answer) {
        // RFC 9110 §6.6.1, §8.6.
        let date = answer["Date"].flatMap { HTTPDate($0.utf8, now: HTTPDate(unixSeconds: 0)) }
        #expect(date != nil)
        #expect(answer["X-Request-Id"]?.count == 16)
        let hasLength = ![204, 304].contains(answer.status)
        #expect(answer["Content-Length"] == (hasLength ? String(answer.body.count) : nil))
        #expect(answer["Transfer-Encoding"] == nil)
    }

    @Test(
        "RFC 9110 §9.3.2: HEAD has GET's length and no content, large or small",
        arguments: [
            "/", "/large", "/ignore",
        ])
    func head(_ path: String) async throws {
        try await TestServer.run { server in
            let lines = " \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
            let answers = try await server.exchange(
                "HEAD\(lines)GET\(lines)HEAD\(lines)", heads: [0, 2])
            #expect(answers.map(\.status) == [200, 200, 200])
            let length = path == "/" ? "6" : answers[1]["Content-Length"]
            #expect(answers[0]["Content-Length"] == length)
            #expect(answers[2]["Content-Length"] == length)
        }
    }

    @Test(
        "RFC 9110 §9.3.2: a refused HEAD has no content either",
        arguments: [
            "HEAD / HTTP/1.1\r\n\r\n", "\r\nHEAD / HTTP/1.1\r\nHost: a b\r\n\r\n",
            "HEAD / HTTP/3.0\r\n", "HEAD /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func refusedHead(_ bytes: String) async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(bytes, heads: [0])
            #expect(answers.count == 1)
            #expect(answers.first?.closes == true)
            #expect(answers.first?["Content-Length"] != "0")
        }
    }

    @Test("a large answer arrives whole, and the next one behind it")
    func largeAnswer() async throws {
        try await TestServer.run { server in
            let answers = try await server.exchange(
                "GET /large HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answers.map(\.status) == [200, 200])
            #expect(answers.first?.body == TestServer.large)
        }
    }

    @Test(
        "RFC 9112 §2.2: cut into pieces on the wire, requests have the same answers",
        arguments: [1, 7, 40])
    func pieces(size: Int) async throws {
        let bytes = Array(
            (Exchange.post("/echo", "Content-Length: 5", "hello")
                + Exchange.post("/echo", "Transfer-Encoding: chunked", "2\r\nab\r\n0\r\n\r\n")
                + "GET /c HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
        try await TestServer.run { server in
            let answers = try await server.connect { peer in
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try await peer.send(Array(bytes[start..<min(start + size, bytes.count)]))
                    await Task.yield()
                }
                peer.finishSending()
                return try await peer.answers()
            }
            #expect(answers.map { text($0.body) } == ["hello", "ab", "GET /c"])
        }
    }

    @Test("forty connections with twenty requests each, on two loops")
    func manyConnections() async throws {
        try await TestServer.run(loopCount: 2) { server in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await server.connect { peer in
                            var count = 0
                            for round in 0..<20 {
                                let path = "/\(number)/\(round)"
                                try await peer.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                                let answer = try await peer.answer()
                                if text(answer.body) == "GET \(path)" { count += 1 }
                            }
                            return count
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == [Int](repeating: 20, count: 40))
        }
    }
}
