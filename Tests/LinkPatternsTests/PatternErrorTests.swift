// Every fault of a pattern's text, with the byte that it points at.

import LinkPatterns
import Testing

@Suite struct PatternErrorTests {
    @Test(arguments: [
        ("(a", 0, "not closed"), ("x/(a/(b)", 2, "not closed"), ("(a?:b)", 0, "not closed"),
        (":num(id", 4, "not closed"), ("a?(:b", 2, "not closed"), ("a)", 1, "closes nothing"),
        ("a/(b))", 5, "closes nothing"), ("()", 0, "empty"), ("a/(/)", 2, "empty"),
        ("a|", 2, "branch is empty"), ("|a", 0, "branch is empty"),
        ("(a||b)", 3, "branch is empty"),
        ("(a|/)", 3, "branch is empty"), ("a|?:b", 2, "branch is empty"),
        ("a*", 1, "ends here"), ("*a", 1, "ends here"), ("(a)(b)", 3, "ends here"),
        ("(a)b", 3, "ends here"), ("a(b)", 1, "ends here"), ("a:b", 1, "ends here"),
        (":a:b", 2, "ends here"), (":num(a)b", 7, "ends here"), ("é*", 2, "ends here"),
        (":", 0, "no name"), ("a/:/b", 2, "no name"), (":number(a)", 1, "one of num"),
        (":(a)", 1, "one of num"), (":Num(a)", 1, "one of num"), (":num(a|b)", 6, "must follow"),
        (":num(a/b)", 6, "must follow"), (":num((a))", 5, "must follow"),
        ("a\u{0}b", 1, "U+0000"),
    ])
    func faultsOfThePathPointAtTheirByte(pattern: String, offset: Int, message: String) {
        expectFault(pattern, offset, message)
    }

    @Test(arguments: [
        ("*/*", 2), ("*/(*)/a", 3), ("*/(a/*)/b", 5), ("*/(a)/*", 6), ("(a/*)/*", 6),
        ("(*|a)/*", 6), ("*/(a|b/*)", 7), ("(a|*)/(b)/*", 10),
    ])
    func aWildcardInWhatAnotherWaitsForIsRefused(pattern: String, offset: Int) {
        expectFault(pattern, offset, "no place to stop")
    }

    @Test(arguments: [
        ("a?", 2, "begins with ':'"), ("a?b", 2, "begins with ':'"),
        ("a?:b&", 5, "begins with ':'"),
        ("a?:b&&:c", 5, "begins with ':'"), ("a?:b?:c", 4, "ends here"),
        ("a?()", 3, "begins with ':'"),
        ("a?*", 2, "begins with ':'"), ("a?:b|c", 5, "begins with ':'"),
        ("a?((:b))", 3, "begins with"),
        ("a?(:b&:c)", 5, "must follow"), ("a?(:b):c", 6, "ends here"), ("a?:b)", 4, "ends here"),
        ("a?:", 2, "no name"), ("a?:num()", 2, "needs a name"), ("a?:date(b)", 3, "one of num"),
        ("a?:num(b&c)", 8, "must follow"), ("a?(:b)|:c", 6, "ends here"),
    ])
    func faultsOfTheQueryPointAtTheirByte(pattern: String, offset: Int, message: String) {
        expectFault(pattern, offset, message)
    }

    @Test func patternsOverTheLimitsAreRefused() throws {
        expectFault(String(repeating: "a", count: 2_049), 2_048, "at most 2048 bytes")
        _ = try LinkPattern(String(repeating: "a", count: 2_048))
        let deep = String(repeating: "(", count: 33) + "a" + String(repeating: ")", count: 33)
        expectFault(deep, 32, "at most 32 brackets")
        _ = try LinkPattern(String(deep.dropFirst().dropLast()))
    }

    @Test func anErrorReadsAsASentenceWithItsPlace() {
        let error = #expect(throws: LinkPatternError.self) { try LinkPattern("a/(b") }
        #expect(error?.description == "this bracket is not closed (at byte 2)")
    }

    private func expectFault(
        _ pattern: String, _ offset: Int, _ message: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: LinkPatternError.self, sourceLocation: location) {
            try LinkPattern(pattern)
        }
        #expect(error?.offset == offset, "\(pattern)", sourceLocation: location)
        #expect(error?.message.contains(message) == true, "\(pattern)", sourceLocation: location)
    }
}
