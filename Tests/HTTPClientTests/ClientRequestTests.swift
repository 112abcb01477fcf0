// The field lines of a request.

import Testing

@testable import HTTPClient

struct ClientRequestTests {
    @Test("RFC 9110 §5.5: no value can end its line, and libcurl adds no field of its own")
    func lines() throws {
        var request = ClientRequest(
            .post, "http://a:81/b", fields: [("X-A", "b\r\nc: d"), ("X-B", " ")])
        request.body = .bytes([1, 2, 3])
        #expect(
            request.lines(for: try RequestPlace(request.url)) == [
                "Host: a:81", "Connection: close", "User-Agent: landfall", "X-A: b??c: d", "X-B;",
                "Accept:", "Content-Type:", "Expect:",
            ])
    }

    @Test("RFC 9110 §5.5: a tab in a value stays, and a value of blanks alone is empty")
    func tabs() throws {
        let request = ClientRequest(
            .get, "http://a/", fields: [("X-A", "b\tc"), ("X-B", " \t")])
        let lines = request.lines(for: try RequestPlace(request.url))
        #expect(lines.contains("X-A: b\tc") && lines.contains("X-B;"))
    }

    @Test func aRequestHasOneUserAgent() throws {
        let request = ClientRequest(.get, "http://a/", fields: [("user-agent", "theirs")])
        #expect(
            request.lines(for: try RequestPlace(request.url))
                == [
                    "Host: a", "Connection: close", "user-agent: theirs", "Accept:",
                    "Content-Type:", "Expect:",
                ])
    }

    @Test("RFC 9110 §10.1.1: a body in parts waits until the server wants it")
    func streamed() throws {
        var request = ClientRequest(.post, "http://a/", fields: [("accept", "b")])
        request.body = .parts(AsyncThrowingStream { $0.finish() })
        let lines = request.lines(for: try RequestPlace(request.url))
        #expect(lines.suffix(2) == ["Transfer-Encoding: chunked", "Expect: 100-continue"])
        #expect(!lines.contains("Accept:"))
    }
}
