// Who gets a page and who gets JSON.
// Invariant: expectations are RFC 9110 §12.5.1's, and what browsers and libraries really send.

import HTTP1
import ResultAPI
import Testing

@testable import Problems

@Suite("Accept")
struct AcceptedTypesTests {
    private static let browser =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15"
    private static let chromium =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"

    private static func request(_ accept: String?, from agent: String?) throws -> Request {
        let fields =
            (accept.map { "Accept: \($0)\r\n" } ?? "")
            + (agent.map { "User-Agent: \($0)\r\n" } ?? "")
        return try #require(Request(Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8)))
    }

    @Test(
        "gives a page to browsers, and to who takes nothing else",
        arguments: [
            (chromium, browser, true), ("text/html", browser, true), ("text/html", "curl/8", true),
            ("text/*", nil, true), ("text/html, application/json;q=0", "curl/8", true),
            ("text/html, application/json;q=0.9", browser, true),
            (chromium, "curl/8", false), (chromium, nil, false), ("*/*", browser, false),
            ("*/*", "curl/8", false), (nil, browser, false), (nil, nil, false),
            ("text/html, application/json", browser, false),
            ("text/html;q=0.5, application/json", browser, false),
            ("text/html;q=0, */*", browser, false),
            ("application/json, text/plain, */*", browser, false),
            ("text/html, application/json;q=0.1", "okhttp/4.12", false),
            ("TEXT/HTML ; Q=1.0", "MOZILLA/4.0", true),
        ] as [(String?, String?, Bool)])
    func pages(accept: String?, agent: String?, isPage: Bool) throws {
        #expect(try Self.request(accept, from: agent).acceptsPages == isPage)
    }

    @Test(
        "weighs by the most specific range, in any order",
        arguments: [
            ("text/*;q=0.3, text/html;q=0.7, */*;q=0.5", "text/html", 700),
            ("*/*;q=0.5, text/*;q=0.3", "text/plain", 300), ("*/*;q=0.5", "a/b", 500),
            ("a/b;v=1;q=0.25", "a/b", 250), ("a/b;q=1.001", "a/b", 1000), ("a/b;q=x", "a/b", 1000),
            ("a/b;q=0.1234", "a/b", 1000), ("a/b;q=", "a/b", 1000), ("a/b;q=0.", "a/b", 0),
            ("a/c", "a/b", nil), ("", "a/b", nil), (",;,", "a/b", nil), ("a/*", "ab/b", nil),
        ] as [(String, String, Int?)])
    func weights(accept: String, type: String, weight: Int?) {
        let match = AcceptedTypes([Array(accept.utf8)[...]]).match(type)
        #expect(match?.weight == weight)
    }

    @Test(
        "considers the first 100 ranges, on one line or on several",
        arguments: [(99, 700), (100, nil)] as [(count: Int, weight: Int?)], [1, 9, 200])
    func manyRanges(before: (count: Int, weight: Int?), perLine: Int) {
        let ranges = Array(repeating: "a/b;v=;q=0.5", count: before.count) + ["c/d ; Q=0.7"]
        let lines = stride(from: 0, to: ranges.count, by: perLine).map { start in
            Array(ranges[start...].prefix(perLine).joined(separator: ",").utf8)[...]
        }
        #expect(AcceptedTypes(lines).match("a/b")?.weight == 500)
        #expect(AcceptedTypes(lines).match("c/d")?.weight == before.weight)
    }

    @Test(
        "gives no form of results that is refused",
        arguments: [
            ("text/plain", ResultForm.table), ("text/plain;q=0", .json),
            ("application/x-ndjson;q=0", .json), ("application/json;q=0, text/plain", .table),
            ("*/*;q=0", .json), ("text/plain;q=0, application/x-ndjson;q=0.1", .lines),
        ])
    func forms(accept: String, form: ResultForm) throws {
        #expect(try ResultForm(Self.request(accept, from: nil)) == form)
    }
}
