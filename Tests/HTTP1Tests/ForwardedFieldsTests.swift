// What is believed of the fields that proxies add (RFC 7239, X-Forwarded-*): how far the walk goes,
// how each part is read, and that a client can't speak for a proxy.

import Sockets
import Testing

@testable import HTTP1

struct ForwardedFieldsTests {
    /// Resolves with 10.0.0.0/8 and fd00::/8 trusted; written as `address port scheme host`.
    private static func resolve(_ fields: [String]) throws -> String {
        let request = try Request(lines: ["GET / HTTP/1.1", "Host: a"] + fields)
        let trusted = [AddressBlock("10.0.0.0/8"), AddressBlock("fd00::/8")].compactMap(\.self)
        let origin = ForwardedOrigin.resolve(request) { address in
            trusted.contains { $0.contains(address) }
        }
        let parts = [
            origin.address?.description, origin.port.map(String.init), origin.scheme,
            origin.host.map { text($0) },
        ]
        return parts.map { $0 ?? "-" }.joined(separator: " ")
    }

    private static let nothing = "- - - -"

    @Test("without fields nothing is known")
    func none() throws {
        #expect(try Self.resolve([]) == Self.nothing)
    }

    @Test(
        "RFC 7239 §4: the RFC's examples",
        arguments: [
            ("for=\"_gazonk\"", nothing),
            ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17 4711 - -"),
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60 - http -"),
            ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17 - - -"),
            ("for=_hidden, for=_SEVKISEK", nothing),
            ("for=192.0.2.43,for=\"[2001:db8:cafe::17]\",for=unknown", nothing),
            ("for=192.0.2.43, for=\"[fd00:db8:cafe::17]\"", "192.0.2.43 - - -"),
            (
                "for=192.0.2.43;proto=https;by=\"[fd00::1]\";host=example.com",
                "192.0.2.43 - https example.com"
            ),
        ])
    func examples(_ field: String, _ origin: String) throws {
        #expect(try Self.resolve(["Forwarded: \(field)"]) == origin)
    }

    @Test(
        "RFC 7239 §6: what a node is",
        arguments: [
            ("1.2.3.4", "1.2.3.4 -"), ("\"1.2.3.4\"", "1.2.3.4 -"),
            ("\"1.2.3.4:80\"", "1.2.3.4 80"), ("\"1.2.3.4:0\"", "1.2.3.4 0"),
            ("\"1.2.3.4:65535\"", "1.2.3.4 65535"), ("\"1.2.3.4:00080\"", "1.2.3.4 80"),
            ("\"[::1]\"", "::1 -"), ("\"[::1]:80\"", "::1 80"),
            ("\"[::FFFF:1.2.3.4]\"", "1.2.3.4 -"),
            ("\"1.2.3.4:_p.o-r_t1\"", "1.2.3.4 -"), ("\"[::1]:_x\"", "::1 -"),
            ("\"1.2\\.3.\\4\"", "1.2.3.4 -"),
            // Hidden, or none.
            ("unknown", "- -"), ("Unknown", "- -"), ("\"unknown:80\"", "- -"), ("_a", "- -"),
            ("\"_a:80\"", "- -"), ("\"\"", "- -"), ("\"1.2.3.4:\"", "- -"),
            ("\"1.2.3.4:65536\"", "- -"),
            ("\"1.2.3.4:080808\"", "- -"), ("\"1.2.3.4:8a\"", "- -"), ("\"1.2.3.4:-1\"", "- -"),
            ("\"1.2.3.4:+1\"", "- -"), ("\"1.2.3.4:_\"", "- -"), ("\"1.2.3.4:_a b\"", "- -"),
            ("\"1.2.3.4:_a:b\"", "- -"), ("\"1.2.3.4:80:80\"", "- -"), ("\"::1\"", "- -"),
            ("\"::1:80\"", "- -"), ("\"[::1\"", "- -"), ("\"::1]\"", "- -"), ("\"[::1]80\"", "- -"),
            ("\"[::1]:\"", "- -"), ("\"[1.2.3.4]\"", "- -"), ("\"[]\"", "- -"),
            ("\"[::1%1]\"", "- -"),
            ("01.2.3.4", "- -"), ("1.2.3", "- -"), ("1.2.3.4.5", "- -"), ("\" 1.2.3.4\"", "- -"),
            ("example.com", "- -"), ("\"1.2.3.4, 5.6.7.8\"", "- -"),
            ("\"1.2.3.4:\u{FF18}\"", "- -"),
        ])
    func nodes(_ node: String, _ expected: String) throws {
        let origin = try Self.resolve(["Forwarded: for=10.0.0.9, for=\(node);proto=https;host=b"])
        #expect(origin == "\(expected) https b")
    }

