// Patterns as Swift's operators: each means what its text means, and nothing traps.

import LinkPatterns
import Testing

extension PatternParameter {
    fileprivate static let userId = PatternParameter("userId")
    fileprivate static let locale = PatternParameter("locale")
}

extension PathPattern {
    fileprivate static let profile: PathPattern = "profile"
}

@Suite struct OperatorTests {
    @Test(
        arguments: [
            ("a" / .userId, "a/:userId"), ("a" / "b", "a/b"), (.userId / "a", ":userId/a"),
            (.userId / .locale, ":userId/:locale"), (.profile / .userId, "profile/:userId"),
            ("a" / .named("b") / .any / "c" / .num("d"), "a/:b/*/c/:num(d)"),
            (.num("a") / .str("b") / .bool("c"), ":num(a)/:str(b)/:bool(c)"),
            (.int("a") / .double("b") / .string("c"), ":int(a)/:double(b)/:string(c)"),
            (
                .num() / .str() / .bool() / .int() / .double(),
                ":num()/:str()/:bool()/:int()/:double()"
            ),
            ("a" / .string(), "a/:string()"), ("num" / .named("num"), "num/:num"),
            (.any, "*"), (.root, ""), ("a", "a"), ("a" / .root / "b", "a/b"), (.root / "a", "a"),
            (PathPattern(component: "été") / "a&b\"", "été/a&b\""),
        ] as [(PathPattern, String)])
    func componentsFollowEachOther(path: PathPattern, text: String) throws {
        try expect(path, isWrittenAs: text)
    }

    @Test(
        arguments: [
            ("a" /? "b", "a/(b)"), ("a" /? .userId, "a/(:userId)"), (.userId /? "b", ":userId/(b)"),
            (.userId /? .locale, ":userId/(:locale)"), (.profile /? .any, "profile/(*)"),
            ("a" /? "b" / "c", "a/(b)/c"), ("a" /? ("b" / .userId), "a/(b/:userId)"),
            ("a" /? ("b" /? ("c" / .userId)), "a/(b/(c/:userId))"), (.root /? "a" / "b", "(a)/b"),
            ("a" /? ("b" | "c"), "a/((b|c))"), ("a" /? (.root /? "b"), "a/((b))"),
            (.userId | .root /? "b" / "c", ":userId|(b)/c"),
        ] as [(PathPattern, String)])
    func optionalPartsAreGroups(path: PathPattern, text: String) throws {
        try expect(path, isWrittenAs: text)
    }

    @Test(
        arguments: [
            ("a" | "b", "a|b"), ("a" | "b" | "c", "a|b|c"), ("a" | ("b" | "c"), "a|b|c"),
            ("a" | "b" / "c", "a|b/c"), (("a" | "b") / "c", "(a|b)/c"),
            ("a" / ("b" | "c") / "d", "a/(b|c)/d"), ("a" / ("b" | "c" | "d"), "a/(b|c|d)"),
            (.userId | "a", ":userId|a"), ("a" | .userId, "a|:userId"),
            ("item" / (.num("id") | .named("slug")), "item/(:num(id)|:slug)"),
            ("item" / (.num("id") | .bool("b") | .named("c")), "item/(:num(id)|:bool(b)|:c)"),
            (("a" / ("b" | "c")) | "d", "a/(b|c)|d"),
            (.profile | "user" / .userId, "profile|user/:userId"),
            ((.profile | "user") / .userId, "(profile|user)/:userId"),
            (("a" | "b") / "x" / ("c" | "d"), "(a|b)/x/(c|d)"), ("a" | .any / "b", "a|*/b"),
        ] as [(PathPattern, String)])
    func alternativesBindLessThanSlashes(path: PathPattern, text: String) throws {
        try expect(path, isWrittenAs: text)
    }

    @Test(
        arguments: [
            (.root .? .userId, "?:userId"), ("a" .? .userId, "a?:userId"),
            (.userId .? .userId, ":userId?:userId"), ("a" .?? .userId, "a?(:userId)"),
            (.userId .?? .locale, ":userId?(:locale)"),
            (.any / .profile .? .userId & .locale, "*/profile?:userId&:locale"),
            (.any / .profile .? .userId &? .locale, "*/profile?:userId&(:locale)"),
            ("a" .?? .userId & .num("b") &? .bool("c"), "a?(:userId)&:num(b)&(:bool(c))"),
            (.any / .profile .? .userId .& .locale, "*/profile?:userId&:locale"),
            (.any / .profile .? .userId .&? .locale, "*/profile?:userId&(:locale)"),
            ("a" .?? .userId .& .num("b") .&? .bool("c"), "a?(:userId)&:num(b)&(:bool(c))"),
            ("a" .? .userId .&? .bool("c") .& .num("b"), "a?:userId&(:bool(c))&:num(b)"),
            ("a" .? .named("b") .& (.userId | .locale), "a?:b&:userId|:locale"),
            ("a" .? (.userId | .locale), "a?:userId|:locale"),
            ("a" .? (.userId | .locale | .int("c")), "a?:userId|:locale|:int(c)"),
            (.userId .? (.userId | .locale), ":userId?:userId|:locale"),
            ("a" .? .named("b") & (.userId | .locale), "a?:b&:userId|:locale"),
            (("a" | "b") .? .userId, "a|b?:userId"), ("a" /? "b" .? .userId, "a/(b)?:userId"),
            ("a" .? .named("b/c"), "a?:b/c"),
        ] as [(QueryPattern, String)])
    func queriesBeginAfterTheirOperator(pattern: QueryPattern, text: String) throws {
        #expect(try LinkPattern(pattern) == LinkPattern(text))
        #expect(pattern.description == text)
    }

