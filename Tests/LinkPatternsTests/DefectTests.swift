// Where the first implementation of the language and its text disagree, and where it is merely
// odd: one case for each of the numbered findings, with the behaviour that this one has.

import LinkPatterns
import Testing

@Suite struct DefectTests {
    @Test(
        arguments: [
            ("D1", "profile/(info)", "/profile", ""),
            ("D3", "recipe/(details/:id)", "/recipe/details", ""),
            ("D3", "recipe/(details/:id)", "/recipe", ""),
            ("D3", "recipe/(details/:id)", "/recipe/details/5", "id=5"),
            ("D4", "(recipe|recipes/archive)", "/recipes", nil),
            ("D4", "(recipe|recipes/archive)", "/recipes/archive", ""),
            ("D5", ":userId/profile", "/7/profile", "userId=7"),
            ("D6", "(a|b)/x/(c|d)", "/b/x/c", ""),
            ("D6", "(a|b)/x/(c|d)", "/b/d", nil),
            ("D7", "profile/(:num(id))/edit", "/profile/edit", ""),
            ("D7", "profile/(:num(id))/edit", "/profile/5/edit", "id=5"),
            ("D8", "item/(:num(id)|:slug)", "/item/5", "id=5"),
            ("D8", "item/(:num(id)|:slug)", "/item/lamp", "slug=lamp"),
            ("D9", "(recipe|recipe/:id)", "/recipe/5", "id=5"),
            ("D9", "(recipe|recipe/:id)", "/recipe", ""),
            ("D9", "(recipe/:id|recipe)", "/recipe/5", "id=5"),
            ("D10", "a?(:a|:b|:c)", "/a?c=1", "c=1"),
            ("D10", "a?:a|:b|:c", "/a?b=1&d=2", "b=1"),
            ("D13", "*/(x)/y", "/a/y", ""),
            ("D13", "*/(x)/y", "/a/x/y", ""),
            ("D14", "recipe/*/(details/recipe|view)/:id", "/recipe/1/2/details/recipe/5", "id=5"),
            ("D14", "recipe/*/(details/recipe|view)/:id", "/recipe/1/view/5", "id=5"),
            ("D15", "*/data/abc", "/123/data/abc", ""),
            ("D15", "*/data/abc", "/123/data/data/abc", nil),
            ("D16", "(:a)/:b", "/1", nil),
            ("D16", "(:a)/:b", "/1/2", "a=1 b=2"),
            ("D16", "(a)/:b", "/a", nil),
            ("D17", "*/:id", "/a/b", "id=b"),
            ("D17", "*/:id", "/a/b/c", nil),
        ] as [(String, String, String, String?)])
    func patternsAreDecidedAs(
        finding: String, pattern: String, target: String, expected: String?
    ) throws {
        #expect(try captures(pattern, target) == expected, "\(finding)")
    }

    @Test(arguments: [
        ("D11", "user?userId", 5), ("D12", "user?(:a&:b)", 8), ("D18", "*/*", 2),
        ("D18", "a/(*/*)", 5), ("D11", "user?:id&userId", 9),
    ])
    func patternsThatCanNeverMatchAreRefused(finding: String, pattern: String, offset: Int) {
        let error = #expect(throws: LinkPatternError.self) { try LinkPattern(pattern) }
        #expect(error?.offset == offset, "\(finding)")
    }

    @Test func typedCapturesAreFoundByName() throws {
        let link = Link(components: ["5"], query: [QueryItem(name: "on", value: "true")])
        let parameters = try LinkPattern(":int(id)?:bool(on)").match(link)
        #expect(parameters?["id"] == "5")
        #expect(parameters?["on"] == "true")
    }

    @Test func aPatternRegisteredTwiceKeepsBothRoutes() throws {
        var router = Router<String>()
        router.add(try LinkPattern("a/:b"), "first")
        router.add(try LinkPattern("a/:b"), "second")
        let values = router.matches(Link(components: ["a", "1"])).map(\.value)
        #expect(values == ["first", "second"], "router-06")
    }
}
