// Which rules fit all that another rule fits: examples of both answers, and that no random URL
// shows a "yes" to be wrong.

import LinkPatterns
import Mutations
import Testing

@testable import AppLinks

@Suite struct InclusionTests {
    private static let variables = Harbour.variables(
        #""v":["a","b*"],"w":["a","ab"],"one":["a"],"wide":["*"]"#)

    /// Whether the first of two rules covers the second.
    private static func covers(_ outer: String, _ inner: String) throws -> Bool {
        let file = try Harbour.components("{\(outer)},{\(inner)}", links: variables)
        let rules = try #require(file.details.first).rules
        var steps = Limits.inclusionSteps
        return rules[0].covers(rules[1], &steps)
    }

    @Test(
        arguments: [
            ("*", "/a", true), ("/*", "*", true), ("/*", "", true), ("/a/*", "/a", true),
            ("/a/*", "/a/b/*", true), ("/a*", "/abc", true), ("/a*", "/ab*c", true),
            ("/a/*", "/a*", false), ("/a", "/a/*", false), ("/a", "/b", false),
            ("/ab*", "/a*", false),
            ("*b*", "/abc", true), ("*b*", "/a*bc", true), ("*b*", "/a*c", false),
            ("*/a/*/b/*", "/x/a/y/b/z", true), ("*/a/*/b/*", "*/b/*/a/*", false),
            ("/?", "/a", true), ("/??", "/a*", false), ("/?*", "/a*", true), ("/?*", "/*", false),
            ("/a?", "/a/", false), ("/$(alpha)", "/a", true), ("/$(alpha)", "/1", false),
            ("/$(alnum)", "/$(digit)", true), ("/$(digit)", "/$(alnum)", false),
            ("/$(v)", "/a", true), ("/$(v)", "/bcd", true), ("/$(v)", "/$(w)", false),
            ("/a*", "/$(w)", true), ("/$(wide)", "/$(lang)", true), ("/*", "/$(lang)", true),
            ("/$(lang)", "/$(lang)", true), ("/$(lang)", "/en", false), ("/$(one)", "/a", true),
            ("/a", "/$(one)", true), ("/a?*", "/a", true), ("/é*", "/é", true), ("/?", "/é", true),
            // What matches nothing covers nothing, and nothing covers it.
            ("/$(x)", "/a", false), ("*", "/$(x)", false),
        ])
    func aPathCoversAnother(outer: String, inner: String, isCovered: Bool) throws {
        #expect(try Self.covers(#""/":"\#(outer)""#, #""/":"\#(inner)""#) == isCovered)
    }

    @Test(
        arguments: [
            ("", #""/":"/a""#, true), (#""/":"/a""#, "", false), (#""/":"/*""#, "", true),
            (#""/":"*","?":"*""#, #""#, true), (#""?":{"a":"*"}"#, "", true),
            (#""?":{"a":"?*"}"#, "", false), (#""?":{"a":"?*"}"#, #""?":{"a":"1"}"#, true),
            (#""?":{"a":"1"}"#, #""?":{"a":"1","b":"2"}"#, true),
            (#""?":{"a":"1","b":"2"}"#, #""?":{"a":"1"}"#, false),
            (#""?":{"a":"1"}"#, #""?":"a=1""#, false), (#""?":"a*""#, #""?":"ab""#, true),
            (#""?":"a*""#, #""?":{"a":"1"}"#, false), (##""#":"a*""##, ##""#":"ab""##, true),
            (##""#":"a*""##, "", false), (##""#":"*""##, "", true),
            (#""/":"/a""#, ##""/":"/a","#":"x","?":"y""##, true),
            // Folded fits all that is not folded, the other way round not.
            (#""/":"/A","caseSensitive":false"#, #""/":"/a""#, true),
            (#""/":"/a""#, #""/":"/a","caseSensitive":false"#, false),
            (#""/":"/$(lower)","caseSensitive":false"#, #""/":"/$(upper)""#, true),
            (#""/":"/a*","caseSensitive":false"#, #""/":"/A?b*""#, true),
            // Decoded and undecoded texts can't be compared.
            (#""/":"/a*","percentEncoded":false"#, #""/":"/ab""#, false),
            (#""/":"/a*""#, #""/":"/ab","percentEncoded":false"#, false),
            (#""/":"/*","percentEncoded":false"#, #""/":"/ab""#, true),
        ])
    func everyConditionMustBeCovered(outer: String, inner: String, isCovered: Bool) throws {
        #expect(try Self.covers(outer, inner) == isCovered)
    }

    @Test func aPatternOnWhichAppleGivesUpCoversNothing() throws {
        let stars = "*" + String(repeating: "a*", count: 70)
        #expect(try !Self.covers(#""/":"/\#(stars)""#, #""/":"/\#(stars)b""#))
    }

    @Test func stepsAreCountedAndNeverExceeded() throws {
        let long = String(repeating: "a*b?", count: 20)
        let values = (0..<9_000).map { "\"\($0)\"" }.joined(separator: ",")
        let file = try Harbour.components(
            #"{"/":"/*\#(long)x"},{"/":"/\#(long)y*"},{"/":"/*$(v)"},{"/":"/$(v)*"}"#,
            links: Harbour.variables("\"v\":[\(values)]"))
        let rules = try #require(file.details.first).rules
        for outer in rules {
            for inner in rules {
                for limit in [0, 1, 10, 1_000, 100_000] {
                    var steps = limit
                    _ = outer.covers(inner, &steps)
                    #expect(steps <= limit)
                    #expect(limit - steps <= Limits.inclusionStepsOfTwo + 2)
                }
            }
        }
    }

    /// The steps that it takes to find that the second of two rules isn't covered by the first one.
    private static func cost(
        _ outer: String, _ inner: String, links: String, limit: Int = Limits.inclusionSteps
    ) throws -> Int {
        let file = try Harbour.components(#"{"/":"\#(outer)"},{"/":"\#(inner)"}"#, links: links)
        let rules = try #require(file.details.first).rules
        var steps = limit
        let isCovered = rules[0].covers(rules[1], &steps)
        #expect(!isCovered)
        return limit - steps
    }

    @Test func comparingWithATextCostsStepsForAllValuesOfAllVariables() throws {
        let values = (0..<2_000).map { "\"a\($0)\"" }.joined(separator: ",")
        let links = Harbour.variables("\"v\":[\(values)]")
        let text = "/" + String(repeating: "a", count: 40)
        let cost = try Self.cost("/$(v)$(v)$(v)", text, links: links)
        #expect((500..<Limits.inclusionStepsOfTwo).contains(cost))
        #expect(try Self.cost("/$(v)", text, links: links) < cost / 2)
        // Where the steps don't suffice, nothing is compared.
        #expect(try Self.cost("/$(v)$(v)$(v)", text, links: links, limit: 100) == 1)
        // Few values cost little.
        #expect(try Self.cost("/$(v)/x", text, links: Harbour.variables(#""v":["a","b"]"#)) == 1)
    }

    @Test func aShadowedRuleIsFoundAfterHundredsThatAreComparedWithVariables() throws {
        let countries = (0..<200).map { "\"c\($0)\"" }.joined(separator: ",")
        let languages = (0..<50).map { "\"l\($0)\"" }.joined(separator: ",")
        let pages = (0..<300).map { #"{"/":"/x\#($0)/y\#($0)/page"}"# }.joined(separator: ",")
        let file = try Harbour.components(
            #"{"/":"/$(country)/$(language)"},\#(pages),{"/":"/c7/l3"}"#,
            links: Harbour.variables("\"country\":[\(countries)],\"language\":[\(languages)]"))
        let shadowed = file.findings().filter { $0.code == .shadowedRule }
        #expect(shadowed.map(\.pointer) == ["/applinks/details/0/components/301"])
    }

    @Test func itemsAreTheSameInAnyOrder() throws {
        func areSame(_ one: String, _ other: String) throws -> Bool {
            let file = try Harbour.components(#"{"?":{\#(one)}},{"?":{\#(other)}}"#)
            let rules = try #require(file.details.first).rules
            return rules[0].hasConditions(of: rules[1])
        }
        #expect(try areSame(#""a":"1","b":"2""#, #""b":"2","a":"1""#))
        #expect(try !areSame(#""a":"1","b":"2""#, #""b":"1","a":"2""#))
        #expect(try !areSame(#""a":"1","b":"2""#, #""a":"1","c":"2""#))
        #expect(try !areSame(#""a":"1","b":"2""#, #""a":"1""#))
    }

    // MARK: Random rules

    private static let paths = [
        "/", "a", "b", "A", "/a", "*", "*", "?", "é", "$(v)", "$(w)", "$(alpha)", "$(digit)",
        "$(upper)",
        "$(region)", "1", "%41",
    ]
    private static let texts = ["a", "b", "A", "1", "/", "é", "G", "GB", "%41", "a/b", "ab", ""]

    private static func pattern(_ generator: inout SeededGenerator) -> String {
        (0..<generator.below(5)).map { _ in paths[generator.below(paths.count)] }.joined()
    }

    private static func rule(_ generator: inout SeededGenerator) -> String {
        var members: [String] = []
        if generator.below(6) > 0 { members.append(#""/":"\#(pattern(&generator))""#) }
        switch generator.below(6) {
        case 0: members.append(#""?":"\#(pattern(&generator))""#)
        case 1: members.append(#""?":{"q":"\#(pattern(&generator))"}"#)
        case 2: members.append(#""?":{"q":"\#(pattern(&generator))","r":"*"}"#)
        default: break
        }
        if generator.below(6) == 0 { members.append(##""#":"\##(pattern(&generator))""##) }
        if generator.below(4) == 0 { members.append(#""caseSensitive":false"#) }
        if generator.below(6) == 0 { members.append(#""percentEncoded":false"#) }
        return members.joined(separator: ",")
    }

    private static func url(_ generator: inout SeededGenerator) -> String {
        let text = { (generator: inout SeededGenerator) in
            (0..<generator.below(5)).map { _ in texts[generator.below(texts.count)] }.joined()
        }
        var url = "https://harbour.test/" + text(&generator)
        switch generator.below(4) {
        case 0: url += "?" + text(&generator)
        case 1: url += "?q=" + text(&generator)
        case 2: url += "?q=" + text(&generator) + "&r&q=" + text(&generator)
        default: break
        }
        if generator.below(3) == 0 { url += "#" + text(&generator) }
        return url
    }

    @Test func noURLFitsACoveredRuleAndNotTheOneThatCoversIt() throws {
        var generator = SeededGenerator(seed: 195)
        let urls = (0..<400).map { _ in LinkURL(Self.url(&generator)) }
        var wrong: [String] = []
        var coverCount = 0
        var fitCount = 0
        for _ in 0..<6_000 {
            let outer = Self.rule(&generator)
            let inner = Self.rule(&generator)
            guard try Self.covers(outer, inner) else { continue }
            coverCount += 1
            let file = try Harbour.components("{\(outer)},{\(inner)}", links: Self.variables)
            let rules = try #require(file.details.first).rules
            for url in urls {
                var texts = LinkTexts(url)
                guard rules[1].failure(&texts) == nil else { continue }
                fitCount += 1
                if rules[0].failure(&texts) != nil { wrong.append("\(outer) | \(inner) | \(url)") }
            }
        }
        #expect(wrong.prefix(5).isEmpty, "\(wrong.count)")
        #expect(coverCount > 500)
        #expect(fitCount > 5_000)
    }

    @Test func aRuleThatIsRuledOutByItsEndsDoesNotFit() throws {
        var generator = SeededGenerator(seed: 4)
        let urls = (0..<60).map { _ in LinkURL(Self.url(&generator)) }
        var wrong: [String] = []
        for _ in 0..<400 {
            let texts = (0..<5).map { _ in "{\(Self.rule(&generator))}" }.joined(separator: ",")
            let file = try Harbour.components(texts, links: Self.variables)
            let detail = try #require(file.details.first)
            for url in urls {
                var forms = LinkTexts(url)
                let slow = detail.rules.firstIndex { $0.failure(&forms) == nil }
                if detail.firstFit(&forms) != slow { wrong.append("\(texts) | \(url)") }
            }
        }
        #expect(wrong.prefix(5).isEmpty)
    }
}
