// What a request says of itself: host, path, query, fields and lists.
// How a head becomes a request, or is refused, is tested in `HeadParserTests`.

import Testing
import Text

@testable import HTTP1

struct RequestTests {
    @Test(
        "RFC 9110 §4.2.3: the host is in lower case, without port, brackets and last dot",
        arguments: [
            ("a.example", "a.example"), ("WWW.YourApp.COM", "www.yourapp.com"),
            ("a.example:8080", "a.example"), ("a.example:", "a.example"),
            ("a.example.", "a.example"),
            ("A.Example.:80", "a.example"), ("127.0.0.1:80", "127.0.0.1"), ("[::1]", "::1"),
            ("[2001:DB8::1]:443", "2001:db8::1"), ("%41", "%41"),
        ])
    func host(_ field: String, _ host: String) throws {
        let request = try Request(lines: ["GET / HTTP/1.1", "Host: \(field)"])
        #expect(request.host == host)
        #expect(try text(#require(request.authority)) == field)
    }

    @Test(
        "a host in a configuration is spelled as the requests for it",
        arguments: [
            ("www.yourapp.com", "www.yourapp.com"), ("WWW.YourApp.com.", "www.yourapp.com"),
            ("a_b.example", "a_b.example"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1"),
            ("[2001:DB8:0:0::1]", "2001:db8::1"),
        ])
    func hostName(_ text: String, _ name: String) throws {
        #expect(Authority.hostName(text) == name)
        let field = name.contains(":") ? "[\(name)]" : text
        let request = try Request(lines: ["GET / HTTP/1.1", "Host: \(field)"])
        #expect(request.host == name)
        // What is shown can be written again.
        #expect(Authority.hostName(name) == name)
    }

    @Test(arguments: [
        "", ".", "a..b", ".a", "a..", "a:80", "*.a", "a b", "a/b", "b\u{FC}cher.example", "[]",
        "[a]", "[127.0.0.1]", "[::1", "[::1]:80", "[::ffff:127.0.0.1]", "lost+found", "%41",
    ])
    func noHostOfARequestIsSpelledSo(text: String) {
        #expect(Authority.hostName(text) == nil)
    }

    @Test("RFC 9112 §3.2.2: the authority of an absolute target wins over Host")
    func absoluteHost() throws {
        let request = try Request(lines: ["GET http://B.example:81/c HTTP/1.1", "Host: a"])
        #expect(request.host == "b.example")
        #expect(try text(#require(request.authority)) == "B.example:81")
    }

    @Test(
        "RFC 3986 §2: a byte that must be escaped is named, with its place in the target",
        arguments: [
            ("/x?stress=\u{660}", "byte 0xD9 at offset 10", "%D9"),
            ("/a\\b", "byte 0x5C at offset 2", "%5C"),
            ("http://a/\u{E4}", "byte 0xC3 at offset 9", "%C3"),
        ])
    func octets(target: String, place: String, escaped: String) {
        var parser = HeadParser(limits: Limits())
        let head = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        guard case .refused(let refusal) = parser.parse(head.span) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.status == .badRequest)
        #expect(refusal.detail.contains(place))
        #expect(refusal.detail.contains("escape it as \(escaped)"))
    }

    @Test("RFC 9112 §3.3: without Host and authority there is no host")
    func noHost() throws {
        let request = try Request(lines: ["GET / HTTP/1.0"])
        #expect(request.host == "")
        #expect(request.authority == nil)
    }

