// Which patterns are known to match all links of another one.

import LinkPatterns
import Mutations
import Testing

@Suite struct PatternCoverageTests {
    @Test(arguments: [
        ("dds", "/dds/"), ("a/:b", "a/:c"), ("a/:b", "a/:string(c)"), (":num(a)", ":double()"),
        ("(:a|b/(:c))/*", "(:x|b/(:y))/*"), ("a?:b", "a?:str(b)"), ("a|b", "(a|b)"),
        ("a", "a?(:b)"),
    ])
    func whatDecidesNoMatchDoesntMatter(one: String, other: String) throws {
        #expect(try LinkPattern(one).covers(LinkPattern(other)))
        #expect(try LinkPattern(other).covers(LinkPattern(one)))
    }

    @Test(arguments: [
        (":x", "flux"), ("*", "flux"), ("*", "a/*/b"), (":x/:y", "a/:int(b)"), (":num(a)", "7"),
        ("a/*", "a/:b/(c)"), ("a/:b", "a/(b|c)"), (":num(a)", ":int(a)"), ("a/(:b)", "a"),
        ("a/(:b)", "a/b"), ("a/(b/(*))", "a/b/c/*"), (":a/(:b)", "a/(b)"), ("a|b/c", "b/c"),
        ("(a)/b", "b"), ("*/end", "a/b/end"), (":x", "flux?:status"),
        ("a?:status", "a?:status&:response"), (":x?:b", "a?:int(b)"), ("a?:b|:c", "a?:c"),
    ])
    func aBroaderPatternCoversANarrowerOne(broad: String, narrow: String) throws {
        #expect(try LinkPattern(broad).covers(LinkPattern(narrow)))
        #expect(try !LinkPattern(narrow).covers(LinkPattern(broad)))
    }

    @Test(arguments: [
        ("a", "b"), ("a", "a/b"), ("a/:b", "a/:c/d"), ("a/:int(b)", "a/b"), ("*", ""),
        ("a/:int(b)", "a/:num(b)"), ("a/*", "a/(b)"), ("a/:b", "a/*"), ("a/:b", "*"),
        ("a/:b", "a/(b)"), ("a?:b", "a"), ("a?:b", "a?:c"), ("a?:b", "a?(:b)"), ("a|b", "a/b"),
        ("a?:int(b)", "a?:b"), ("a?:b&:b", "a?:b"), ("a?(:b)&:b", "a?:b"), ("a/b", "a/(b/c)"),
    ])
    func whatDecidesAMatchMatters(one: String, other: String) throws {
        #expect(try !LinkPattern(one).covers(LinkPattern(other)))
    }

    @Test func everyLinkOfACoveredPatternMatches() {
        var generator = SeededGenerator(seed: 1_417)
        let patterns = (0..<300).map { _ in generator.pattern() }
        let links = (0..<300).map { _ in generator.link() }
        var matchCount = 0
        var faults: [String] = []
        for pattern in patterns {
            for other in patterns where other != pattern && pattern.covers(other) {
                for link in links where other.match(link) != nil {
                    matchCount += 1
                    if pattern.match(link) == nil {
                        faults.append("\(pattern) isn't broader than \(other): \(link.target)")
                    }
                }
            }
        }
        #expect(faults.isEmpty)
        #expect(matchCount > 100)
    }
}
