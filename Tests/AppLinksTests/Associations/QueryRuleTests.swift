// Queries and fragments of components: whole texts and items, what is missing, what is repeated.

import LinkPatterns
import Testing

@testable import AppLinks

@Suite struct QueryRuleTests {
    @Test(
        arguments: [
            ("a=1&b=2", "?a=1&b=2", true), ("a=1&b=2", "?b=2&a=1", false),
            ("a=1", "?a=1&b=2", false), ("*a=1*", "?x&a=1&b", true), ("*", "", true),
            ("*", "?a", true), ("", "", true), ("", "?", true), ("", "?a", false),
            ("?*", "", false),
            ("?*", "?", false), ("?*", "?a", true), ("a=b?c", "?a=b?c", true),
            ("a=/x", "?a=/x", true),
            ("a", "?a/", false), ("a/", "?a", false), ("A", "?a", false),
        ])
    func aQueryInOneTextIsComparedAsAWhole(pattern: String, target: String, fits: Bool) throws {
        #expect(try Harbour.fits(#""?":"\#(pattern)""#, "/" + target) == fits)
        #expect(try Harbour.fits(#""?":"\#(pattern)""#, target + "#f?a=1") == fits)
    }

    @Test(
        arguments: [
            (#""a":"1""#, "?a=1", true), (#""a":"1""#, "?b=2&a=1&c", true),
            (#""a":"1""#, "?a=2", false), (#""a":"1""#, "", false), (#""a":"1""#, "?a", false),
            (#""a":"1","b":"2""#, "?b=2&a=1", true), (#""a":"1","b":"2""#, "?a=1", false),
            // Missing, without "=", and empty are the same.
            (#""a":"*""#, "", true), (#""a":"""#, "", true), (#""a":"?*""#, "", false),
            (#""a":"*""#, "?a", true), (#""a":"""#, "?a", true), (#""a":"?*""#, "?a", false),
            (#""a":"*""#, "?a=", true), (#""a":"""#, "?a=", true), (#""a":"?*""#, "?a=", false),
            (#""a":"?*""#, "?a=1", true), (#""a":"""#, "?a=1", false),
            // Every occurrence counts.
            (#""a":"1""#, "?a=1&a=1", true), (#""a":"1""#, "?a=1&a=2", false),
            (#""a":"1""#, "?a=2&a=1", false), (#""a":"?*""#, "?a=1&a", false),
            // Names are exact, and no patterns.
            (#""A":"1""#, "?a=1", false), (#""a*":"1""#, "?ab=1", false),
            (#""a*":"1""#, "?a*=1", true), (#""":"1""#, "?=1", true),
            (#""a b":"1""#, "?a%20b=1", false),
            (#""a%20b":"1""#, "?a%20b=1", true),
            // The first "=" ends the name; "+" is itself, and ";" separates nothing.
            (#""a":"b=c""#, "?a=b=c", true), (#""a":"1+2""#, "?a=1+2", true),
            (#""a":"1 2""#, "?a=1+2", false), (#""a":"1""#, "?a=1;b=2", false),
            (#""a":"1""#, "?&&a=1&", true),
        ])
    func aQueryOfItemsAsksForEachOfThem(conditions: String, target: String, fits: Bool) throws {
        #expect(try Harbour.fits(#""?":{\#(conditions)}"#, "/" + target) == fits)
    }

    @Test(
        arguments: [
            (#""?":{"Port":"HEL"},"caseSensitive":false"#, "?Port=hel", true),
            (#""?":{"Port":"HEL"},"caseSensitive":false"#, "?port=hel", false),
            (#""?":"Port=HEL","caseSensitive":false"#, "?pORT=hel", true),
            (#""?":{"a b":"é"},"percentEncoded":false"#, "?a%20b=%C3%A9", true),
            (#""?":{"a":"1&b"},"percentEncoded":false"#, "?a=1%26b", true),
            (#""?":{"a":"1&b"}"#, "?a=1%26b", false),
            (#""?":{"a":"%C3%A9"}"#, "?a=%C3%A9", true), (#""?":{"a":"é"}"#, "?a=%C3%A9", false),
        ])
    func valuesAreFoldedAndDecodedAndNamesNeverFolded(
        members: String, target: String, fits: Bool
    ) throws {
        #expect(try Harbour.fits(members, "/" + target) == fits)
    }

    @Test(
        arguments: [
            ("top", "#top", true), ("top", "#topper", false), ("top", "", false), ("*", "", true),
            ("", "", true), ("", "#", true), ("", "#a", false), ("?*", "", false),
            ("?*", "#", false),
            ("?*", "#a", true), ("/x/*", "#/x/1", true), ("/x", "#/x/", false),
            ("x", "#/x/", false),
            ("/x/*", "#/x", false), ("a?b#c", "#a?b#c", true), ("Top", "#top", false),
        ])
    func aFragmentIsComparedAsItIs(pattern: String, target: String, fits: Bool) throws {
        #expect(try Harbour.fits(##""#":"\##(pattern)""##, "/" + target) == fits)
        #expect(try Harbour.fits(##""#":"\##(pattern)""##, "/?q" + target) == fits)
    }

    @Test(
        arguments: [
            ("https://a.test", "https", "a.test", nil, "", nil, nil),
            ("https://a.test?q#f", "https", "a.test", nil, "", "q", "f"),
            ("https://a.test#f?q", "https", "a.test", nil, "", nil, "f?q"),
            ("https://a.test:80/p:q", "https", "a.test", "80", "/p:q", nil, nil),
            ("https://a.test:/", "https", "a.test", nil, "/", nil, nil),
            ("https://u:p@a.test/", "https", "a.test", nil, "/", nil, nil),
            ("https://[::1]:8/", "https", "[::1]", "8", "/", nil, nil),
            ("https://[::1]/", "https", "[::1]", nil, "/", nil, nil),
            ("https:///p", "https", "", nil, "/p", nil, nil),
            ("https:p", "https", nil, nil, "p", nil, nil),
            ("//a.test/p", nil, "a.test", nil, "/p", nil, nil),
            ("/p//q?", nil, nil, nil, "/p//q", "", nil), ("#", nil, nil, nil, "", nil, ""),
            ("", nil, nil, nil, "", nil, nil), (":p", nil, nil, nil, ":p", nil, nil),
            ("1a:p", nil, nil, nil, "1a:p", nil, nil), ("a/b:c", nil, nil, nil, "a/b:c", nil, nil),
        ] as [(String, String?, String?, String?, String, String?, String?)])
    func aURLIsSplitAsItIsWritten(
        text: String, scheme: String?, host: String?, port: String?, path: String, query: String?,
        fragment: String?
    ) {
        let url = LinkURL(text)
        #expect(url.scheme == scheme)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.path == path)
        #expect(url.query == query)
        #expect(url.fragment == fragment)
        #expect(url.description == text)
    }
}
