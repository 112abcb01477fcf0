// Which patterns are known to match the same links.

import LinkPatterns
import Testing

@Suite struct PatternEquivalenceTests {
    @Test(arguments: [
        ("dds", "/dds/"), ("a/:b", "a/:c"), ("a/:b", "a/:string(c)"), (":num(a)", ":double()"),
        ("(:a|b/(:c))/*", "(:x|b/(:y))/*"), ("a?:b", "a?:str(b)"), ("a|b", "(a|b)"),
    ])
    func namesAndSpellingsOfAPathDontMatter(one: String, other: String) throws {
        #expect(try LinkPattern(one).matchingForm == LinkPattern(other).matchingForm)
    }

    @Test(arguments: [
        ("a", "b"), ("a", "a/b"), ("a/:b", "a/b"), ("a/:b", "a/:int(b)"), ("a/:b", "a/(:b)"),
        ("a/*", "a/:b"), ("a", "a?:b"), ("a?:b", "a?:c"), ("a?:b", "a?(:b)"), ("a|b", "a/b"),
    ])
    func whatDecidesAMatchMatters(one: String, other: String) throws {
        #expect(try LinkPattern(one).matchingForm != LinkPattern(other).matchingForm)
    }
}