    @Test(
        "RFC 7239 §5.3, §5.4: scheme and host are valid or not there",
        arguments: [
            ("proto=http", "http -"), ("proto=HTTPS", "https -"), ("proto=\"https\"", "https -"),
            ("Proto=https;HOST=b", "https b"), ("proto=ftp", "- -"), ("proto=httpss", "- -"),
            ("proto=\"\"", "- -"), ("proto=\"http://\"", "- -"), ("proto=\" http\"", "- -"),
            ("host=b.example", "- b.example"), ("host=\"b.example:8080\"", "- b.example:8080"),
            ("host=\"[::1]:80\"", "- [::1]:80"), ("host=B.Example", "- B.Example"),
            ("host=\"b:\"", "- b:"), ("host=\"\"", "- -"), ("host=\"a b\"", "- -"),
            ("host=\"a/b\"", "- -"), ("host=\"u@b\"", "- -"), ("host=\"b:80a\"", "- -"),
            ("host=\"b:99999\"", "- -"), ("host=\"a,b\"", "- a,b"), ("host=\"[::1\"", "- -"),
            ("host=\"b\\\\\"", "- -"), ("host=\"http://b\"", "- -"),
        ])
    func parameters(_ pairs: String, _ expected: String) throws {
        #expect(try Self.resolve(["Forwarded: for=1.2.3.4;\(pairs)"]) == "1.2.3.4 - \(expected)")
        #expect(try Self.resolve(["Forwarded: \(pairs);by=_x"]) == "- - \(expected)")
    }

    @Test(
        "RFC 7239 §4: empty pairs and other parameters are skipped",
        arguments: [
            ";for=1.2.3.4;;proto=http;", "for=1.2.3.4 ; proto=http",
            "by=10.0.0.1;proto=http;for=1.2.3.4",
            "a=\"\";for=1.2.3.4;b=\"\\\",;\";proto=http", "secret=x;FOR=1.2.3.4;\tPROTO=http ;",
            "for=1.2.3.4;proto=http;fort=5.6.7.8;for-=5.6.7.8",
        ])
    func pairs(_ element: String) throws {
        #expect(try Self.resolve(["Forwarded: \(element)"]) == "1.2.3.4 - http -")
    }

