// Paths of components and of `paths`: the form in which they are compared, wildcards, encoding and
// case, as recorded runs of Apple's `swcutil` show them.

import LinkPatterns
import Testing

@testable import AppLinks

@Suite struct PathMatchingRuleTests {
    @Test(
        arguments: [
            ("", "/"), ("/", "/"), ("//", "/"), ("///", "/"), ("*", "*"), ("**", "*"), ("?", "?"),
            ("a", "a"), ("é", "é"), ("ab", "/ab/"), ("/ab", "/ab/"), ("//ab", "/ab/"),
            ("/ab/", "/ab/"), ("ab//", "/ab/"), ("/a//b///c", "/a/b/c/"), ("/a*", "/a*"),
            ("/a**", "/a*"), ("*a", "*a/"), ("***a***", "*a*"), ("*/", "*/"), ("/*", "/*"),
            ("/**/*", "/*/*"), ("/./a/../b", "/./a/../b/"), ("$(x)", "/$(x)/"), ("?a", "/?a/"),
            ("NOT /a", "/NOT /a/"), ("https://x.test/a", "/https:/x.test/a/"),
        ])
    func pathsAreComparedInOneForm(path: String, expected: String) {
        let normalized = PathNormalization.normalized(Array(path.utf8)[...])
        #expect(String(decoding: normalized, as: UTF8.self) == expected)
        // What has the form keeps it.
        #expect(PathNormalization.normalized(normalized[...]) == normalized)
    }

    @Test(
        arguments: [
            ("/pier/*", "/pier", true), ("/pier/*", "/pier/", true), ("/pier/*", "/pier//", true),
            ("/pier/*", "/piers", false), ("/pier", "/pier/", true), ("/pier/", "/pier", true),
            ("pier", "/pier", true), ("//pier", "/pier", true), ("/pier", "//pier", true),
            ("/a/*/c", "/a/c", false), ("/a/*/c", "/a//c", false), ("/a/*/c", "/a/b/c", true),
            ("/a/*/c", "/a/b/b/c", true), ("/", "", true), ("/", "/", true), ("/", "/a", false),
            ("", "/", true), ("", "", true), ("*", "", true), ("*", "/a/b", true),
            ("/*", "", true), ("/*", "/a", true), ("*.html", "/a/b.html", true),
            ("*.html", "/a/b.htm", false), ("/pier?*", "/pier", true), ("/pier?*", "/piers", true),
            ("a", "/a", false), ("?", "/", true), ("?", "/a", false), ("/?", "/a", true),
            ("/a/../b", "/b", false), ("/a/../b", "/a/../b", true), ("/./a", "/a", false),
            // The path alone is compared: no host, query or fragment in it.
            ("harbour.test/a", "/a", false), ("/a?q=1", "/a?q=1", false), ("/#/a", "/#/a", false),
            ("/a#b", "/a#b", false), ("NOT /a", "/a", false),
            ("/proxy/https://*", "/proxy/https://sea.test/", true),
        ])
    func aSlashAtEitherEndDoesNotMatter(pattern: String, path: String, fits: Bool) throws {
        #expect(try Harbour.fits(path: "\"\(pattern)\"", path) == fits)
    }

    @Test(
        arguments: [
            ("/a*c", "/ac", true), ("/a*c", "/abbc", true), ("/a*c", "/ab/bc", true),
            ("/a*c", "/abcd", false), ("/a?c", "/abc", true), ("/a?c", "/a/c", true),
            ("/a?c", "/ac", false), ("/a?c", "/abbc", false), ("/a?*", "/ab", true),
            ("/a?*c", "/ac", false), ("/a?*c", "/abc", true), ("/a??*", "/abc", true),
            ("*b*", "/abc", true), ("*b*", "/ac", false), ("/a*b*c*d", "/axbxcxd", true),
            ("/a*b*c*d", "/axcxbxd", false), ("/a*ab", "/aab", true), ("/a*ab", "/ab", false),
            ("/aa*aa", "/aaa", false), ("/aa*aa", "/aaaa", true), ("*/a/*/a", "/a/a", false),
            ("/a\\\\*", "/a", false), ("/a\\\\*", "/a\\b", true), ("/*a*a*a", "/aaa", true),
            ("/*a*a*a", "/aa", false), ("/ab", "/a", false), ("/a", "/ab", false),
        ])
    func wildcardsTakeAnyCharacterAndThePatternTheWholePath(
        pattern: String, path: String, fits: Bool
    ) throws {
        #expect(try Harbour.fits(path: "\"\(pattern)\"", path) == fits)
    }

