// Entitlements: what they mean, which hosts they cover, and what is wrong with the others.

import AppLinks
import Mutations
import Testing

@Suite struct AssociatedDomainTests {
    private static let cdn = "https://app-site-association.cdn-apple.com/a/v1/"
    private static let wellKnown = "/.well-known/apple-app-site-association"

    @Test(arguments: [
        ("applinks:example.com", "example.com", cdn + "example.com"),
        ("webcredentials:a-b.example.com", "a-b.example.com", cdn + "a-b.example.com"),
        ("appclips:example.com", "example.com", cdn + "example.com"),
        ("activitycontinuation:example.com", "example.com", cdn + "example.com"),
        ("applinks:*.example.com", "example.com", cdn + "example.com"),
        ("applinks:xn--mnchen-3ya.de", "xn--mnchen-3ya.de", cdn + "xn--mnchen-3ya.de"),
        ("applinks:example.com?mode=developer", "example.com", "https://example.com" + wellKnown),
        ("applinks:*.example.com?mode=managed", "example.com", "https://example.com" + wellKnown),
        (
            "applinks:example.com?mode=developer+managed", "example.com",
            "https://example.com" + wellKnown
        ),
        ("applinks:localhost?mode=developer", "localhost", "https://localhost" + wellKnown),
        (
            "applinks:192.168.0.7?mode=developer+managed", "192.168.0.7",
            "https://192.168.0.7" + wellKnown
        ),
    ])
    func aValidDomainSaysWhereItsFileComesFrom(text: String, host: String, url: String) throws {
        let domain = try AssociatedDomain(text)
        #expect(domain.host == host)
        #expect(domain.fileURL == url)
        #expect(domain.description == text)
    }

    @Test(arguments: [
        ("", "empty", 0), ("applinks:", "empty", 9), ("applinks:*.", "empty", 11),
        ("applinks:?mode=developer", "empty", 9),
        ("example.com", "service_missing", 0), ("*.example.com", "service_missing", 0),
        ("applinks", "service_missing", 0), (":example.com", "service_missing", 0),
        ("example.com:443", "service_missing", 0), ("applink:example.com", "service_unknown", 0),
        ("universal:example.com", "service_unknown", 0), ("AppLinks:example.com", "upper_case", 0),
        ("https://example.com", "scheme", 0), ("applinks:https://example.com", "scheme", 9),
        ("applinks://example.com", "scheme", 9), ("applinks:me@example.com", "user", 9),
        ("applinks:example.com/", "trailing_slash", 20), ("applinks:example.com/shop", "path", 20),
        ("applinks:example.com/*", "path", 20), ("applinks:example.com#a", "fragment", 20),
        ("applinks:example.com:8443", "port", 20), ("applinks:example.com:", "port", 20),
        ("applinks:example.com?", "query", 20), ("applinks:example.com?a=b", "query", 20),
        ("applinks:example.com?mode=developer&a=b", "query", 26),
        ("applinks:example.com?mode=", "mode_unknown", 26),
        ("applinks:example.com?mode=develop", "mode_unknown", 26),
        ("applinks:example.com?mode=managed+developer", "mode_unknown", 26),
        ("applinks:192.168.0.7", "address", 9), ("applinks:192.168.0.7?mode=managed", "address", 9),
        ("applinks:[::1]?mode=developer", "address", 9), ("applinks:localhost", "dotless", 9),
        ("applinks:*.com", "dotless", 11), ("applinks:*.1.2.3.4?mode=developer", "wildcard", 9),
        ("applinks:*", "wildcard", 9), ("applinks:*example.com", "wildcard", 9),
        ("applinks:a.*.example.com", "wildcard", 11), ("applinks:*.*.example.com", "wildcard", 11),
        ("appclips:*.example.com", "clip_wildcard", 9), ("applinks:münchen.de", "non_ascii", 10),
        ("applinks:Example.com", "upper_case", 9), (" applinks:example.com", "blank", 0),
        ("applinks: example.com", "blank", 9), ("applinks:example.com\n", "blank", 20),
        ("applinks:example..com", "host", 17), ("applinks:.example.com", "host", 9),
        ("applinks:example.com.", "host", 21), ("applinks:-a.example.com", "host", 9),
        ("applinks:a-.example.com", "host", 10), ("applinks:a_b.example.com", "host", 10),
        ("applinks:" + String(repeating: "a", count: 64) + ".com", "host", 72),
        ("applinks:" + String(repeating: "a.", count: 127) + "com", "host", 262),
    ])
    func anInvalidDomainSaysWhatIsWrongAndWhere(text: String, kind: String, offset: Int) {
        let error = #expect(throws: AssociatedDomainError.self) { try AssociatedDomain(text) }
        #expect(error?.kind.rawValue == kind)
        #expect(error?.offset == offset)
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test(arguments: [
        ("example.com", "write applinks:example.com "),
        ("https://example.com/a", "write applinks:example.com."),
        ("applinks:https://example.com/a", "write applinks:example.com."),
        ("applinks:*.example.com/a", "write applinks:*.example.com,"),
        ("webcredentials:example.com:80", "write webcredentials:example.com."),
        ("webcredential:example.com", "write webcredentials."),
        ("applinks:example.com?mode=Developer", "write developer."),
        ("appclips:*.example.com", "write appclips:example.com,"),
        ("applinks:ü.de", "Punycode"),
    ])
    func anInvalidDomainSaysWhatToWrite(text: String, part: String) {
        let error = #expect(throws: AssociatedDomainError.self) { try AssociatedDomain(text) }
        #expect(error.map { contains($0.message, part) } == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            ("applinks:example.com", "example.com", .covered),
            ("applinks:example.com", "EXAMPLE.com", .covered),
            ("applinks:example.com", "Example.com.", .covered),
            ("applinks:*.example.com", "WWW.example.com.", .covered),
            ("applinks:*.example.com", "example.com.", .contested),
            ("applinks:example.com", "example.com..", .notCovered),
            ("applinks:*.example.com", ".", .notCovered),
            ("applinks:example.com", "www.example.com", .notCovered),
            ("applinks:*.example.com", "www.example.com", .covered),
            ("applinks:*.example.com", "a.b.Example.com", .covered),
            ("applinks:*.example.com", "example.com", .contested),
            ("applinks:*.example.com", "badexample.com", .notCovered),
            ("applinks:*.example.com", ".example.com", .notCovered),
            ("applinks:*.example.com", "example.com.evil.org", .notCovered),
            ("applinks:example.com", "\u{212A}example.com", .notCovered),
        ] as [(String, String, AssociatedDomain.Coverage)])
    func coverageOfHosts(text: String, host: String, expected: AssociatedDomain.Coverage) throws {
        let domain = try AssociatedDomain(text)
        #expect(domain.coverage(of: host) == expected)
        #expect(domain.covers(host) == (expected == .covered))
    }

