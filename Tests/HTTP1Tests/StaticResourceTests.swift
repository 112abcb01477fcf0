// Preconditions of a resource in memory (RFC 9110 §13): strong and weak comparison, lists, order.
// Answers are looked at as values; that HEAD has no content is the connection's rule.

import Testing

@testable import HTTP1

struct StaticResourceTests {
    private static let resource = StaticResource(
        Array("content".utf8), contentType: "text/plain", entityTag: "\"v1\"",
        fields: [
            ("Cache-Control", "no-cache"), ("Vary", "Accept"), ("expires", "0"), ("X-Own", "a"),
        ])

    private static func answer(_ fields: [String], method: String = "GET") throws -> Response {
        resource.respond(
            to: try Request(lines: ["\(method) / HTTP/1.1", "Host: a"] + fields))
    }

    @Test(
        "RFC 9110 §13.1.2: If-None-Match compares weakly",
        arguments: [
            ([], 200), (["\"v1\""], 304), (["W/\"v1\""], 304), (["*"], 304), (["\"v2\""], 200),
            (["\"v2\", \"v1\""], 304), (["\"v2\"", "W/\"v1\""], 304), (["\"a,\"v1\""], 200),
            (["\"a, b\", \"v1\""], 304), ([", ,\"v1\""], 304), (["v1"], 200), (["\"V1\""], 200),
            (["w/\"v1\""], 200), (["W/ \"v1\""], 200), ([""], 200), (["\"v1"], 200),
        ] as [([String], Int)])
    func ifNoneMatch(_ values: [String], _ status: Int) throws {
        let answer = try Self.answer(values.map { "If-None-Match: \($0)" })
        #expect(answer.status.code == status)
        #expect(text(answer.body) == (status == 200 ? "content" : ""))
    }

    @Test(
        "RFC 9110 §13.1.1: If-Match compares strongly",
        arguments: [
            ("\"v1\"", 200), ("*", 200), ("\"v2\", \"v1\"", 200), ("W/\"v1\"", 412),
            ("\"v2\"", 412),
            ("\"v2\", W/\"v1\"", 412), ("v1", 412), ("\"v1\"x", 412),
        ])
    func ifMatch(_ value: String, _ status: Int) throws {
        #expect(try Self.answer(["If-Match: \(value)"]).status.code == status)
    }

    @Test("RFC 9110 §13.2.2: If-Match is looked at before If-None-Match")
    func order() throws {
        let fails = try Self.answer(["If-None-Match: \"v1\"", "If-Match: \"v2\""])
        #expect(fails.status.code == 412)
        let passes = try Self.answer(["If-None-Match: \"v1\"", "If-Match: \"v1\""])
        #expect(passes.status.code == 304)
    }

    @Test("RFC 9110 §13.1.3: without a date to compare, date conditions are ignored")
    func dates() throws {
        let answer = try Self.answer([
            "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT",
            "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "Range: bytes=0-1",
        ])
        #expect(answer.status.code == 200)
    }

    @Test("RFC 9110 §15.4.5: 304 repeats ETag and what caches need, and nothing else")
    func notModifiedFields() throws {
        let full = try Self.answer([])
        #expect(
            text(full.fieldLines) == """
                Content-Type: text/plain\r\nCache-Control: no-cache\r\nVary: Accept\r\n\
                expires: 0\r\nX-Own: a\r\nETag: "v1"\r\n
                """)
        let short = try Self.answer(["If-None-Match: *"])
        #expect(
            text(short.fieldLines) == """
                Cache-Control: no-cache\r\nVary: Accept\r\nexpires: 0\r\nETag: "v1"\r\n
                """)
    }

    @Test("RFC 9110 §9.3.2: HEAD is answered as GET is; the connection leaves the content out")
    func head() throws {
        #expect(try Self.answer([], method: "HEAD").body == Self.answer([]).body)
        #expect(try Self.answer(["If-None-Match: \"v1\""], method: "HEAD").status.code == 304)
    }
}
