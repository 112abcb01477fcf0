// The path half of the pattern language: what each element takes, and that nothing is retried.

import LinkPatterns
import Testing

@Suite struct PathMatchingTests {
    @Test(arguments: [
        ("recipes", "/recipes"), ("/recipes/", "recipes"), ("recipes", "//recipes//"),
        ("recipes/archive", "/recipes/archive/"), ("recipes//archive", "/recipes/archive"),
        ("", "/"), ("/", ""), ("dds", "/dds/"), ("kids recipes", "/kids%20recipes"),
        ("caffè", "/caff%C3%A8"), ("a&b", "/a&b"), ("\"a\"", "/%22a%22"), ("50%", "/50%25"),
        ("\"a/b\"", "/%22a/b%22"), ("num", "/num"), ("a=b;c", "/a=b;c"),
        (".well-known/a", "/.well-known/a"),
    ])
    func equalComponentsMatch(pattern: String, target: String) throws {
        #expect(try captures(pattern, target) == "")
    }

    @Test(arguments: [
        ("recipes", "/Recipes"), ("recipes", "/recipes/1"), ("recipes/1", "/recipes"),
        ("recipes", "/recipe"), ("recipes", "/"), ("", "/recipes"), ("a/b", "/a%2Fb"),
        ("50%25", "/50%25"), ("callbacks/:vendor", "/callbacks"),
        ("callbacks/:vendor", "/callbacks/ailet/default"),
    ])
    func otherComponentsDoNot(pattern: String, target: String) throws {
        #expect(try captures(pattern, target) == nil)
    }

    @Test(arguments: [
        ("callbacks/:vendor", "/callbacks/welltory", "vendor=welltory"),
        ("callbacks/:vendor/:inbox", "/callbacks/ailet/qa", "vendor=ailet inbox=qa"),
        ("api/v1/results/:id/request", "/api/v1/results/019a/request", "id=019a"),
        (":host/dds", "/www.yourapp.com/dds", "host=www.yourapp.com"),
        (":a", "/x%2Fy", "a=x/y"), (":a", "/1+1", "a=1+1"), (":num", "/x", "num=x"),
        (":a/:b/:a", "/1/2/3", "a=3 b=2"), (":num(a)/:a", "/1/2", "a=2"),
        (":num()/:str(b)", "/1/x", "b=x"),
    ])
    func parametersCaptureTheDecodedComponent(
        pattern: String, target: String, expected: String
    ) throws {
        #expect(try captures(pattern, target) == expected)
    }

    @Test(arguments: [
        ("num", ["1", "-1.5", "1e3", "nan", "inf", "0x1p3", "+2"], ["", "x", "1,5", " 1", "1x"]),
        ("double", ["1", ".5", "infinity"], ["one", "0x"]),
        (
            "int", ["0", "-7", "+7", "9223372036854775807"],
            ["1.0", "9223372036854775808", "0x1", ""]
        ),
        ("bool", ["true", "FALSE", "True", "0", "1"], ["yes", "", "2", "truE ", "t", "00"]),
        ("str", ["", "x", "1"], []),
        ("string", ["", "x", "é"], []),
    ])
    func typesAcceptWhatSwiftReads(type: String, accepted: [String], refused: [String]) throws {
        let pattern = try LinkPattern(":\(type)(value)")
        for text in accepted {
            #expect(pattern.match(Link(components: [text]))?["value"] == text)
        }
        for text in refused {
            #expect(pattern.match(Link(components: [text])) == nil, "\(type) took \(text)")
        }
    }

    @Test(
        arguments: [
            ("profile/(edit)", "/profile/edit", ""), ("profile/(edit)", "/profile", ""),
            ("profile/(edit)", "/profile/view", nil), ("(en)/home", "/home", ""),
            ("(en)/home", "/en/home", ""), ("(:num(page))/last", "/7/last", "page=7"),
            ("(:num(page))/last", "/last", ""), ("((a|b))/c", "/c", ""), ("((a|b))/c", "/b/c", ""),
            ("(a/(b/c)/d)", "/a/b", ""), ("(a/(b/c)/d)", "/a/d", ""),
            ("(a/(b/c)/d)", "/a/b/d", nil),
            ("(:a/x)/:b", "/1", nil), ("(:a/x)/:b/:c", "/1/2", "b=1 c=2"), ("((a))/b", "/a/b", ""),
        ] as [(String, String, String?)])
    func optionalGroupsAreTakenWhereTheyFit(
        pattern: String, target: String, expected: String?
    ) throws {
        #expect(try captures(pattern, target) == expected)
    }

    @Test(
        arguments: [
            ("a|b/c", "/a", ""), ("a|b/c", "/b/c", ""), ("a|b/c", "/a/c", nil),
            ("(a|b)/c", "/b/c", ""), ("(a|b)/c", "/b", nil), ("a|b|c", "/c", ""),
            ("(:num(id)|:slug)", "/5", "id=5"), ("(:slug|:num(id))", "/5", "slug=5"),
            ("((a|b)|c)/d", "/b/d", ""), ("(a/:x/b|a/:y)", "/a/1", "y=1"),
            ("(a|(b/c)/:id)", "/b/c/1", "id=1"), ("(a|(b)/:id)/z", "/b/1/z", "id=1"),
            ("(a|b)|c", "/c", ""),
        ] as [(String, String, String?)])
    func oneCompleteBranchIsTakenTheLongestFirst(
        pattern: String, target: String, expected: String?
    ) throws {
        #expect(try captures(pattern, target) == expected)
    }

    @Test(
        arguments: [
            ("*", "/a", ""), ("*", "/a/b/c", ""), ("*", "/", nil), ("data/*", "/data", nil),
            ("data/*", "/data/1/2", ""), ("*/end", "/1/2/end", ""), ("*/end", "/end", nil),
            ("*/end", "/1/end/2", nil), ("a/*/b/*/c", "/a/1/b/2/3/c", ""),
            ("a/*/:num(id)", "/a/x/y/5", "id=5"), ("*/(page/:n)", "/a/b/page/2", "n=2"),
            ("*/(page/:n)", "/a/b", ""), ("*/(:num(n))", "/a/1/2", "n=2"),
            ("(a/*)/end", "/a/1/end", ""), ("(a/*/b)/end", "/end", ""), ("(a/*/b)", "/a/1/2", ""),
            ("(a/*|b)/end", "/a/1/2/end", ""), ("(*/x|:y)/z", "/1/x/z", ""),
            ("(*/x|:y)/z", "/1/z", "y=1"),
        ] as [(String, String, String?)])
    func aWildcardTakesOneOrMoreUpToWhatFollows(
        pattern: String, target: String, expected: String?
    ) throws {
        #expect(try captures(pattern, target) == expected)
    }

    @Test func aHostMayComeFirst() throws {
        let link = Link(components: ["www.yourapp.com", "dds"])
        #expect(try LinkPattern("www.yourapp.com/:path").match(link)?["path"] == "dds")
    }

    @Test func namesThatWereNotCapturedHaveNoText() throws {
        let parameters = try #require(try LinkPattern("(:num(a))/b").match(Link(components: ["b"])))
        #expect(parameters["a"] == nil)
        #expect(parameters.captures.isEmpty)
    }
}
