// Patterns print as they are read, but for the documented normalisation.

import LinkPatterns
import Mutations
import Testing

@Suite struct PatternPrintingTests {
    @Test(arguments: [
        "", "dds", "callbacks/:vendor/:inbox", "api/v1/results/:id/request", "*", "a/*/b",
        ":num(id)/:str(a)/:bool(b)/:int(c)/:double(d)/:string(e)", ":num()", "(a)", "(a/(b)/:c)",
        "a|b/c", "(b/c|a)/d", "((a|b))", "(a|b)|c", "?:a", "a?:a&(:b)&:c|:num(d)", "a|b?:c",
        "recipe/*/(details/recipe|view)/:id", "a&b/\"c\"/é",
    ])
    func normalPatternsPrintUnchanged(pattern: String) throws {
        #expect(try LinkPattern(pattern).description == pattern)
    }

    @Test(arguments: [
        ("/", ""), ("/dds/", "dds"), ("a//b", "a/b"), ("(/a/|b//c/)", "a|b/c"),
        ("(a|b)?:c", "a|b?:c"), ("a?(:b|:c)", "a?:b|:c"), ("((a|b)|c)", "(a|b)|c"),
    ])
    func emptyComponentsAndBracketsThatSayNothingGo(pattern: String, printed: String) throws {
        let parsed = try LinkPattern(pattern)
        #expect(parsed.description == printed)
        #expect(try LinkPattern(printed) == parsed)
    }

    @Test func whatIsPrintedReadsAsTheSamePatternAndPrintsUnchanged() throws {
        var generator = SeededGenerator(seed: 508)
        for _ in 0..<5_000 {
            let pattern = generator.pattern()
            let printed = pattern.description
            #expect(try LinkPattern(printed) == pattern, "\(printed)")
            #expect(try LinkPattern(printed).description == printed)
        }
    }

    /// Brackets that reading allows without, printing must not add.
    @Test(arguments: [
        String(repeating: "a|", count: 1_023) + "bc",
        String(repeating: "a|", count: 1_000) + "b?:" + String(repeating: "c", count: 42) + "|:d",
        "a|" + String(repeating: "(", count: 32) + "b" + String(repeating: ")", count: 32),
    ])
    func patternsAtTheLimitsStayWithinThemInPrint(pattern: String) throws {
        let parsed = try LinkPattern(pattern)
        #expect(try LinkPattern(parsed.description) == parsed)
    }
}