    @Test func aWildcardAdvisesToListItsBareHostToo() throws {
        let note = try AssociatedDomain("applinks:*.example.com").note
        #expect(note.map { contains($0, "list applinks:example.com as well") } == true)
        #expect(try AssociatedDomain("applinks:example.com").note == nil)
    }

    @Test(arguments: [
        (
            "b.a.example.com",
            [
                "b.a.example.com?mode=developer", "b.a.example.com", "*.a.example.com",
                "*.example.com",
            ]
        ),
        ("c.example.com", ["*.example.com"]),
        ("a.example.com", ["*.a.example.com", "*.example.com"]),
        ("example.com", ["*.example.com"]), ("example.org", []),
    ])
    func theExactHostIsConsultedFirstThenItsParents(host: String, expected: [String]) throws {
        let domains = try [
            "applinks:*.example.com", "webcredentials:example.com",
            "applinks:b.a.example.com?mode=developer", "applinks:*.a.example.com",
            "applinks:b.a.example.com",
        ].map { try AssociatedDomain($0) }
        let consulted = domains.consulted(for: host, service: .applinks)
        #expect(consulted.map(\.description) == expected.map { "applinks:" + $0 })
    }

    @Test func fiftyThousandMutationsNeitherTrapNorPointOutside() {
        let texts = [
            "applinks:*.example.com?mode=developer+managed", "https://example.com:80/a#b",
            "appclips:a-b.example.com?mode=managed", "webcredentials:192.168.0.7?mode=developer",
        ].map { Array($0.utf8) }
        var generator = SeededGenerator(seed: 2_019)
        var readCount = 0
        var faults: [String] = []
        for round in 0..<50_000 {
            let bytes = generator.mutation(of: texts[round % 4], with: texts[(round + 1) % 4])
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                let domain = try AssociatedDomain(text)
                readCount += 1
                if domain.description != text { faults.append(text) }
                if domain.coverage(of: domain.host) == .notCovered { faults.append(text) }
            } catch {
                if !(0...text.utf8.count).contains(error.offset) { faults.append(text) }
            }
        }
        #expect(faults.isEmpty)
        #expect(readCount > 1_500)
    }
}
