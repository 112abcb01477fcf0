// Links from patterns and values: what is printed is matched with the same values, else it is refused.

import LinkPatterns
import Mutations
import Testing

@Suite struct LinkPrintingTests {
    @Test(
        arguments: [
            ("recipes", [:], "/recipes"), ("", [:], "/"), ("a//b/", [:], "/a/b"),
            ("recipe/:id", ["id": "5"], "/recipe/5"),
            ("été/:a", ["a": "x y"], "/%C3%A9t%C3%A9/x%20y"),
            (":a/:b", ["a": "1/2", "b": "3?&=#+%"], "/1%2F2/3%3F%26%3D%23%2B%25"),
            (":a/:a", ["a": "1"], "/1/1"), (":a?:a", ["a": "1"], "/1?a=1"),
            ("a/(b)/(c/:id)", [:], "/a"), ("a/(b)/(c/:id)", ["id": "1"], "/a/c/1"),
            ("(a/(:x)/:y)", ["x": "1", "y": "2"], "/a/1/2"),
            ("(recipe|recipe/:id)", [:], "/recipe"),
            ("(recipe|recipe/:id)", ["id": "5"], "/recipe/5"),
            ("(a|b)/c", [:], "/a/c"), ("(a/:x|b/:x)", ["x": "1"], "/a/1"),
            ("(:num(x)|b/:x/:y)", ["x": "1"], "/1"),
            ("(:num(x)|b/:x/:y)", ["x": "1", "y": "2"], "/b/1/2"),
            ("(:num(x)|b/:x)", ["x": "z"], "/b/z"), ("(*/a|b)", [:], "/b"), ("a/(*)", [:], "/a"),
            ("a/(:num())", [:], "/a"), ("a?:b&(:c)", ["b": ""], "/a?b="),
            ("a?:b&(:c)", ["b": "1+1", "c": "x&y"], "/a?b=1%2B1&c=x%26y"),
            ("?:b", ["b": "1"], "/?b=1"),
            ("a?:b|:c", ["c": "1"], "/a?c=1"), ("a?:num(b)|:str(b)", ["b": "x"], "/a?b=x"),
            ("a?:b&:b", ["b": "1"], "/a?b=1&b=1"),
            (":int(a)/:bool(b)", ["a": "-1", "b": "TRUE"], "/-1/TRUE"),
        ] as [(String, [String: String], String)])
    func linksHaveTheValuesInTheirPlaces(
        pattern: String, values: [String: String], target: String
    ) throws {
        let pattern = try LinkPattern(pattern)
        let link = try pattern.link(with: values)
        #expect(link.target == target)
        #expect(Link(target: target) == link)
        let captures = pattern.match(link)?.captures.map { ($0.name, $0.value) } ?? []
        #expect(Dictionary(uniqueKeysWithValues: captures) == values)
    }

    @Test(
        arguments: [
            ("a/:id", [:], .missingValue(name: "id")), ("a?:id", [:], .missingValue(name: "id")),
            ("a?:b|:c", [:], .missingValue(name: "b")),
            ("a/(:x/:y)", ["y": "1"], .missingValue(name: "x")),
            ("(a/:x|b/:y)", [:], .missingValue(name: "x")),
            ("a/:int(id)", ["id": "x"], .wrongType(name: "id", value: "x", type: "int")),
            ("a?:bool(b)", ["b": ""], .wrongType(name: "b", value: "", type: "bool")),
            ("a?(:num(b))", ["b": "x"], .wrongType(name: "b", value: "x", type: "num")),
            ("a?:num(b)|:c", ["b": "x"], .wrongType(name: "b", value: "x", type: "num")),
            ("a/(:num(b))", ["b": "x"], .wrongType(name: "b", value: "x", type: "num")),
            ("(a/:x|b/:num(y))", ["y": "z"], .wrongType(name: "y", value: "z", type: "num")),
            (":a", ["a": ""], .unrepresentableValue(name: "a")),
            (":a", ["a": "."], .unrepresentableValue(name: "a")),
            (":a", ["a": ".."], .unrepresentableValue(name: "a")),
            (":a", ["a": "\0"], .unrepresentableValue(name: "a")),
            ("?:a", ["a": "x\0"], .unrepresentableValue(name: "a")),
            ("a/*", [:], .namelessElement("*")), ("a/:num()", [:], .namelessElement(":num()")),
            ("a/(*/:b)", ["b": "1"], .namelessElement("*")),
            ("a", ["b": "1"], .unusedValue(name: "b")),
            ("(a/:x|b/:y)", ["x": "1", "y": "2"], .unusedValue(name: "y")),
            ("a?:b|:c", ["b": "1", "c": "2"], .unusedValue(name: "c")),
            ("(:a)/:b", ["b": "1"], .ambiguous(target: "/1")),
            ("(:num(id)|:slug)", ["slug": "5"], .ambiguous(target: "/5")),
            ("(a/(:x)/:y)", ["y": "1"], .ambiguous(target: "/a/1")),
            ("(en)/:page", ["page": "en"], .ambiguous(target: "/en")),
        ] as [(String, [String: String], LinkPrintingError)])
    func whatCannotBePrintedIsRefused(
        pattern: String, values: [String: String], expected: LinkPrintingError
    ) throws {
        let pattern = try LinkPattern(pattern)
        #expect(throws: expected) { try pattern.link(with: values) }
    }

    @Test(arguments: [
        (LinkPrintingError.missingValue(name: "id"), "a value for \"id\" is missing"),
        (
            .wrongType(name: "id", value: "x", type: "int"),
            "\"x\" is not a value for \"id\", whose type is int"
        ),
        (.ambiguous(target: "/en"), "\"/en\" would be read with other values, or not at all"),
    ])
    func refusalsReadAsSentences(error: LinkPrintingError, sentence: String) {
        #expect(error.description == sentence)
    }

    /// What a pattern took from a link, it writes into a link, and takes the same from that.
    @Test func whatWasCapturedIsPrintedAndCapturedAgain() throws {
        var generator = SeededGenerator(seed: 5_083)
        var matchCount = 0
        var printCount = 0
        for _ in 0..<40_000 {
            let pattern = generator.pattern()
            guard let parameters = pattern.match(generator.link()) else { continue }
            matchCount += 1
            let values = Dictionary(
                uniqueKeysWithValues: parameters.captures.map { ($0.name, $0.value) })
            guard let link = try? pattern.link(with: values) else { continue }
            printCount += 1
            let again = try #require(Link(target: link.target))
            #expect(again == link, "\(pattern)")
            let captures = pattern.match(again)?.captures ?? []
            #expect(captures.count == values.count, "\(pattern) \(link.target)")
            #expect(
                captures.allSatisfy { values[$0.name] == $0.value }, "\(pattern) \(link.target)")
        }
        #expect(matchCount > 1_000)
        #expect(printCount * 2 > matchCount)
    }
}