    @Test(
        "RFC 7239 §4: an element off the grammar is an unknown client, and the walk ends there",
        arguments: [
            "for", "for=", "=1.2.3.4", "for =1.2.3.4", "for= 1.2.3.4", "1.2.3.4", "for:1.2.3.4",
            "for=1.2.3.4:80", "for=[::1]", "for=1.2.3.4 proto=http", "for=1.2.3.4;proto",
            "for=\"1.2.3.4", "for=\"1.2.3.4\\\"", "for=\"1.2.3.4\"x", "for='1.2.3.4:80'",
            "for=1.2.3.4;proto=http;host=a:80", "for=1.2.3.4;proto==http", "\"for\"=1.2.3.4",
            "for=1.2.3.4;for=1.2.3.4", "for=1.2.3.4;FOR=5.6.7.8",
            "proto=http;for=1.2.3.4;proto=http",
            "for=1.2.3.4;host=a;host=b", "for=1.2.3.4;by=_a;by=_b", "for=1.2.3.4;x=1;X=2",
            "for=1.2.3.4;\u{E9}=1", "for=1.2.3.4;proto=http\u{A0}",
            "for=1.2.3.4;proto=\"http\"\"\"",
        ])
    func malformed(_ element: String) throws {
        let trusted = "for=10.0.0.1;proto=https;host=b"
        #expect(try Self.resolve(["Forwarded: \(element)"]) == Self.nothing)
        #expect(try Self.resolve(["Forwarded: for=5.6.7.8;proto=http, \(element)"]) == Self.nothing)
        #expect(
            try Self.resolve(["Forwarded: for=5.6.7.8, \(element)", "Forwarded: \(trusted)"])
                == Self.nothing)
    }

    @Test(
        "RFC 7239 §7.1: the walk goes from the right over trusted proxies, to one hop",
        arguments: [
            (["for=1.1.1.1;host=x, for=2.2.2.2;host=b, for=10.0.0.1;host=c"], "2.2.2.2 - - b"),
            (["for=1.1.1.1", "for=2.2.2.2, for=10.0.0.1", "for=10.0.0.2"], "2.2.2.2 - - -"),
            (["for=10.9.9.9;proto=http, for=10.0.0.1;proto=https"], "10.9.9.9 - http -"),
            (["for=10.9.9.9"], "10.9.9.9 - - -"),
            (["for=\"10.9.9.9:5\", for=\"[fd00::1]:6\""], "10.9.9.9 5 - -"),
            (["for=1.1.1.1, for=unknown;proto=https, for=10.0.0.1"], "- - https -"),
            (["for=1.1.1.1, for=_x;host=b, for=10.0.0.1"], "- - - b"),
            (["for=1.1.1.1, proto=https, for=10.0.0.1"], "- - https -"),
            (["for=1.1.1.1, ;, for=10.0.0.1"], nothing),
            ([", for=1.1.1.1,, for=10.0.0.1 , "], "1.1.1.1 - - -"),
            (["for=\"[::ffff:10.0.0.1]\", for=\"[::ffff:a00:2]\""], "10.0.0.1 - - -"),
            (["for=1.1.1.1;proto=https, for=10.0.0.1;host=b"], "1.1.1.1 - https -"),
            ([""], nothing), ([","], nothing),
        ] as [([String], String)])
    func walk(_ lines: [String], _ origin: String) throws {
        #expect(try Self.resolve(lines.map { "Forwarded: \($0)" }) == origin)
    }

    @Test(
        "RFC 7239 §8.1: a quote that a client leaves open hides no proxy's element behind its own",
        arguments: [
            ("for=9.9.9.9, for=\"", "for=1.2.3.4"),
            ("for=9.9.9.9, for=\"", "for=\"[2001:db8::1]\""),
            ("for=9.9.9.9, for=\"\\", "for=\"[2001:db8::1]:80\";proto=https"),
            ("\"", "for=1.2.3.4"),
            ("for=9.9.9.9;host=\"", "for=1.2.3.4;host=\"b:80\""),
        ])
    func openQuotes(_ client: String, _ proxy: String) throws {
        #expect(try Self.resolve(["Forwarded: \(client), \(proxy)"]) == Self.nothing)
        let apart = try Self.resolve(["Forwarded: \(client)", "Forwarded: \(proxy)"])
        #expect(apart.hasPrefix("1.2.3.4 ") || apart.hasPrefix("2001:db8::1 "))
    }

    @Test("Forwarded counts alone where it is present, be it malformed")
    func precedence() throws {
        let separate = [
            "X-Forwarded-For: 5.6.7.8", "X-Forwarded-Proto: https", "X-Forwarded-Host: x",
        ]
        #expect(try Self.resolve(separate + ["Forwarded: for=1.2.3.4"]) == "1.2.3.4 - - -")
        #expect(try Self.resolve(["Forwarded: proto=http"] + separate) == "- - http -")
        #expect(try Self.resolve(["Forwarded: for=\""] + separate) == Self.nothing)
        #expect(try Self.resolve(["Forwarded:"] + separate) == Self.nothing)
        #expect(try Self.resolve(separate) == "5.6.7.8 - https x")
    }

    @Test(
        "X-Forwarded-For: addresses with and without ports, read from the right",
        arguments: [
            (["1.2.3.4"], "1.2.3.4 -"), (["::1"], "::1 -"), (["2001:DB8::1"], "2001:db8::1 -"),
            (["[::1]"], "::1 -"), (["[::1]:80"], "::1 80"), (["1.2.3.4:80"], "1.2.3.4 80"),
            (["9.9.9.9, 1.2.3.4"], "1.2.3.4 -"), (["9.9.9.9, 1.2.3.4, 10.0.0.1"], "1.2.3.4 -"),
            (["9.9.9.9", "1.2.3.4", "10.0.0.1,fd00::1"], "1.2.3.4 -"),
            (["10.0.0.2, 10.0.0.1"], "10.0.0.2 -"), ([",1.2.3.4,,10.0.0.1:80,"], "1.2.3.4 -"),
            (["9.9.9.9, unknown, 10.0.0.1"], "- -"), (["9.9.9.9, \"1.2.3.4\""], "- -"),
            (["9.9.9.9, x, 10.0.0.1"], "- -"), (["9.9.9.9, 1.2.3.4:x"], "- -"),
            (["9.9.9.9, 1.2.3.4:65536"], "- -"), (["9.9.9.9, 1.2.3.4 10.0.0.1"], "- -"),
            (["9.9.9.9, 01.2.3.4"], "- -"), (["9.9.9.9, [1.2.3.4]"], "- -"),
            (["9.9.9.9, \""], "- -"), (["9.9.9.9, \", 1.2.3.4"], "1.2.3.4 -"),
            (["9.9.9.9, for=1.2.3.4"], "- -"), (["9.9.9.9, fe80::1%eth0"], "- -"), ([""], "- -"),
        ] as [([String], String)])
    func separateAddresses(_ lines: [String], _ expected: String) throws {
        #expect(try Self.resolve(lines.map { "X-Forwarded-For: \($0)" }) == "\(expected) - -")
    }

    @Test(
        "X-Forwarded-Proto and -Host: those of the client's hop, counted from the right",
        arguments: [
            // Lists as long as the one of addresses.
            ("1.2.3.4", "https", "b", "1.2.3.4 - https b"),
            ("1.2.3.4, 10.0.0.1", "https, http", "b, c", "1.2.3.4 - https b"),
            ("9.9.9.9, 1.2.3.4, 10.0.0.1", "ftp, https, http", "x, b, c", "1.2.3.4 - https b"),
            // One proxy sets them, all add their address.
            ("1.2.3.4, 10.0.0.2, 10.0.0.1", "https", "b", "1.2.3.4 - https b"),
            ("1.2.3.4, 10.0.0.2, 10.0.0.1", "https, http", "b", "1.2.3.4 - https b"),
            // What a client sent stands left of what counts.
            ("9.9.9.9, 1.2.3.4", "http, http, https", "x, y, b", "1.2.3.4 - https b"),
            ("1.2.3.4", "http, https", "x, b:80", "1.2.3.4 - https b:80"),
            ("9.9.9.9, x, 10.0.0.1", "ftp, https, http", "y, b, c", "- - https b"),
            // Without addresses, of the direct peer.
            ("", "http, HTTPS", "x, b", "- - https b"), ("", "", "", nothing),
            // Not valid.
            ("1.2.3.4", "ftp", "a/b", "1.2.3.4 - - -"),
            ("1.2.3.4", "https://", "u@b", "1.2.3.4 - - -"),
            ("1.2.3.4", "https, ftp", "b, \"c\"", "1.2.3.4 - - -"),
        ])
    func separateParts(
        _ addresses: String, _ schemes: String, _ hosts: String, _ origin: String
    ) throws {
        let fields = [
            "X-Forwarded-For: \(addresses)", "X-Forwarded-Proto: \(schemes)",
            "X-Forwarded-Host: \(hosts)",
        ]
        #expect(try Self.resolve(fields) == origin)
        #expect(try Self.resolve(fields.map { $0.replacing(", ", with: ",,\t") }) == origin)
    }

    @Test("with nobody trusted the last hop is the client, with everybody the first")
    func trust() throws {
        let request = try Request(lines: [
            "GET / HTTP/1.1", "Host: a", "Forwarded: for=1.1.1.1, for=2.2.2.2",
        ])
        let last = ForwardedOrigin.resolve(request) { _ in false }
        #expect(last.address == IPAddress("2.2.2.2".utf8))
        let first = ForwardedOrigin.resolve(request) { _ in true }
        #expect(first.address == IPAddress("1.1.1.1".utf8))
    }
}
