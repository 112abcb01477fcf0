// The router: order of registration, falling through, duplicates, and finding one among many.

import LinkPatterns
import Mutations
import Testing

@Suite struct RouterTests {
    private func router(_ patterns: [String]) throws -> Router<Int> {
        var router = Router<Int>()
        for (index, pattern) in patterns.enumerated() {
            router.add(try LinkPattern(pattern), index)
        }
        return router
    }

    @Test(arguments: [
        ("/dds", [0, 1, 3, 5, 6]), ("/x", [1, 5]), ("/callbacks/ailet", [2, 5]),
        ("/b", [1, 4, 5, 7]), ("/", [6]), ("/x/y/z", [5]), ("/b/c", [5, 7]),
    ])
    func everyMatchingRouteIsFoundInOrder(target: String, expected: [Int]) throws {
        let router = try router([
            "dds", ":any", "callbacks/:vendor", "dds/(:x)", "(a|b)", "*", "(dds)", "(a|(b|c)/(c))",
        ])
        let link = try #require(Link(target: target))
        #expect(router.matches(link).map(\.value) == expected)
        #expect(router.match(link)?.value == expected.first)
    }

    @Test func theFirstMatchComesWithItsParameters() throws {
        let router = try router(["callbacks/:vendor", "callbacks/:vendor/:inbox"])
        let link = try #require(Link(target: "/callbacks/rezolve/qa?x=1"))
        let match = try #require(router.match(link))
        #expect(match.value == 1)
        #expect(match.parameters["vendor"] == "rezolve")
        #expect(match.parameters["inbox"] == "qa")
    }

    @Test func aHandlerThatDeclinesLeavesTheLinkToTheNextRoute() throws {
        let router = try router([":a", ":b", ":c"])
        var asked: [Int] = []
        for (value, _) in router.matches(Link(components: ["x"])) {
            asked.append(value)
            if value == 1 { break }
        }
        #expect(asked == [0, 1])
    }

    @Test func thePatternRegisteredTwiceKeepsBothValues() throws {
        let router = try router(["dds", "dds"])
        #expect(router.matches(Link(components: ["dds"])).map(\.value) == [0, 1])
    }

    @Test func aRouterWithoutRoutesMatchesNothing() {
        #expect(Router<Int>().match(Link(components: [])) == nil)
        #expect(Router<Int>().match(Link(components: ["a"])) == nil)
    }

    @Test func aThousandRoutesAreEachFound() throws {
        let router = try router((0..<1_000).map { "route\($0)/:id" } + [":any/:id"])
        for index in 0..<1_000 {
            let link = Link(components: ["route\(index)", "5"])
            #expect(router.matches(link).map(\.value) == [index, 1_000])
        }
    }

    @Test func alternativesInFrontAreFoundUnderEachOfTheirLiterals() throws {
        let router = try router(["(a/x|b|(c|a))/:id", "(a|:b)/:id"])
        for component in ["a", "b", "c"] {
            let link = Link(components: [component, "5"])
            #expect(router.matches(link).map(\.value) == [0, 1])
        }
        #expect(router.matches(Link(components: ["d", "5"])).map(\.value) == [1])
        #expect(router.matches(Link(components: ["a", "x", "5"])).map(\.value) == [0])
    }

    @Test func routesWithTheSameLiteralsInFrontAreEachFound() throws {
        let router = try router((0..<1_000).map { "api/v1/name-\($0)/:id" } + ["api/(v1)/:a/:b"])
        for index in 0..<1_000 {
            let link = Link(components: ["api", "v1", "name-\(index)", "5"])
            #expect(router.matches(link).map(\.value) == [index, 1_000])
        }
        #expect(router.match(Link(components: ["api", "v1", "name-0"])) == nil)
    }

    /// 500 tables with up to 12 routes, and 20 links for each.
    @Test func whatIsFoundIsWhatLookingAtEveryRouteInOrderFinds() {
        var generator = SeededGenerator(seed: 1_205)
        var foundCount = 0
        for round in 0..<500 {
            let patterns = (0..<generator.below(13)).map { _ in generator.pattern() }
            var router = Router<Int>()
            for (index, pattern) in patterns.enumerated() { router.add(pattern, index) }
            for _ in 0..<20 {
                let link = generator.link()
                let expected = patterns.indices.filter { patterns[$0].match(link) != nil }
                #expect(router.matches(link).map(\.value) == expected, "round \(round): \(link)")
                foundCount += expected.count
            }
        }
        #expect(foundCount > 2_000)
    }
}
