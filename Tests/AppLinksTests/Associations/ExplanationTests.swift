// Explanations: which rules were asked in which order, what didn't fit and where, what else there
// is to say, and which apps would open.

import AppLinks
import LinkPatterns
import Testing

@Suite struct ExplanationTests {
    /// The first rule's mismatch, for what follows the host.
    private static func mismatch(
        _ members: String, _ target: String, links: String = ""
    ) throws -> LinkExplanation.Mismatch? {
        let file = try Harbour.components("{\(members)}", links: links)
        let explanation = file.explain(LinkURL("https://harbour.test" + target))
        return explanation.steps.first?.mismatch
    }

    @Test(
        arguments: [
            (#""/":"/pier/*""#, "/dock", "path", "/pier/*", "/dock/"),
            (#""/":"pier""#, "//dock//1", "path", "/pier/", "/dock/1/"),
            (#""/":"/x y","percentEncoded":false"#, "/x%20z", "path", "/x y/", "/x z/"),
            (#""/":"/Pier","caseSensitive":false"#, "/DOCK", "path", "/Pier/", "/dock/"),
            (#""?":"a=1""#, "/?b=2", "query", "a=1", "b=2"),
            (#""?":{"a":"1","b":"2"}"#, "/?a=1&b=3", "query.b", "2", "3"),
            (#""?":{"a":"?*"}"#, "/", "query.a", "?*", ""),
            (##""#":"top""##, "/#end", "fragment", "top", "end"),
            // The path comes first, then the query, then the fragment.
            (##""/":"/x","?":"y","#":"z""##, "/a?b#c", "path", "/x/", "/a/"),
            (##""/":"/x","?":"y","#":"z""##, "/x?b#c", "query", "y", "b"),
            (##""/":"/x","?":"y","#":"z""##, "/x?y#c", "fragment", "z", "c"),
        ])
    func theFirstConditionThatIsBrokenIsTold(
        members: String, target: String, part: String, pattern: String, text: String
    ) throws {
        let mismatch = try #require(try Self.mismatch(members, target))
        #expect(mismatch.part.name == part)
        #expect(mismatch.pattern == pattern)
        #expect(mismatch.text == text)
    }

    /// The rest of pattern and text from where they part.
    @Test(
        arguments: [
            ("/pier/1", "/pier/2", "1/", "2/"), ("/pier", "/dock", "pier/", "dock/"),
            ("/a/*/c", "/a/b/d", "c/", "d/"), ("/a/*/c/*/e", "/a/b/c/d/f", "e/", "f/"),
            ("/a?c", "/ab", "c/", "/"), ("/a$(digit)", "/ab", "$(digit)/", "b/"),
            ("/ab", "/abc", "/", "c/"), ("/abc", "/ab", "c/", "/"), ("*.html", "/a.htm", "l/", "/"),
            // Letters with a common first byte part as a whole.
            ("/caf%C3%A9", "/caf%C3%A8", "9/", "8/"), ("/a/", "/", "a/", ""),
        ])
    func offsetsSayWherePatternAndTextPart(
        pattern: String, path: String, patternRest: String, textRest: String
    ) throws {
        let mismatch = try #require(try Self.mismatch(#""/":"\#(pattern)""#, path))
        #expect(Self.rest(mismatch.pattern, mismatch.patternOffset) == patternRest)
        #expect(Self.rest(mismatch.text, mismatch.textOffset) == textRest)
    }

    @Test(
        arguments: [
            ("/café/1", "/caf%C3%A8/1", "é/1/", "è/1/"), ("/é", "/%C4%80", "é/", "ā/"),
            // U+212A has three bytes, and the letter to which it folds one.
            ("/\u{212A}elp/a", "/kelp/b", "a/", "b/"), ("/kelp/a", "/%E2%84%AAelp/b", "a/", "b/"),
        ])
    func offsetsAreThoseOfWholeCharacters(
        pattern: String, path: String, patternRest: String, textRest: String
    ) throws {
        let members = #""/":"\#(pattern)","percentEncoded":false,"caseSensitive":false"#
        let mismatch = try #require(try Self.mismatch(members, path))
        #expect(Self.rest(mismatch.pattern, mismatch.patternOffset) == patternRest)
        #expect(Self.rest(mismatch.text, mismatch.textOffset) == textRest)
    }

    private static func rest(_ text: String, _ offset: Int) -> String {
        String(decoding: Array(text.utf8).dropFirst(offset), as: UTF8.self)
    }

    @Test(
        arguments: [
            (#""?":{"a":"?*"}"#, "/", "the URL has no such item, which counts as empty"),
            (#""?":{"a":"?*"}"#, "/?a", nil),
            (
                #""?":{"a":"1"}"#, "/?a=1&b&a=2",
                "the item is there 2 times, and every one must match"
            ),
            (#""?":"a""#, "/", "the URL has no query, which counts as empty"),
            (##""#":"a""##, "/", "the URL has no fragment, which counts as empty"),
            (#""/":"/a""#, "/b", nil),
            (#""/":"/$(x)""#, "/b", "no variable is called x, so nothing matches"),
            (#""?":{"a":"$("}"#, "/", "a variable has no closing bracket, so nothing matches"),
        ] as [(String, String, String?)])
    func notesSayWhatTheTextsDoNot(members: String, target: String, note: String?) throws {
        let mismatch = try #require(try Self.mismatch(members, target))
        #expect(mismatch.note == note)
    }

    @Test func thePatternOfAnExcludingPathKeepsItsNOT() throws {
        let url = LinkURL("https://harbour.test/pier/2")
        let file = try Harbour.paths(#""NOT /pier/1","/x""#)
        let mismatches = file.explain(url).steps.compactMap(\.mismatch)
        #expect(mismatches.map(\.pattern) == ["NOT /pier/1/", "/x/"])
        #expect(mismatches.first?.patternOffset == 10)
        #expect(mismatches.first?.textOffset == 6)
    }

    private static let fleet = """
        {"applinks":{"details":[
          {"appIDs":["A","B"],"components":[{"/":"/x","exclude":true},{"/":"/both"},{"/":"/ab"}]},
          {"appIDs":["B","C"],"components":[{"/":"/c"},{"/":"/both"},{"/":"/x"}]},
          {"appID":"D","paths":["/d","/both"]},
          {"appIDs":[],"components":[{}]},
          {"appID":"E"}]}}
        """

    @Test(
        arguments: [
            ("/both", nil, ["0/0-", "0/1+"], ["A", "B", "C", "D", "E"]),
            ("/x", nil, ["0/0+", "1/0-", "1/1-", "1/2+"], ["C", "E"]),
            ("/d", nil, ["0/0-", "0/1-", "0/2-", "1/0-", "1/1-", "1/2-", "2/0+"], ["D", "E"]),
            ("/c", "C", ["1/0+"], ["C", "E"]), ("/c", "B", ["0/0-", "0/1-", "0/2-"], ["C", "E"]),
            ("/ab", "B", ["0/0-", "0/1-", "0/2+"], ["A", "B", "E"]), ("/z", "E", [], ["E"]),
            ("/z", "F", [], []),
        ] as [(String, String?, [String], [String])])
    func stepsAreTheRulesThatWereAskedAndOpeningAllAppsInOrder(
        path: String, app: String?, steps: [String], opening: [String]
    ) throws {
        let explanation = try Harbour.file(Self.fleet).explain(
            LinkURL("https://harbour.test" + path), for: app)
        let asked = explanation.steps.map { step in
            "\(step.detail.index ?? -1)/\(step.rule.index)\(step.mismatch == nil ? "+" : "-")"
        }
        #expect(asked == steps)
        #expect(explanation.opening == opening)
    }

    @Test func nothingIsAskedOnAnotherHost() throws {
        let explanation = try Harbour.file(Self.fleet).explain(
            LinkURL("https://sea.test/both"), on: "harbour.test")
        #expect(explanation.steps.isEmpty)
        #expect(explanation.opening.isEmpty)
        #expect(
            explanation.verdict.reason == .otherHost("sea.test", domain: "harbour.test"))
    }
}
