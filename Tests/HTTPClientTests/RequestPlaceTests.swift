// URLs taken apart: where a request goes, and what it asks for there.

import Testing

@testable import HTTPClient

struct RequestPlaceTests {
    @Test(
        "RFC 9110 §4.2.1: an http URL is taken apart",
        arguments: [
            ("http://a.example", "a.example", 80, "a.example", "/"),
            ("http://a.example:8080/b?c", "a.example", 8080, "a.example:8080", "/b?c"),
            ("HTTP://A/", "A", 80, "A", "/"), ("http://a?c", "a", 80, "a", "/?c"),
            ("http://a:/b", "a", 80, "a:", "/b"),
            ("http://[::1]:81/b", "::1", 81, "[::1]:81", "/b"),
            ("http://[::1]", "::1", 80, "[::1]", "/"), ("https://a/#b", "a", 443, "a", "/"),
        ] as [(String, String, UInt16, String, String)])
    func place(
        _ url: String, _ host: String, _ port: UInt16, _ authority: String, _ target: String
    ) throws {
        let place = try RequestPlace(url)
        #expect(place.host == host)
        #expect(place.port == port)
        #expect(place.authority == authority)
        #expect(place.target == target)
    }

    @Test("libcurl is given the host and the port that were read, and nothing to read differently")
    func origin() throws {
        #expect(try RequestPlace("https://A.example/b").origin == "https://A.example:443")
        #expect(try RequestPlace("http://[::1]:81/b").origin == "http://[::1]:81")
    }

    @Test(
        "anything but an http URL with a valid host is refused with a sentence",
        arguments: [
            "", "a.example", "https:/a.example", "ftp://a", "file:///etc/passwd", "http://",
            "http:///b", "http://u@a/", "http://a@b:80@c/", "http://a:65536/", "http://a b/",
            "http://[::1/", "http://[1.2.3.4]/", "http://a:b/", "http://a\\@b/", "http://a%2eb/",
            "http://a/b c", "http://a/b\r\nX: y", "http://[fe80::1%25eth0]/",
        ])
    func badPlace(_ url: String) {
        #expect(throws: ClientError.self) { try RequestPlace(url) }
    }

    @Test(
        "the sentence repeats nothing of the URL",
        arguments: [
            "https://name:S3cret@a.example/", "ftp://a/?token=S3cret", "http://a b/?token=S3cret",
            "http://a/?token=S3cret c", "https://S3cret%40/",
        ])
    func credentials(_ url: String) throws {
        let error = try #require(throws: ClientError.self) { try RequestPlace(url) }
        #expect(!"\(error)".contains("S3cret"))
    }
}
