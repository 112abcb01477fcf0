// Why a pattern doesn't take a link: the furthest place, and what it has there.

import LinkPatterns
import Mutations
import Testing

@Suite struct LinkMismatchTests {
    @Test(arguments: [
        ("a/b", "/a/c", "component 2 is \"c\"; expected \"b\""),
        ("a/b", "/a", "component 2 is missing; expected \"b\""),
        ("a", "/a/b", "component 2 is \"b\"; expected the end"),
        ("a/(b)", "/a/c", "component 2 is \"c\"; expected \"b\" or the end"),
        ("a/(b|:num(c))", "/a/c", "component 2 is \"c\"; expected \"b\" or \":num(c)\""),
        ("(a/x|b/y/z)/w", "/b/y/w", "component 3 is \"w\"; expected \"z\""),
        ("a/*/end", "/a/b/c", "component 4 is missing; expected \"end\""),
        ("*", "/", "component 1 is missing; expected \"*\""),
        ("", "/a", "component 1 is \"a\"; expected the end"),
        ("a?:b&:c", "/a?b=1", "the query has no matching item for \":c\""),
        ("a?:num(b)|:c", "/a?b=x", "the query has no matching item for \":num(b)|:c\""),
    ])
    func mismatchesNameTheFurthestPlace(pattern: String, target: String, text: String) throws {
        let link = try #require(Link(target: target))
        #expect(try LinkPattern(pattern).mismatch(link)?.description == text)
    }

    @Test func linksThatMatchHaveNoMismatchAndOthersHaveOne() {
        var generator = SeededGenerator(seed: 88)
        for _ in 0..<10_000 {
            let pattern = generator.pattern()
            let link = generator.link()
            let mismatch = pattern.mismatch(link)
            #expect((mismatch == nil) == (pattern.match(link) != nil), "\(pattern) \(link)")
            if let mismatch {
                #expect(!mismatch.expected.isEmpty || mismatch.mayEnd, "\(pattern) \(link)")
            }
        }
    }
}
