// Decisions with entry and rule, on files like those that Apple's documentation, technote and talks
// show: order, exclusions, all parts of a URL, defaults, variables, both generations of keys.

import AppLinks
import LinkPatterns
import Testing

@Suite struct DecisionTests {
    /// The files, by the name that the rows use.
    private static let files = [
        "guide": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop","K7Q2M9X4ZA.org.wharf.pro"],
          "components":[
            {"#":"stay_on_the_web","exclude":true,"comment":"For links that must not open it"},
            {"/":"/berths/*"},
            {"/":"/tides/archive/*","exclude":true},
            {"/":"/tides/*","?":{"stationCode":"????"}}]}]},
         "webcredentials":{"apps":["K7Q2M9X4ZA.org.wharf.shop"]}}
        """,
        "all parts": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/quay","?":"east","#":"*"}]}]}}
        """,
        "entry defaults": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "defaults":{"caseSensitive":false},
          "components":[{"/":"/ships/*","#":"my_old_boat_7"}]}]}}
        """,
        "variables": """
        {"applinks":{"substitutionVariables":{"cargo":["tea","coffee","coal"],"dry cargo":["grain"]},
          "details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"components":[
            {"/":"/$(lang)_CH/$(dry cargo)/"},
            {"/":"/$(lang)_CH/$(cargo)/","exclude":true},
            {"/":"/$(lang)_$(region)/$(cargo)/"}]}]}}
        """,
        "exclude second": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/pier/*"},{"/":"/dock/1/*","exclude":true}]}]}}
        """,
        "star inside": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/*/book/"}]}]}}
        """,
        "item needed": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/ferry/*","?":{"deck":"?*"}}]}]}}
        """,
        "exclude first": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/ticket/9*","exclude":true},{"/":"/ticket/????"}]}]}}
        """,
        "item": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"?":{"buoy":"n*"}}]}]}}
        """,
        "not": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"NOT /crew/*"},{"/":"/*"}]}]}}
        """,
        "both generations": """
        {"applinks":{"apps":[],"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "appID":"K7Q2M9X4ZA.org.wharf.old","paths":["/ropes/*"],"components":[{"/":"/sails/*"}]}]}}
        """,
        "folded": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/rigging/?*","caseSensitive":false}]}]}}
        """,
        "decoded": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/港/?*","percentEncoded":false}]}]}}
        """,
        "not decoded": """
        {"applinks":{"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
          "components":[{"/":"/港/?*"}]}]}}
        """,
        "legacy": """
        {"applinks":{"apps":[],"details":[{"appID":"K7Q2M9X4ZA.org.wharf.shop",
          "paths":["NOT /crew/*","/mole/*","/mole","*/light.html"]}]}}
        """,
        "two apps": """
        {"applinks":{"details":[
          {"appIDs":["K7Q2M9X4ZA.org.wharf.pro"],"components":[
            {"/":"/pro/secret/*","exclude":true},{"/":"/pro/*"},{"/":"/both/*"}]},
          {"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"components":[
            {"/":"/pro/secret/map"},{"/":"/both/*"}]}]}}
        """,
        "twice": """
        {"applinks":{"details":[
          {"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],"components":[{"/":"/first/*"}]},
          {"appIDs":["K7Q2M9X4ZA.org.wharf.pro","K7Q2M9X4ZA.org.wharf.shop"],
           "components":[{"/":"/second/*"}]}]}}
        """,
    ]

    private static let shop = "K7Q2M9X4ZA.org.wharf.shop"

    @Test(
        arguments: [
            ("guide", "/berths/42", "match 0 1"),
            ("guide", "/berths/42#stay_on_the_web", "exclude 0 0"),
            ("guide", "/#stay_on_the_web", "exclude 0 0"),
            ("guide", "/berths/42#elsewhere", "match 0 1"),
            ("guide", "/berths", "match 0 1"),
            ("guide", "/berthsold", "no_match - -"),
            ("guide", "/tides/archive/1999?stationCode=HEL4", "exclude 0 2"),
            ("guide", "/tides/12?stationCode=HEL4", "match 0 3"),
            ("guide", "/tides/12?x=1&stationCode=HEL4&y", "match 0 3"),
            ("guide", "/tides/12?stationCode=HEL", "no_match - -"),
            ("guide", "/tides/12?stationCode=HEL44", "no_match - -"),
            ("guide", "/tides/12", "no_match - -"),
            ("guide", "/elsewhere", "no_match - -"),
            ("all parts", "/quay?east", "match 0 0"),
            ("all parts", "/quay/?east#here", "match 0 0"),
            ("all parts", "/quay", "no_match - -"),
            ("all parts", "?east", "no_match - -"),
            ("entry defaults", "/ships/one.html#my_old_boat_7", "match 0 0"),
            ("entry defaults", "/ships/one.html#My_Old_Boat_7", "match 0 0"),
            ("entry defaults", "/SHIPS/one.html#my_old_boat_8", "no_match - -"),
            ("variables", "/de_CH/grain/", "match 0 0"),
            ("variables", "/fr_CH/tea", "exclude 0 1"),
            ("variables", "/en_IE/coal/", "match 0 2"),
            ("variables", "/en_IE/grain/", "no_match - -"),
            ("variables", "/qq_IE/tea/", "no_match - -"),
            ("variables", "/en_ZZ/tea/", "no_match - -"),
            ("variables", "/en_IE/$(cargo)/", "no_match - -"),
            ("exclude second", "/pier", "match 0 0"),
            ("exclude second", "/dock/1", "exclude 0 1"),
            ("exclude second", "/dock/2", "no_match - -"),
            ("star inside", "/ferry/book/", "match 0 0"),
            ("star inside", "/a/b/book", "match 0 0"),
            ("star inside", "/ferry/menu/", "no_match - -"),
            ("item needed", "/ferry/1?deck=upper", "match 0 0"),
            ("item needed", "/ferry/1?deck=", "no_match - -"),
            ("item needed", "/ferry/1", "no_match - -"),
            ("exclude first", "/ticket/9876", "exclude 0 0"),
            ("exclude first", "/ticket/1234", "match 0 1"),
            ("exclude first", "/ticket/12345", "no_match - -"),
            ("item", "/q?buoy=n1&buoy=s2", "no_match - -"),
            ("item", "/q?buoy=n1&buoy=n2", "match 0 0"),
            ("not", "/crew/1", "match 0 1"),
            ("not", "/NOT%20/crew/1", "match 0 1"),
            ("both generations", "/ropes/1", "no_match - -"),
            ("both generations", "/sails/1", "match 0 0"),
            ("folded", "/Rigging/plain", "match 0 0"),
            ("folded", "/rigging/", "no_match - -"),
            ("decoded", "/%E6%B8%AF/1", "match 0 0"),
            ("decoded", "/%e6%b8%af/1", "match 0 0"),
            ("not decoded", "/%E6%B8%AF/1", "no_match - -"),
            ("legacy", "/crew/1", "exclude 0 0"),
            ("legacy", "/mole", "match 0 1"),
            ("legacy", "/far/light.html", "match 0 3"),
            ("legacy", "/Mole", "no_match - -"),
            ("two apps", "/both/1", "match 1 1"),
            ("two apps", "/pro/secret/map", "match 1 0"),
            ("two apps", "/pro/1", "no_match - -"),
            ("twice", "/first/1", "match 0 0"),
            ("twice", "/second/1", "no_match - -"),
        ])
    func theFirstRuleThatFitsDecides(name: String, target: String, expected: String) throws {
        let file = try Harbour.file(try #require(Self.files[name]))
        let url = LinkURL("https://harbour.test" + target)
        #expect(file.decide(url, on: "harbour.test", for: Self.shop).summary == expected)
        // An explanation never decides otherwise.
        let explanation = file.explain(url, on: "harbour.test", for: Self.shop)
        #expect(explanation.verdict.summary == expected)
        #expect(explanation.opening.contains(Self.shop) == expected.hasPrefix("match"))
    }

    @Test(
        arguments: [
            ("two apps", "/both/1", "match 0 2", "K7Q2M9X4ZA.org.wharf.pro"),
            ("two apps", "/pro/secret/map", "match 1 0", "K7Q2M9X4ZA.org.wharf.shop"),
            ("two apps", "/pro/secret/2", "exclude 0 0", "K7Q2M9X4ZA.org.wharf.pro"),
            ("two apps", "/none", "no_match - -", nil),
            // The second entry is asked for its other app only, and that one comes first there.
            ("twice", "/second/1", "match 1 0", "K7Q2M9X4ZA.org.wharf.pro"),
        ] as [(String, String, String, String?)])
    func withoutAnAppTheFirstThatOpensDecides(
        name: String, target: String, expected: String, app: String?
    ) throws {
        let file = try Harbour.file(try #require(Self.files[name]))
        let verdict = file.decide(LinkURL("https://harbour.test" + target))
        #expect(verdict.summary == expected)
        #expect(verdict.app == app)
    }

    @Test func anAppInTwoEntriesCountsInTheFirstOnly() throws {
        let file = try Harbour.file(try #require(Self.files["twice"]))
        let url = LinkURL("https://harbour.test/second/1")
        #expect(file.apps == ["K7Q2M9X4ZA.org.wharf.shop", "K7Q2M9X4ZA.org.wharf.pro"])
        #expect(file.decide(url, for: Self.shop).decision == .noMatch)
        #expect(file.decide(url, for: "K7Q2M9X4ZA.org.wharf.pro").decision == .match)
        #expect(file.explain(url).opening == ["K7Q2M9X4ZA.org.wharf.pro"])
    }

    @Test(
        arguments: [
            ("https://harbour.test/", "harbour.test", AssociationVerdict.Reason?.none),
            ("https://HARBOUR.Test/", "harbour.test", nil),
            ("https://harbour.test/", "Harbour.TEST", nil),
            ("http://harbour.test/", "harbour.test", nil),
            ("HTTPS://harbour.test:8443/", "harbour.test", nil),
            ("https://guest:pw@harbour.test/", "harbour.test", nil),
            ("https://www.harbour.test/", "*.harbour.test", nil),
            ("https://harbour.test./", "harbour.test", nil),
            ("https://harbour.test/", "harbour.test.", nil),
            ("https://www.harbour.test./", "*.harbour.test", nil),
            ("https://a.b.harbour.test/", "*.harbour.test", nil),
            ("https://[2001:db8::1]:443/", "[2001:db8::1]", nil),
            (
                "https://www.harbour.test/", "harbour.test",
                .otherHost("www.harbour.test", domain: "harbour.test")
            ),
            (
                "https://harbour.test/", "*.harbour.test",
                .contestedHost("harbour.test", domain: "*.harbour.test")
            ),
            (
                "https://HARBOUR.test./", "*.harbour.test",
                .contestedHost("HARBOUR.test.", domain: "*.harbour.test")
            ),
            (
                "https://harbour.test../", "harbour.test",
                .otherHost("harbour.test..", domain: "harbour.test")
            ),
            (
                "https://badharbour.test/", "*.harbour.test",
                .otherHost("badharbour.test", domain: "*.harbour.test")
            ),
            (
                "https://harbour.test@sea.test/", "harbour.test",
                .otherHost("sea.test", domain: "harbour.test")
            ),
            ("harbour://harbour.test/", "harbour.test", .noWebLink),
            ("harbour.test/", "harbour.test", .noWebLink),
            ("https:/harbour.test/", "harbour.test", .noWebLink),
            ("https:///berths", "harbour.test", .noWebLink),
            ("", "harbour.test", .noWebLink),
        ])
    func theHostMustBeTheFilesDomain(
        url: String, domain: String, reason: AssociationVerdict.Reason?
    ) throws {
        let file = try Harbour.components("{}")
        let verdict = file.decide(LinkURL(url), on: domain, for: Self.shop)
        #expect(verdict.opensApp == (reason == nil))
        #expect(verdict.reason == reason)
    }

    @Test(
        arguments: [
            ("{}", "K7Q2M9X4ZA.org.wharf.shop", AssociationVerdict.Reason.noEntries),
            ("[]", nil, .noEntries),
            ("{\"applinks\":{\"details\":[{\"components\":[{}]}]}}", nil, .noEntries),
            (
                "{\"applinks\":{\"details\":[{\"appID\":\"A\"}]}}", "a", .unknownApp("a")
            ),
            ("{\"applinks\":{\"details\":[{\"appID\":\"A\",\"paths\":[]}]}}", "A", .noRule),
            ("{\"applinks\":{\"details\":[{\"appID\":\"A\"}]}}", "A", .everything),
        ] as [(String, String?, AssociationVerdict.Reason)])
    func aVerdictWithoutRuleSaysWhy(
        text: String, app: String?, reason: AssociationVerdict.Reason
    ) throws {
        let verdict = try Harbour.file(text).decide(LinkURL("https://harbour.test/"), for: app)
        #expect(verdict.reason == reason)
        #expect(verdict.rule == nil)
        #expect(verdict.opensApp == (reason == .everything))
    }

    @Test func aFileLargerThanAppleReadsOpensNothing() throws {
        let text = "{\"applinks\":{\"details\":[{\"appID\":\"A\"}]}}"
        let url = LinkURL("https://harbour.test/")
        let blanks = String(repeating: " ", count: 131_072 - text.utf8.count)
        #expect(try Harbour.file(text + blanks).decide(url).opensApp)
        let explanation = try Harbour.file(text + blanks + "\n").explain(url)
        #expect(explanation.verdict.decision == .noMatch)
        #expect(explanation.verdict.reason == .tooLarge(131_073, limit: 131_072))
        #expect(explanation.steps.isEmpty && explanation.opening.isEmpty)
    }

    @Test(
        arguments: [
            ("guide", "/berths/1", true), ("guide", "/elsewhere", true),
            ("all parts", "/quay?east", false), ("entry defaults", "/ships/1", true),
            ("entry defaults", "/boats/1", false), ("exclude first", "/ticket/1234", false),
        ])
    func itIsKnownWhetherAFragmentCouldMatter(file: String, path: String, depends: Bool) throws {
        let association = try Harbour.file(try #require(Self.files[file]))
        #expect(association.dependsOnFragment(LinkURL("https://harbour.test" + path)) == depends)
    }
}