    @Test(
        arguments: [
            // As written: every byte and the case of the digits count.
            ("/a%2Fb", "/a%2Fb", true, true), ("/a%2Fb", "/a%2fb", true, false),
            ("/a/b", "/a%2Fb", true, false), ("/caf%C3%A9", "/caf%C3%A9", true, true),
            ("/caf%c3%a9", "/caf%C3%A9", true, false), ("/café", "/caf%C3%A9", true, false),
            ("/caf?", "/caf%C3%A9", true, false), ("/caf??????", "/caf%C3%A9", true, true),
            ("/a b", "/a%20b", true, false), ("/a+b", "/a+b", true, true),
            // Decoded: the URL only.
            ("/a%2Fb", "/a%2Fb", false, false), ("/a/b", "/a%2Fb", false, true),
            ("/a b", "/a%20b", false, true), ("/a%20b", "/a%20b", false, false),
            ("/a%20b", "/a%2520b", false, true), ("/café", "/caf%c3%A9", false, true),
            ("/caf?", "/caf%C3%A9", false, true), ("/caf??", "/caf%C3%A9", false, false),
            ("/a+b", "/a+b", false, true), ("/a b", "/a+b", false, false),
            // What can't be decoded stays as it is.
            ("/100%", "/100%", false, true), ("/%FF", "/%FF", false, true),
        ])
    func percentEncodedSaysWhetherTheURLIsDecoded(
        pattern: String, path: String, isEncoded: Bool, fits: Bool
    ) throws {
        #expect(
            try Harbour.fits(#""/":"\#(pattern)","percentEncoded":\#(isEncoded)"#, path) == fits)
    }

    @Test(
        arguments: [
            ("/Pier", "/pier", true, false), ("/Pier", "/pier", false, true),
            ("/pier", "/PIER", false, true), ("/p[r", "/p{r", false, false),
            ("/café", "/CAF%C3%89", false, true),
            ("/ΣΊΣΥΦΟΣ", "/%CF%83%CE%AF%CF%83%CF%85%CF%86%CE%BF%CF%82", false, true),
            ("/straße", "/STRA%E1%BA%9EE", false, true), ("/straße", "/strasse", false, false),
            ("/жук", "/%D0%96%D0%A3%D0%9A", false, true),
            ("/жук", "/%D0%96%D0%A3%D0%9A", true, false),
            // The dotless i is a letter of its own.
            ("/ı", "/i", false, false), ("/ı", "/I", false, false),
            ("/%c3%a9", "/%C3%A9", false, false),
        ])
    func caseSensitiveFalseFoldsOneCharacterToOne(
        pattern: String, path: String, isSensitive: Bool, fits: Bool
    ) throws {
        let members = #""/":"\#(pattern)","caseSensitive":\#(isSensitive),"percentEncoded":false"#
        #expect(try Harbour.fits(members, path) == fits)
    }

    @Test(arguments: [("/%c3", "/%C3", true), ("/a%2fB", "/A%2FB", true), ("/é", "/%C3%A9", false)])
    func foldedButEncodedDigitsFoldToo(pattern: String, path: String, fits: Bool) throws {
        #expect(try Harbour.fits(#""/":"\#(pattern)","caseSensitive":false"#, path) == fits)
    }

    // MARK: `paths`

    @Test(
        arguments: [
            (#""NOT /a","*""#, "/a", "exclude 0 0"), (#""not /a","*""#, "/a", "exclude 0 0"),
            (#""NoT /a","*""#, "/a/", "exclude 0 0"), (#""NOT ab","*""#, "/ab", "exclude 0 0"),
            (#""NOT  /a","*""#, "/a", "match 0 1"), (#""NOT/a","*""#, "/a", "match 0 1"),
            (#""NOT\t/a","*""#, "/a", "match 0 1"), (#"" NOT /a","*""#, "/a", "match 0 1"),
            (#""NOT ","*""#, "/", "exclude 0 0"), (#""NOT *","*""#, "/a", "exclude 0 0"),
            (#""*","NOT /a""#, "/a", "match 0 0"), (#""/a","NOT *""#, "/b", "exclude 0 1"),
            (#""/a?q=1""#, "/a?q=1", "no_match - -"), (#""/a#f""#, "/a#f", "no_match - -"),
            (#""/a""#, "/a?q=1#f", "match 0 0"), (#""/A""#, "/a", "no_match - -"),
            (#""/a%20b""#, "/a%20b", "match 0 0"), (#""/a b""#, "/a%20b", "no_match - -"),
            (#""*","/""#, "/", "match 0 0"), (#"5,"/a""#, "/b", "match 0 0"),
            (#"{"/":"/x"}"#, "/b", "match 0 0"), (#""/NOT*""#, "/NOT", "match 0 0"),
        ])
    func pathsAreThePathOnlyAndNOTExcludes(
        paths: String, target: String, expected: String
    ) throws {
        let verdict = try Harbour.paths(paths).decide(LinkURL("https://harbour.test" + target))
        #expect(verdict.summary == expected)
    }
}
