// The program's own client: URLs taken apart, and heads put together. What it reads is in
// `AnswerReaderTests`, its exchanges with a live server in `ClientExchangeTests`.

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
        "RFC 6761 §6.3: names below localhost are asked of no name server",
        arguments: [
            ("http://a.localhost/", "127.0.0.1"), ("http://b.A.LocalHost:81/x", "127.0.0.1"),
            ("http://localhost/", "localhost"), ("http://alocalhost/", "alocalhost"),
            ("http://a.localhost.example/", "a.localhost.example"),
        ])
    func ownMachine(_ url: String, _ address: String) throws {
        #expect(try Client.Place(url).address == address)
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

    @Test("RFC 9112 §6.3: the head says how long the body is, and where it goes")
    func head() throws {
        var request = ClientRequest(
            .post, "http://a:81/b", fields: [("X-A", "b\r\nc: d")])
        request.body = .bytes([1, 2, 3])
        #expect(
            text(request.head(for: try Client.Place(request.url)))
                == "POST /b HTTP/1.1\r\nHost: a:81\r\nConnection: close\r\n"
                + "User-Agent: landfall\r\nX-A: b??c: d\r\nContent-Length: 3\r\n\r\n")
    }
}
