// Patterns print as they are read, but for the documented normalisation.
import AppLinks
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
}
