// Dynamic rules: how they decide about links, and what is found in them.

import AppLinks
import LinkPatterns
import Testing

@Suite struct DynamicRuleTests {
    private func rules(_ text: String) throws -> AssetLinks.DynamicRules? {
        let links = try AssetLinks(reading: Array(ruled(text).utf8))
        return links.linkStatement(package: "org.sample.app", fingerprint: SampleFingerprint.first)?
            .dynamicRules
    }

    private static let shop = """
        [{"/": "/shop/secret/*", "exclude": true}, {"/": "/shop/*"},
         {"/": "/help", "?": {"lang": "d?", "from": "*"}}, {"#": "/app/?*"},
         {"/": "/Ümlaut"}, {"?": {"q*": "1"}}]
        """

    @Test(
        arguments: [
            ("https://a.org/shop/1", 1), ("/shop/", 1), ("https://a.org/shop", nil),
            ("https://a.org/shop/secret/x", -1), ("https://a.org/Shop/1", nil),
            ("https://a.org/x/shop/1", nil),
            ("https://a.org/help?lang=de&from=mail", 2),
            ("https://a.org/help?from=&lang=de&x=1", 2),
            ("https://a.org/help?lang=de", nil), ("https://a.org/help?lang=deu&from=", nil),
            ("https://a.org/help?lang=en&lang=de&from=", 2),
            ("https://a.org/help?lang=de;from=1", 2),
            ("https://a.org/help/?lang=de&from=1", nil),
            ("https://a.org/#/app/1", 3), ("https://a.org#/app/1", 3),
            ("https://a.org/#/app/", nil),
            ("https://a.org/#/APP/1", nil), ("https://a.org/%C3%9Cmlaut", 4), ("/Ümlaut", 4),
            ("https://a.org/%73hop/%31", 1), ("https://a.org/sho%7", nil),
            ("https://a.org/?query=1", 5),
            ("", nil), ("https://a.org", nil), ("?", nil), ("#", nil),
        ] as [(String, Int?)])
    func theFirstRuleThatMatchesDecides(url: String, expected: Int?) throws {
        let decision = try #require(try rules(Self.shop)).decision(for: LinkURL(url))
        let pointer =
            "/0/relation_extensions/delegate_permission~1common.handle_all_urls"
            + "/dynamic_app_link_components"
        switch expected {
        case nil: #expect(decision == .notClaimed)
        case -1: #expect(decision == .excluded(rule: 0, pointer: pointer + "/0"))
        case let rule?: #expect(decision == .claimed(rule: rule, pointer: "\(pointer)/\(rule)"))
        }
    }

    @Test(arguments: [
        ("*", "/", true), ("*", "", true), ("/?", "/a", true), ("/?", "/é", true),
        ("/?", "/", false),
        ("/?", "/ab", false), ("/?*", "/a", true), ("/?*", "/", false), ("/*/c", "/a/b/c", true),
        ("/*/c", "/c", false), ("/a*b*c", "/aXbXbc", true), ("/a*b*c", "/aXbXb", false),
        ("**/x", "/y/x", true), ("*.html", "/a/b.html", true), ("*.html", "/a/b.htm", false),
        ("/$(lang)/", "/$(lang)/", true), ("/$(lang)/", "/de/", false), ("/a", "/a/", false),
    ])
    func patternsCoverTheWholePath(pattern: String, path: String, matches: Bool) throws {
        let decision = try rules("[{\"/\": \"\(pattern)\"}]")?.decision(for: LinkURL(path))
        #expect((decision != .notClaimed) == matches)
    }

    @Test(.timeLimit(.minutes(1)))
    func manyWildcardsDoNotMakeItSlow() throws {
        let pattern = "/" + String(repeating: "*a", count: 400) + "b"
        let path = "/" + String(repeating: "a", count: 4_000)
        #expect(try rules("[{\"/\": \"\(pattern)\"}]")?.decision(for: LinkURL(path)) == .notClaimed)
    }

