// Negotiation of the content coding (RFC 9110 §12.5.3): what is acceptable, what is preferred, and
// what becomes of members off the grammar.

import Testing

@testable import HTTP1

struct AcceptEncodingTests {
    /// The choices for content that gzip makes smaller, and for content that it doesn't.
    private static func choices(_ lines: [String]) -> [AcceptEncoding.Choice] {
        let field = AcceptEncoding(lines.map { Array($0.utf8)[...] })
        return [field.choice(gzipIsSmaller: true), field.choice(gzipIsSmaller: false)]
    }

    @Test(
        "RFC 9110 §12.5.3: without a word for gzip the content is sent as it is",
        arguments: [
            [], [""], [",, ,"], ["", ""], ["identity"], ["br"], ["deflate, br;q=1.0"], ["gzip;q=0"],
            ["GZIP;q=0.000"], ["*, gzip;q=0"], ["gzip;q=0., *;q=0.5"], ["identity;q=0.001"],
        ])
    func identity(_ lines: [String]) {
        #expect(Self.choices(lines) == [.identity, .identity])
    }

    @Test(
        "RFC 9110 §12.5.3: gzip is sent when it is acceptable, as much wanted and smaller",
        arguments: [
            ["gzip"], ["x-gzip"], ["GZip"], ["X-GZIP"], ["*"], ["gzip, deflate, br, zstd"],
            ["br", "gzip"], ["br;q=1, gzip;q=0.1"], ["gzip;q=1.000, identity;q=1"], ["gzip, *"],
            ["gzip;q=0.5, identity;q=0.5"], ["gzip;q=0.5, *;q=0.5"], ["gzip;q=0.001"],
            ["deflate, *;q=0.1"], [",gzip"], ["gzip ;q=1"], ["gzip\t; \tq=0.3"], ["gzip;Q=0.3"],
            ["br;q=0, gzip"], ["gzip;q=1."], ["gzip;q=0.5, identity;q=0.50"],
        ])
    func smaller(_ lines: [String]) {
        #expect(Self.choices(lines) == [.gzip, .identity])
    }

    @Test(
        "RFC 9110 §12.4.2: the higher weight wins, whatever is smaller",
        arguments: [
            (["gzip;q=0.5, identity;q=0.501"], .identity), (["gzip;q=0.5, identity"], .identity),
            (["*;q=0.5, gzip;q=0.2"], .identity), (["identity, *;q=0.9"], .identity),
            (["gzip;q=0.501, identity;q=0.5"], .gzip), (["identity;q=0.5", "gzip"], .gzip),
            (["gzip, *;q=0.5"], .gzip), (["x-gzip, identity;q=0.999"], .gzip),
            (["*, identity;q=0.9"], .gzip), (["gzip;q=0.01, identity;q=0.009"], .gzip),
        ] as [([String], AcceptEncoding.Choice)])
    func weights(_ lines: [String], _ choice: AcceptEncoding.Choice) {
        #expect(Self.choices(lines) == [choice, choice])
    }

    @Test(
        "RFC 9110 §12.5.3: identity can be refused, by name or by *",
        arguments: [
            (["gzip, identity;q=0"], .gzip), (["gzip;q=0.1, identity;q=0.0"], .gzip),
            (["gzip, *;q=0"], .gzip), (["identity;q=0, *"], .gzip),
            (["identity;q=0"], .none), (["*;q=0"], .none), (["br, *;q=0"], .none),
            (["gzip;q=0, identity;q=0"], .none), (["gzip;q=0, *;q=0.000"], .none),
            (["identity;q=0, br, gzip;q=0, *"], .none),
            (["*;q=0, identity;q=0.1"], .identity), (["*;q=0, identity"], .identity),
        ] as [([String], AcceptEncoding.Choice)])
    func refusals(_ lines: [String], _ choice: AcceptEncoding.Choice) {
        #expect(Self.choices(lines) == [choice, choice])
    }

    @Test(
        "RFC 9110 §5.6.2: codings are whole tokens",
        arguments: [
            "gzipped", "xgzip", "x-x-gzip", "gzip-not", "not-gzip", "g zip", "gzi", "\"gzip\"",
            "gzip/1", "gz\u{131}p", "**", "*gzip", "gzip*", "[gzip]", ";gzip", "=gzip",
        ])
    func tokens(_ member: String) {
        #expect(Self.choices([member]) == [.identity, .identity])
        #expect(Self.choices(["\(member), gzip"]) == [.gzip, .identity])
    }

    @Test(
        "RFC 9110 §12.4.2: a member with a malformed weight is skipped, the others count",
        arguments: [
            ";", ";q", ";q=", ";q= 1", ";q =1", ";q=2", ";q=1.1", ";q=1.001", ";q=1.0000",
            ";q=0.0000", ";q=0.1234", ";q=.5", ";q=00", ";q=01", ";q=-0", ";q=+1", ";q=-1",
            ";q=0.5a", ";q=1;q=1", ";a=b", ";a=b;q=1", ";q=1;a=b", ";q=\"1\"", ";q=1e0",
            ";q=0x1", ";q=\u{FF11}", ";q=0.\u{FF15}", ";;q=1", " q=1", ":q=1", ";qq=1", ";q==1",
            ";q=0.5.5", ";q=1 1",
        ])
    func malformed(_ weight: String) {
        #expect(Self.choices(["gzip\(weight)"]) == [.identity, .identity])
        #expect(Self.choices(["identity\(weight), br, gzip"]) == [.gzip, .identity])
        #expect(Self.choices(["*\(weight), identity;q=0"]) == [.none, .none])
    }

    @Test("the higher weight of a coding that is named twice counts")
    func twice() {
        #expect(Self.choices(["gzip;q=0, x-gzip;q=0.5, gzip;q=0.2"]) == [.gzip, .identity])
        #expect(
            Self.choices(["identity;q=0, identity;q=0.5, gzip;q=0.4"]) == [.identity, .identity])
        #expect(Self.choices(["*;q=0, *"]) == [.gzip, .identity])
    }
}
