// URLs as text: split first, decoded once, the host in front where apps have a scheme of their own.

import LinkPatterns
import Mutations
import Testing

@Suite struct LinkURLTests {
    @Test(
        arguments: [
            ("https://example.com/a/b?c=d#e", "https", "example.com", "/a/b?c=d"),
            ("HTTP://Example.com", "HTTP", "Example.com", "/"), ("/a?b=c", nil, nil, "/a?b=c"),
            ("a/b", nil, nil, "/a/b"), ("", nil, nil, "/"), ("?a", nil, nil, "/?a"),
            ("//host/a", nil, "host", "/a"), ("app:?a=b", "app", nil, "/?a=b"),
            ("app://?a=b", "app", "", "/?a=b"), ("app:///a", "app", "", "/a"),
            ("app://Name?a=b", "app", "Name", "/Name?a=b"),
            ("app://Name/x", "app", "Name", "/Name/x"),
            ("app:Name/x", "app", nil, "/Name/x"), ("app:/Name", "app", nil, "/Name"),
            ("app://a%2Fb/c%252F", "app", "a%2Fb", "/a%2Fb/c%252F"),
            ("app://me:pw@host:80/a", "app", "host", "/host/a"),
            ("app://host:/a", "app", "host", "/host/a"),
            ("app://[::1]:80/a", "app", "[::1]", "/%5B%3A%3A1%5D/a"),
            ("app://[::1]/a", "app", "[::1]", "/%5B%3A%3A1%5D/a"),
            ("a/b:c?d", nil, nil, "/a/b%3Ac?d"), ("1a:b", nil, nil, "/1a%3Ab"),
            (":a", nil, nil, "/%3Aa"),
            ("x-a+b.c1:d", "x-a+b.c1", nil, "/d"),
            ("app:a?b=http://c/d?e", "app", nil, "/a?b=http%3A%2F%2Fc%2Fd%3Fe"),
            ("app:a#b?c=d", "app", nil, "/a"), ("app:a?b#c#d", "app", nil, "/a?b"),
            ("app://?response=1+1&x=%zz", "app", "", "/?response=1%2B1"),
        ] as [(String, String?, String?, String)])
    func partsAreSplitThenDecodedOnce(
        text: String, scheme: String?, host: String?, target: String
    ) throws {
        let url = LinkURL(text)
        #expect(url.scheme == scheme)
        #expect(url.host == host)
        #expect(url.link?.target == target)
    }

    @Test(arguments: ["https://a/%zz", "app://%ff/a", "app:%00", "app://%/a", "/a%4"])
    func whatCannotBeDecodedIsRefused(text: String) {
        #expect(LinkURL(text).link == nil)
    }

    @Test(
        arguments: [
            ("https://y.test/über/1?é=ü#ß", "https://y.test/%C3%BCber/1?%C3%A9=%C3%BC#%C3%9F"),
            ("https://y.test/%c3%bc?a|b", "https://y.test/%c3%bc?a|b"),
            ("https://y.test/<x>?d=\"1\"#<", "https://y.test/%3Cx%3E?d=%221%22#%3C"),
            ("https://y.test/{a}|b`?{a}`#{a}`", "https://y.test/%7Ba%7D|b%60?{a}`#{a}%60"),
            ("http://y.test/it's?it's#it's", "http://y.test/it's?it%27s#it's"),
            ("app://y.test/it's?it's#it's", "app://y.test/it's?it's#it's"),
            ("https://bücher.test?ü", "https://bücher.test?%C3%BC"),
            ("https://me:ü@bücher.test:1", "https://me:ü@bücher.test:1"), ("/ü", "/%C3%BC"),
            ("", ""), ("https://y.test/a b", nil), ("https://y.test/\u{7F}", nil),
            ("https://y.test/\t", nil), (" https://y.test/", nil),
        ] as [(String, String?)])
    func aWrittenURLIsPercentEncodedAfterItsHost(text: String, expected: String?) {
        #expect(LinkURL(written: text)?.description == expected)
    }

    @Test func hostsAreKeptBesideThePathUnderHTTP() throws {
        let url = LinkURL("https://example.com/a")
        #expect(url.link == Link(components: ["a"]))
        let custom = LinkURL("app://example.com/a")
        #expect(custom.path == "/a")
        #expect(custom.link == Link(components: ["example.com", "a"]))
    }

    @Test(
        arguments: [
            ("http://me:pw@A.example:080/b", "A.example:080"), ("https://[::1]/", "[::1]"),
            ("http://a:/", "a"), ("app:a:1", nil),
        ] as [(String, String?)])
    func theAuthorityIsHostAndPortAsWritten(text: String, authority: String?) {
        #expect(LinkURL(text).authority == authority)
    }

    @Test func mutatedURLsNeverTrap() {
        var generator = SeededGenerator(seed: 3_986)
        let texts = [
            "app://me:pw@[::1]:80/a%2Fb?c=%C3%A9#d", "https://example.com/a?b=c", "app:?a=b",
        ]
        var readCount = 0
        for round in 0..<20_000 {
            let bytes = generator.mutation(of: Array(texts[round % 3].utf8))
            if LinkURL(utf8: bytes).link != nil { readCount += 1 }
        }
        #expect(readCount > 10_000)
    }
}
