// The program's own client: URLs taken apart, and answers split into status and body.
// Its exchanges with a live server are in `ServerLifeTests`.

import Testing

@testable import HTTP1

struct ClientTests {
    @Test(
        "RFC 9110 §4.2.1: an http URL is taken apart",
        arguments: [
            ("http://a.example", "a.example", 80, "a.example", "/"),
            ("http://a.example:8080/b?c", "a.example", 8080, "a.example:8080", "/b?c"),
            ("HTTP://A/", "A", 80, "A", "/"), ("http://a?c", "a", 80, "a", "/?c"),
            ("http://a:/b", "a", 80, "a:", "/b"),
            ("http://[::1]:81/b", "::1", 81, "[::1]:81", "/b"),
            ("http://[::1]", "::1", 80, "[::1]", "/"),
        ] as [(String, String, UInt16, String, String)])
    func place(
        _ url: String, _ host: String, _ port: UInt16, _ authority: String, _ target: String
    ) throws {
        let place = try Client.Place(url)
        #expect(place.host == host)
        #expect(place.port == port)
        #expect(place.authority == authority)
        #expect(place.target == target)
    }

    @Test(
        "what is no http URL is refused with a sentence",
        arguments: [
            "", "a.example", "https:/a.example", "ftp://a", "http://", "http:///b", "http://u@a/",
            "http://a:65536/", "http://a b/", "http://[::1/", "http://a:b/",
        ])
    func badPlace(_ url: String) {
        #expect(throws: ClientError.self) { try Client.Place(url) }
    }

    @Test(
        "an answer is split at its first empty line",
        arguments: [
            ("HTTP/1.1 200 OK\r\n\r\n", 200, ""),
            ("HTTP/1.1 404 Not\r\nA: b\r\n\r\nc\r\n\r\nd", 404, "c\r\n\r\nd"),
        ])
    func answer(_ response: String, _ status: Int, _ body: String) throws {
        let answer = try #require(Client.Answer(Array(response.utf8)))
        #expect(answer.status == status)
        #expect(text(answer.body) == body)
    }

    @Test(
        "what is no whole response is no answer",
        arguments: [
            "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 abc OK\r\n\r\n",
            "HTTP/2 200 OK\r\n\r\n",
            "HTTP/1.1 \r\n\r\n",
        ])
    func noAnswer(_ response: String) {
        #expect(Client.Answer(Array(response.utf8)) == nil)
    }
}
