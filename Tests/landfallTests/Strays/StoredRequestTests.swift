// A stored request that takes the road of received ones again: nothing of it is lost on the way.

import Foundation
import HTTP1
import JSON
import Testing

@testable import ResultAPI

@Suite("Stored requests that are received again")
struct StoredRequestTests {
    private func received(_ record: SampleRecord) throws -> Request? {
        try #require(StoredRequest(ofRecord: record.text)).request
    }

    @Test(
        "have the peer, scheme and host that they came with",
        arguments: [
            ("127.0.0.1:51512", "https", "www.yourapp.com"), ("[::1]:80", "http", "A.example:81"),
            ("10.0.0.1:0", "https", "elsewhere.example"), ("unix:", "http", "www.yourapp.com"),
        ])
    func origins(peer: String, scheme: String, host: String) throws {
        let record = SampleRecord().with(
            [:],
            request: [
                "peer": SampleRecord.json(peer), "scheme": SampleRecord.json(scheme),
                "host": SampleRecord.json(host),
            ])
        let request = try #require(try received(record))
        #expect(request.origin.client.description == peer)
        #expect(request.origin.isSecure == (scheme == "https"))
        #expect(request.authority.map { String(decoding: $0, as: UTF8.self) } == host)
    }

    @Test("have their method, version and field lines")
    func heads() throws {
        let fields = [
            ["host", "a"], ["X-Twice", "1"], ["x-twice", "[redacted]"], ["X-Name", "é"],
        ]
        let record = SampleRecord().with(
            [:],
            request: [
                "method": #""PUT""#, "version": #""1.0""#,
                "headers": SampleRecord.json(fields),
            ])
        let request = try #require(try received(record))
        #expect(request.method == .put && request.minorVersion == 0)
        let lines = request.fieldLines.map { line in
            [line.name, line.value].map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines == fields)
    }