    @Test(
        "RFC 9112 §3.2: path and query are split and stay as they were",
        arguments: [
            ("GET", "/", "/", nil), ("GET", "/a/%2F/../b", "/a/%2F/../b", nil),
            ("GET", "/?", "/", ""),
            ("GET", "/a?b=c?d/e", "/a", "b=c?d/e"), ("GET", "//a", "//a", nil),
            ("GET", "http://b/c?d", "/c", "d"), ("GET", "http://b", "/", nil),
            ("GET", "http://b?d", "/", "d"), ("GET", "HTTPS://b:1/c%20", "/c%20", nil),
            ("GET", "http://[::1]:80/c?d", "/c", "d"), ("OPTIONS", "*", "*", nil),
            ("OPTIONS", "/a", "/a", nil), ("GET", "/*", "/*", nil),
        ] as [(String, String, String, String?)])
    func target(_ method: String, _ target: String, _ path: String, _ query: String?) throws {
        let request = try Request(lines: ["\(method) \(target) HTTP/1.1", "Host: a"])
        #expect(text(request.target) == target)
        #expect(text(request.path) == path)
        #expect(request.query.map { text($0) } == query)
    }

    @Test("RFC 9110 §5.1: field names are found in any case, first and all, in order")
    func values() throws {
        let request = try Request(lines: [
            "GET / HTTP/1.1", "Host: a", "ACCEPT: b", "Accepted: c", "accept:\t d , e ", "Accept:",
        ])
        #expect(request.first(FieldName("accept")).map { text($0) } == "b")
        #expect(request.values(FieldName("accept")).map { text($0) } == ["b", "d , e", ""])
        #expect(request.first(.expect) == nil)
        #expect(request.values(.expect).isEmpty)
        #expect(request.fieldLines.map { text($0.name) }.last == "Accept")
    }

    @Test(
        "RFC 9110 §5.6.1: list members, empty ones skipped, quoted commas kept",
        arguments: [
            (["a, b,c"], ["a", "b", "c"]), ([", ,a,\t,b , "], ["a", "b"]), ([""], []), ([",,"], []),
            (["a", "b, c"], ["a", "b", "c"]), (["\"a,b\", c"], ["\"a,b\"", "c"]),
            (["W/\"a,b\",\"c\""], ["W/\"a,b\"", "\"c\""]),
            (["\"a\\\",b\", c"], ["\"a\\\",b\"", "c"]),
            (["a;q=\"x,y\";r, b"], ["a;q=\"x,y\";r", "b"]), (["\"open, c"], ["\"open, c"]),
            (["\u{A0}a\u{A0}, b"], ["\u{A0}a\u{A0}", "b"]),
        ] as [([String], [String])])
    func list(_ lines: [String], _ members: [String]) {
        let found = lines.flatMap { Request.members(of: Array($0.utf8)[...]) }
        // What the wire has around a value is gone before its members are looked at.
        #expect(found.map { text($0) } == members)
    }

    @Test("RFC 9110 §9.1: every known method is read as itself", arguments: Request.Method.allCases)
    func method(_ method: Request.Method) throws {
        let target = method == .connect ? "a:80" : "/"
        let request = try Request(lines: ["\(method.rawValue) \(target) HTTP/1.1", "Host: a"])
        #expect(request.method == method)
        #expect(request.minorVersion == 1)
    }

    @Test("ASCII letters alone have a case: no other code point is taken for one")
    func octets() {
        for octet in UInt8.min...UInt8.max {
            let isCapital = (0x41...0x5A).contains(octet)
            #expect(octet.lowercased == (isCapital ? octet + 0x20 : octet))
            #expect(octet.isDigit == (0x30...0x39).contains(octet))
            #expect(octet.isBlank == (octet == 0x20 || octet == 0x09))
            let character = Character(Unicode.Scalar(octet))
            let digit = octet < 0x80 ? character.hexDigitValue : nil
            #expect(octet.hexadecimalValue.map(Int.init) == digit)
        }
    }

    @Test("RFC 9110 §5.6.2: a token octet is a letter, a digit or one of fifteen marks")
    func tokens() {
        let members = (UInt8.min...UInt8.max).filter(OctetSet.token.contains)
        #expect(members.count == 26 + 26 + 10 + 15)
        #expect(members.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(!members.contains { "\"(),/:;<=>?@[\\]{}".utf8.contains($0) })
    }
}