    @Test(
        arguments: [
            ("profile" /? "info", "profile/(info)"),
            ("profile" /? .num("id") / "edit", "profile/(:num(id))/edit"),
            ("recipe" /? ("details" / .named("id")), "recipe/(details/:id)"),
            ("recipe" | "recipes" / "archive", "(recipe|recipes/archive)"),
            (.any /? "x" / "y", "*/(x)/y"),
            (
                "recipe" / .any / ("details" / "recipe" | "view") / .named("id"),
                "recipe/*/(details/recipe|view)/:id"
            ),
            (.root /? .named("a") / .named("b"), "(:a)/:b"), (.any / .named("id"), "*/:id"),
        ] as [(PathPattern, String)])
    func theDefectsOfTheFirstImplementationAreMendedInThisFormToo(
        path: PathPattern, text: String
    ) throws {
        #expect(try LinkPattern(path) == LinkPattern(text))
    }

    @Test(
        arguments: [
            ("a" / "b/c", "can't hold '/'", 3), ("a*", "can't hold '*'", 1),
            ("a" / ":b", "can't hold ':'", 2), ("é(", "can't hold '('", 2),
            ("x" / ("a" | "b)"), "can't hold ')'", 6), ("a|b" / "c", "can't hold '|'", 1),
            ("a" /? "b?", "can't hold '?'", 4), ("a" / "" / "b", "can't be empty", 2),
            ("", "can't be empty", 0), (PathPattern(component: "a/b"), "can't hold '/'", 1),
            ("a" / .named("b/c"), "can't hold '/'", 4), ("a" / .num("b(c"), "can't hold '('", 8),
            ("a" / .named(""), "no name", 2), (.named("") | "a", "no name", 0),
            (.any / .any, "no place to stop", 2), (.any /? "a" / .any, "no place to stop", 6),
            ("a" | .root, "branch is empty", 2), ("a" /? .root, "brackets are empty", 2),
            ("a\u{0}", "U+0000", 1), ("a*" / "b/c", "can't hold '*'", 1),
        ] as [(PathPattern, String, Int)])
    func whatIsNoPatternIsThrown(path: PathPattern, message: String, offset: Int) {
        let error = #expect(throws: LinkPatternError.self) { try LinkPattern(path) }
        #expect(error?.message.contains(message) == true, "\(path)")
        #expect(error?.offset == offset, "\(path)")
    }

    @Test(
        arguments: [
            ("a" .? .named("b&c"), "can't hold '&'", 4), ("a" .? .named(""), "no name", 2),
            ("a" .? .num(), "needs a name", 2),
            ("a" .? (.userId | .named("?")), "can't hold '?'", 11),
            ("a/b" .? .userId, "can't hold '/'", 1),
            (.any / .any .? .userId, "no place to stop", 2),
            ("a" .?? .bool("b") &? .bool("(c"), "can't hold '('", 20),
        ] as [(QueryPattern, String, Int)])
    func whatIsNoQueryIsThrown(pattern: QueryPattern, message: String, offset: Int) {
        let error = #expect(throws: LinkPatternError.self) { try LinkPattern(pattern) }
        #expect(error?.message.contains(message) == true, "\(pattern)")
        #expect(error?.offset == offset, "\(pattern)")
    }

    @Test func theLimitsOfTextsHoldForOperatorsToo() throws {
        var path: PathPattern = "a"
        for _ in 0..<32 { path = (.root /? path) }
        _ = try LinkPattern(path)
        #expect(throws: LinkPatternError.self) { try LinkPattern(.root /? path) }
        var long: PathPattern = "a"
        for _ in 0..<1_024 { long = long / "b" }
        #expect(throws: LinkPatternError.self) { try LinkPattern(long) }
    }

    @Test func operatorsOfNumbersAreStillThoseOfNumbers() {
        #expect([6, 8].map { $0 / 2 | 1 & 3 } == [3, 5])
        #expect(Set([1, 2]).union([3]).map { $0 / 1 }.count == 3)
    }

    @Test func parametersAreLookedUpAsTheyAreWritten() throws {
        let pattern = try LinkPattern("user" / .userId .?? .locale)
        let link = Link(components: ["user", "7"])
        #expect(pattern.match(link)?[.userId] == "7")
        #expect(pattern.match(link)?[.locale] == nil)
        #expect(pattern.match(link)?[.num()] == nil)
    }

    private func expect(
        _ path: PathPattern, isWrittenAs text: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try LinkPattern(path) == LinkPattern(text), sourceLocation: location)
        #expect(path.description == text, sourceLocation: location)
    }
}