    @Test(
        "are written with the length of the stored body",
        arguments: [
            (["content-length", "9"], "abc", "content-length: 3"),
            (["Transfer-Encoding", "chunked"], "abc", "Content-Length: 3"),
            (["Transfer-Encoding", "chunked"], "", "Content-Length: 0"),
        ])
    func messages(line: [String], body: String, length: String) throws {
        let record = SampleRecord().with(body: body, headers: [["X", "1"], line, line])
        let request = try #require(StoredRequest(ofRecord: record.text))
        #expect(
            String(decoding: request.message, as: UTF8.self)
                == "POST /dds/?stress=0.32 HTTP/1.1\r\nX: 1\r\n\(length)\r\n\r\n\(body)")
    }

    @Test(
        "have the mark of redaction escaped in the path, where brackets are invalid",
        arguments: [
            ("/a/[redacted]/b?c=[redacted]", "/a/%5Bredacted%5D/b?c=[redacted]"),
            ("/[redacted]", "/%5Bredacted%5D"), ("/?a=1?[b]", "/?a=1?[b]"),
            ("http://a/[redacted]?x", "http://a/%5Bredacted%5D?x"),
        ])
    func targets(target: String, valid: String) throws {
        let record = SampleRecord().with([:], request: ["target": SampleRecord.json(target)])
        let request = try #require(try received(record))
        #expect(String(decoding: request.target, as: UTF8.self) == valid)
    }

    @Test("have the mark of redaction escaped in the host, where brackets are invalid")
    func redactedHost() throws {
        let host = "a.[redacted]:81"
        let record = SampleRecord().with(
            [:],
            request: [
                "host": SampleRecord.json(host), "headers": SampleRecord.json([["host", host]]),
            ])
        let request = try #require(try received(record))
        #expect(request.host == "a.%5bredacted%5d")
        #expect(try #require(ResentRequest(record.text)).host == "a.%5Bredacted%5D:81")
    }

    @Test("are sent again without the fields that Connection names")
    func connection() throws {
        let headers = [
            ["Connection", "close, X-Hop"], ["x-hop", "1"], ["connection", ",Kept ,\tX-Other"],
            ["HTTP2-Settings", "AAMAAABk"], ["KEPT", "2"], ["x-other", "3"], ["X-Hop-2", "4"],
        ]
        let record = SampleRecord().with([:], request: ["headers": SampleRecord.json(headers)])
        let request = try #require(ResentRequest(record.text))
        #expect(request.fields.map(\.name) == ["X-Hop-2"])
    }

    @Test("are sent again without the fields of proxies, and without conditions")
    func firstServer() throws {
        let left = [
            "Forwarded", "Via", "X-Forwarded-For", "X-Real-IP", "X-Client-IP", "True-Client-IP",
            "CF-Connecting-IP", "Fly-Client-IP", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since", "If-Range", "Range",
        ]
        let headers = (left + ["CDN-Loop", "If-A"]).map { [$0, "1"] }
        let record = SampleRecord().with([:], request: ["headers": SampleRecord.json(headers)])
        let request = try #require(ResentRequest(record.text))
        #expect(request.fields.map(\.name) == ["CDN-Loop", "If-A"])
    }

    @Test(
        "keep each byte of a form that is sent again, but for what was redacted",
        arguments: [
            ("a=\u{FF}\u{FE}&b=1", "a=\u{FF}\u{FE}&b=1", []),
            ("&&a&=\u{80}&", "&&a&=\u{80}&", []), ("", "", []),
            ("token=[redacted]&a=\u{FF}&&", "a=\u{FF}&&", ["form token"]),
            ("\u{FF}=%5Bredacted%5D&a=\u{E9}", "a=\u{E9}", ["form \u{FFFD}"]),
            ("a=e30&b='[redacted]'", "a=e30", ["form b"]),
            ("a=the+[redacted]+part&b", "a=the+[redacted]+part&b", ["form a, inside"]),
            ("b=\u{C3}=[redacted]", "b=\u{C3}=[redacted]", ["form b, inside"]),
        ] as [(String, String, [String])])
    func forms(body: String, sent: String, redacted: [String]) throws {
        /// The bytes of characters up to U+00FF, one each.
        func octets(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
        let data = Data(octets(body)).base64EncodedString()
        let record = SampleRecord().with(
            [:],
            request: [
                "method": #""POST""#,
                "headers": SampleRecord.json([
                    ["Content-Type", "application/x-www-form-urlencoded"]
                ]),
                "body": #"{"encoding":"base64","data":"\#(data)"}"#,
            ])
        let request = try #require(ResentRequest(record.text))
        #expect(request.body == octets(sent))
        #expect(request.redacted == redacted)
    }

    @Test(
        "keep each byte of a body that is sent again, but for members and parts that were redacted",
        arguments: [
            (#"{ "a" : "x[redacted]" }"#, #"{ "a" : "x[redacted]" }"#, ["/a, inside"]),
            (
                #"{ "a" : "[redacted]", "b" : ["[redacted]", "-[redacted]"] }"#,
                #"{"b":["-[redacted]"]}"#, ["/a", "/b/0", "/b/1, inside"]
            ),
            ("password: [redacted]", "password: [redacted]", ["inside"]),
            ("<password>[redacted]</password>", "<password>[redacted]</password>", ["inside"]),
            ("[redacted]", "", [""]), (#""[redacted]""#, "", [""]),
        ] as [(String, String, [String])])
    func bodies(body: String, sent: String, redacted: [String]) throws {
        let request = try #require(ResentRequest(SampleRecord().with(body: body).text))
        #expect(String(decoding: request.body, as: UTF8.self) == sent)
        let places = redacted.map { place in
            switch place {
            case "": "body"
            case "inside": "body, inside"
            default: "body \(place)"
            }
        }
        #expect(request.redacted == places)
    }

    @Test("are sent without the parts of a form that were redacted", arguments: ["\r\n", "\n"])
    func parts(end: String) throws {
        func part(_ name: String, _ content: String) -> String {
            ["--Ab", "Content-Disposition: form-data; name=\"\(name)\"", "", content, ""]
                .joined(separator: end)
        }
        let value = ["", "--Abc", "", "[redacted]", "--Abc"].joined(separator: end)
        // A value that ends with the mark isn't the mark.
        let kept = part("a", value) + part("b", "the key:\n\n[redacted]")
        let body =
            part("password", "[redacted]") + kept + part("pin", "[redacted]") + "--Ab--" + end
        let record = SampleRecord().with(
            body: body, headers: [["Content-Type", "multipart/form-data; boundary=Ab"]])
        let request = try #require(ResentRequest(record.text))
        #expect(String(decoding: request.body, as: UTF8.self) == kept + "--Ab--" + end)
        #expect(request.redacted == ["form password", "form pin", "body, inside"])
    }

    @Test("keep fields in which the mark of redaction is a part of the value")
    func fields() throws {
        let headers = [
            ["X-Note", "the [redacted] part"], ["X-Api-Key", "[redacted]"],
            ["svix-id", "[redacted]0123456789abcdef"],
        ]
        let record = SampleRecord().with([:], request: ["headers": SampleRecord.json(headers)])
        let request = try #require(ResentRequest(record.text))
        #expect(request.fields.map(\.name) == ["X-Note"])
        #expect(
            request.redacted == ["header X-Note, inside", "header X-Api-Key", "header svix-id"])
    }

    @Test(
        "are sent to others without a signature that covers another body",
        arguments: [
            ("{}", nil, ["svix-id", "Svix-Timestamp", "svix-signature", "X-A"]),
            (#"{"pin":"[redacted]"}"#, nil, ["svix-id", "X-A"]),
            ("{}", #"{"index":0,"count":2}"#, ["X-A"]),
        ] as [(String, String?, [String])])
    func signatures(body: String, place: String?, names: [String]) throws {
        let headers = ["svix-id", "Svix-Timestamp", "svix-signature", "X-A"].map { [$0, "1"] }
        let record = SampleRecord().with(body: body, headers: headers)
            .with([:], request: ["batch": place])
        let request = try #require(ResentRequest(record.text))
        #expect(request.fieldsForOthers.map(\.name) == names)
        #expect(request.fields.count == headers.count, "here they are judged by the first body")
    }

    @Test("give no request if none can have their head")
    func invalid() throws {
        for (name, value) in [("method", "FROB"), ("target", "/a b"), ("version", "2.0")] {
            let record = SampleRecord().with([:], request: [name: SampleRecord.json(value)])
            #expect(try received(record) == nil)
        }
    }
}