    @Test(arguments: [
        ("{}", ["error dynamic_rules_not_array "]), ("[]", ["info dynamic_rules_empty "]),
        ("[7, {\"/\": \"*\"}]", ["error dynamic_rule_not_object /0"]),
        ("[{}, {\"/\": \"*\"}]", ["error dynamic_rule_empty /0"]),
        ("[{\"exclude\": true}, {\"/\": \"*\"}]", ["error dynamic_rule_empty /0"]),
        ("[{\"/\": 1}, {\"/\": \"*\"}]", ["error dynamic_part_invalid /0/~1"]),
        ("[{\"/\": \"\"}, {\"/\": \"*\"}]", ["error dynamic_pattern_empty /0/~1"]),
        ("[{\"#\": null}, {\"/\": \"*\"}]", ["error dynamic_part_invalid /0/#"]),
        ("[{\"/\": \"/a\", \"?\": \"b=c\"}]", ["error dynamic_part_invalid /0/?"]),
        ("[{\"?\": {\"a\": 1}}, {\"/\": \"*\"}]", ["error dynamic_part_invalid /0/?/a"]),
        ("[{\"/\": \"/a\", \"exclude\": \"no\"}]", ["error dynamic_part_invalid /0/exclude"]),
        ("[{\"/\": \"a/*\"}]", ["error dynamic_path_unrooted /0/~1"]),
        ("[{\"/\": \"/a%20b\"}]", ["warning dynamic_pattern_encoded /0/~1"]),
        ("[{\"/\": \"/50%\"}]", []),
        ("[{\"/\": \"/*/a\"}]", ["info dynamic_wildcard_inside /0/~1"]),
        ("[{\"/\": \"/a?b=*\"}]", ["warning dynamic_path_has_query /0/~1"]),
        ("[{\"/\": \"/a#b\"}]", ["warning dynamic_path_has_fragment /0/~1"]),
        ("[{\"/\": \"/a\", \"path\": \"/b\"}]", ["error misspelled_key /0/path"]),
        ("[{\"/\": \"/a\", \"Exclude\": true}]", ["error misspelled_key /0/Exclude"]),
        ("[{\"/\": \"/a\", \"caseSensitive\": false}]", ["warning unknown_key /0/caseSensitive"]),
        ("[{\"/\": \"/a\", \"comment\": \"b\"}]", []),
        ("[{\"/\": \"/a\", \"exclude\": true}]", ["warning dynamic_rules_claim_nothing "]),
        ("[{\"/\": \"*\"}, {\"/\": \"/a\"}]", ["warning dynamic_rule_unreachable /1"]),
        (
            "[{\"/\": \"/*\"}, {\"/\": \"/a\", \"exclude\": true}, {\"#\": \"b\"}]",
            ["warning dynamic_rule_unreachable /1", "warning dynamic_rule_unreachable /2"]
        ),
        (
            "[{\"/\": \"/a\"}, {\"/\": \"/b\"}, {\"/\": \"/a\", \"exclude\": true}]",
            ["warning dynamic_rule_unreachable /2"]
        ),
        ("[{\"/\": \"*\", \"?\": {\"a\": \"b\"}}, {\"/\": \"/a\"}]", []),
        (
            "[{\"/\": \"/a/*\"}, {\"/\": \"/a/b\", \"exclude\": true}, {\"/\": \"/a/b?*\", \"#\": \"c\"}]",
            ["warning dynamic_rule_unreachable /1", "warning dynamic_rule_unreachable /2"]
        ),
        ("[{\"/\": \"/a/b\"}, {\"/\": \"/a/*\"}, {\"/\": \"/a\"}, {\"#\": \"c\"}]", []),
        ("[{\"/\": \"/a/*\", \"#\": \"b\"}, {\"/\": \"/a/b\"}]", []),
        ("[{\"/\": \"/ab*\"}, {\"/\": \"/a?b\"}, {\"/\": \"/a*\"}]", []),
        (
            "[{\"/\": \"/a\", \"?\": {\"b\": \"1\", \"c\": \"2\"}}, {\"/\": \"/a\", \"?\": {\"c\": \"2\", \"b\": \"1\"}}]",
            ["warning dynamic_rule_unreachable /1"]
        ),
    ])
    func faultsOfRulesAreFound(text: String, expected: [String]) throws {
        let list =
            "/0/relation_extensions/delegate_permission~1common.handle_all_urls"
            + "/dynamic_app_link_components"
        let found = summary(ruled(text))
        let parts = expected.map { $0.split(separator: " ", omittingEmptySubsequences: false) }
        #expect(found == parts.map { "\($0[0]) \($0[1]) \(list)\($0[2])" })
        // Whatever is wrong with its rules, the statement counts.
        #expect(try AssetLinks(reading: Array(ruled(text).utf8)).statements.count == 1)
    }

    @Test(arguments: [
        (#"{"exclude": true}"#, "/a"), (#"{"/": 1}"#, "/1"), (#"{"/": ""}"#, ""),
        (#"{"?": {"a": null}}"#, "/?a=null"), ("7", "/"),
    ])
    func aRuleThatCanNotBeUsedKeepsItsNumberAndMatchesNothing(rule: String, url: String) throws {
        let decision = try rules("[\(rule), {\"/\": \"*\"}]")?.decision(for: LinkURL(url))
        guard case .claimed(let index, _) = decision else {
            Issue.record("\(String(describing: decision))")
            return
        }
        #expect(index == 1)
    }

    @Test(arguments: [
        (#"[]"#, "error extension_not_object "),
        (
            #"{"delegate_permission/common.get_login_creds": {}}"#,
            "warning extension_ignored /delegate_permission~1common.get_login_creds"
        ),
        (
            #"{"delegate_permission/common.handle_all_urls": []}"#,
            "error extension_not_object /delegate_permission~1common.handle_all_urls"
        ),
        (
            #"{"delegate_permission/common.handle_all_urls": {"dynamic_app_link_component": []}}"#,
            "warning misspelled_key /delegate_permission~1common.handle_all_urls/dynamic_app_link_component"
        ),
    ])
    func rulesAreFoundInOnePlaceOnly(text: String, expected: String) throws {
        let file = "[\(statement(more: "\"relation_extensions\": \(text)"))]"
        let parts = expected.split(separator: " ", omittingEmptySubsequences: false)
        #expect(summary(file) == ["\(parts[0]) \(parts[1]) /0/relation_extensions\(parts[2])"])
        #expect(try AssetLinks(reading: Array(file.utf8)).statements.map(\.dynamicRules) == [nil])
    }

    @Test func rulesOfAnotherRelationOrASiteAreFound() {
        let key = "delegate_permission/common.handle_all_urls"
        let more =
            "\"relation_extensions\": {\"\(key)\": {\"dynamic_app_link_components\": [{\"/\": \"*\"}]}}"
        let site = #"{"namespace": "web", "site": "https://a.org"}"#
        let file = "[\(statement(target: site, more: more))]"
        let pointer = "/0/relation_extensions/delegate_permission~1common.handle_all_urls"
        #expect(summary(file) == ["warning extension_ignored \(pointer)"])
        let relation = #"["delegate_permission/common.use_as_origin"]"#
        let other = "[\(statement(relation: relation, target: site, more: more))]"
        #expect(summary(other).filter { $0 == "warning extension_ignored \(pointer)" }.count == 2)
    }
}
