// What Apple's systems make of files whose values have other types than they should, of both
// generations of keys, and of defaults: nothing is refused once the text is JSON.

import AppLinks
import LinkPatterns
import Testing

@Suite struct LenientReadingTests {
    private static let link = LinkURL("https://harbour.test/a/b?q=1#f")

    /// The apps that the link opens.
    private static func opening(_ text: String) throws -> [String] {
        try Harbour.file(text).explain(link).opening
    }

    @Test(
        arguments: [
            // `apps` counts without details only, and then for every URL.
            (#"{"applinks":{"apps":["A","B"]}}"#, ["A", "B"]),
            (#"{"applinks":{"apps":["A",5,null,"B"]}}"#, ["A", "B"]),
            (#"{"applinks":{"apps":[]}}"#, []), (#"{"applinks":{"apps":"A"}}"#, []),
            (#"{"applinks":{"apps":["A"],"details":[]}}"#, []),
            (#"{"applinks":{"apps":["A"],"details":{}}}"#, []),
            (#"{"applinks":{"apps":["A"],"details":[{"appID":"B"}]}}"#, ["B"]),
            // Keys are case-sensitive, and what isn't known is ignored.
            (#"{"appLinks":{"details":[{"appID":"A"}]}}"#, []),
            (#"{"applinks":{"Details":[{"appID":"A"}]}}"#, []),
            (#"{"x":1,"applinks":{"y":2,"details":[{"z":3,"appID":"A"}]}}"#, ["A"]),
            (#"{"applinks":[]}"#, []), (#"{"applinks":null}"#, []), (#"[1]"#, []), ("7", []),
            // Entries that are no objects are skipped.
            (#"{"applinks":{"details":[null,5,"A",[],{"appID":"A"}]}}"#, ["A"]),
            // A dictionary has the apps as keys.
            (#"{"applinks":{"details":{"A":{"paths":["/a/*"]},"B":{"paths":["/c"]}}}}"#, ["A"]),
            (#"{"applinks":{"details":{"A":{"appID":"B"},"C":5}}}"#, ["A"]),
            // An array of appIDs wins, even an empty one.
            (#"{"applinks":{"details":[{"appIDs":["A"],"appID":"B"}]}}"#, ["A"]),
            (#"{"applinks":{"details":[{"appIDs":[],"appID":"B"}]}}"#, []),
            (#"{"applinks":{"details":[{"appIDs":"A","appID":"B"}]}}"#, ["B"]),
            (#"{"applinks":{"details":[{"appIDs":null,"appID":"B"}]}}"#, ["B"]),
            (#"{"applinks":{"details":[{"appIDs":[5,"A",null]}]}}"#, ["A"]),
            (#"{"applinks":{"details":[{"appID":["A"]}]}}"#, []),
            (#"{"applinks":{"details":[{"appID":"A","components":[{"/":"/a/*"}]}]}}"#, ["A"]),
            // Components win when they are an array, even an empty one.
            (#"{"applinks":{"details":[{"appID":"A","components":[],"paths":["*"]}]}}"#, []),
            (#"{"applinks":{"details":[{"appID":"A","components":{},"paths":["*"]}]}}"#, ["A"]),
            (#"{"applinks":{"details":[{"appID":"A","components":{},"paths":["/c"]}]}}"#, []),
            (#"{"applinks":{"details":[{"appID":"A","components":5,"paths":5}]}}"#, ["A"]),
            (#"{"applinks":{"details":[{"appID":"A","paths":[]}]}}"#, []),
        ])
    func anyDocumentIsReadAsAppleReadsIt(text: String, apps: [String]) throws {
        #expect(try Self.opening(text) == apps)
    }

    @Test(
        arguments: [
            // What has the wrong type is absent.
            (#"{"/":5}"#, true), (##"{"/":null,"#":"x"}"##, false), (##"{"#":5}"##, true),
            (#"{"?":5}"#, true), (#"{"?":["q"]}"#, true), (#"{"?":null}"#, true),
            // One value of an item that is no string: the query isn't looked at.
            (#"{"?":{"q":"2"}}"#, false), (#"{"?":{"q":"2","r":5}}"#, true),
            (#"{"?":{"q":"2","r":null}}"#, true), (#"{"?":{}}"#, true),
            (#"{"/":"/x","?":{"r":5}}"#, false),
            // Without conditions, and with keys that mean nothing, everything fits.
            ("{}", true), (#"{"path":"/x"}"#, true), (#"{"comment":"/x"}"#, true),
            (#"{"comment":{"/":"/x"}}"#, true),
            // Components that are no objects have no conditions.
            ("5", true), (#""/x""#, true), ("null", true), (#"["/x"]"#, true),
        ])
    func aComponentIsReadLeniently(component: String, opens: Bool) throws {
        #expect(try Harbour.components(component).decide(Self.link).opensApp == opens)
    }

    @Test(
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), ("-2", true),
            ("0.5", true), ("1e999", true), ("0e7", false), ("\"true\"", true), ("\"YES\"", true),
            ("\"yes\"", true), ("\"1\"", true), ("\" +007\"", true), ("\"t\"", true),
            ("\"false\"", false), ("\"NO\"", false), ("\"0\"", false), ("\"on\"", false),
            ("\"\"", false), ("null", false), ("[]", false), ("[true]", false), ("{}", false),
        ])
    func flagsAreReadLeniently(value: String, isTrue: Bool) throws {
        #expect(try Harbour.fits(#""exclude":\#(value)"#, "/x") == !isTrue)
        #expect(try Harbour.fits(#""/":"/X","caseSensitive":\#(value)"#, "/x") == !isTrue)
        #expect(try Harbour.fits(#""/":"/x y","percentEncoded":\#(value)"#, "/x%20y") == !isTrue)
    }

    @Test(
        arguments: [
            // Defaults of the file, of the entry, of the component: key by key.
            (#""defaults":{"caseSensitive":false},"#, "", #"{"/":"/A/*"}"#, true),
            (
                #""defaults":{"caseSensitive":false},"#, "", #"{"/":"/A/*","caseSensitive":true}"#,
                false
            ),
            (
                #""defaults":{"caseSensitive":false},"#, #""defaults":{"caseSensitive":true},"#,
                #"{"/":"/A/*"}"#, false
            ),
            (
                #""defaults":{"caseSensitive":false},"#, #""defaults":{"percentEncoded":false},"#,
                #"{"/":"/A/*"}"#, true
            ),
            (#""defaults":{"/":"/x/*"},"#, "", "{}", false),
            (#""defaults":{"/":"/x/*"},"#, "", #"{"/":"/a/*"}"#, true),
            (#""defaults":{"/":"/x/*"},"#, #""defaults":{"/":"/a/*"},"#, "{}", true),
            (#""defaults":{"/":"/x/*"},"#, "", #"{"/":5}"#, true),
            (#""defaults":{"?":{"q":"2"}},"#, "", "{}", false),
            (#""defaults":{"?":{"q":"2"}},"#, "", #"{"?":{"q":"1"}}"#, true),
            (#""defaults":{"?":{"q":"2"}},"#, "", #"{"?":{"r":"*"}}"#, true),
            (##""defaults":{"#":"x"},"##, "", "{}", false),
            ("", #""defaults":{"exclude":true},"#, "{}", false),
            ("", #""defaults":{"exclude":true},"#, #"{"exclude":false}"#, true),
            (#""defaults":{"exclude":true},"#, "", "5", false),
            (#""defaults":["exclude"],"#, #""defaults":5,"#, "{}", true),
        ])
    func defaultsStandForKeysThatAreMissing(
        links: String, entry: String, component: String, opens: Bool
    ) throws {
        let file = try Harbour.components(component, links: links, entry: entry)
        #expect(file.decide(Self.link).opensApp == opens)
    }

    @Test(
        arguments: [
            (#""defaults":{"?":{"q":"2"}},"#, #""*""#, "no_match - -"),
            (#""defaults":{"exclude":true},"#, #""*""#, "exclude 0 0"),
            (#""defaults":{"/":"/x"},"#, #""/a/*""#, "match 0 0"),
            (#""defaults":{"caseSensitive":false},"#, #""/A/*""#, "match 0 0"),
            (#""defaults":{"caseSensitive":false},"#, #""NOT /A/*""#, "exclude 0 0"),
            (#""defaults":{"caseSensitive":true},"#, #""/A/*""#, "no_match - -"),
            ("", #""/A/*""#, "no_match - -"),
        ])
    func defaultsApplyToPathsToo(links: String, paths: String, expected: String) throws {
        #expect(try Harbour.paths(paths, links: links).decide(Self.link).summary == expected)
    }

    @Test func rulesRememberWhatTheyAreAndWhereTheyStand() throws {
        let file = try Harbour.file(
            """
            {"applinks":{"details":[
              5,
              {"appID":"A","components":[
                {"/":"/x","caseSensitive":false},
                {"exclude":true,"percentEncoded":false}]}]}}
            """)
        let detail = try #require(file.details.first)
        #expect(detail.index == 1)
        #expect(detail.apps == ["A"])
        #expect(detail.ruleList == .components)
        #expect(detail.node.pointer == "/applinks/details/1")
        #expect(detail.rules.map(\.index) == [0, 1])
        #expect(detail.rules.map(\.excludes) == [false, true])
        #expect(detail.rules.map(\.isCaseSensitive) == [false, true])
        #expect(detail.rules.map(\.isPercentEncoded) == [true, false])
        let verdict = file.decide(Self.link)
        #expect(verdict.pointer == "/applinks/details/1/components/1")
        #expect(verdict.line == 5)
        #expect(file.isSigned == false)
        #expect(file.fileSize == file.document.bytes.count)
    }

    @Test(arguments: ["", "{", #"{"applinks":{},}"#, "<html></html>", "\u{FEFF}{}"])
    func onlyWhatIsNoJSONIsRefused(text: String) {
        #expect(throws: (any Error).self) { try Harbour.file(text) }
    }
}
