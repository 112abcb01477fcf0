// Deciding about links, linting a file, and finding a route.

import AppLinks
import LinkPatterns

extension Row {
    /// Microseconds and milliseconds of what is asked of link files.
    static func ofLinks(rounds: Int) throws -> [Row] {
        let file = try AppSiteAssociation(reading: Documents.rules(200))
        let last = LinkURL("https://example.com/section-199/some/article?id=42&lang=en")
        let none = LinkURL("https://example.com/elsewhere/some/article?id=42&lang=en")
        let queries = try AppSiteAssociation(reading: Documents.queryRules(200))
        let large = Documents.largestLinks()
        let dense = Documents.densestRules()
        return [
            try row(
                "decision-last", "decide: the last of 200 rules fits", "µs", rounds,
                { _ = file.decide(last) }),
            try row(
                "decision-none", "decide: none of 200 rules fits", "µs", rounds,
                { _ = file.decide(none) }),
            try row(
                "decision-queries", "decide: none of 200 rules fits, all of them about the query",
                "µs", rounds, { _ = queries.decide(none) }),
            try row(
                "lint-128k", "lint: \(large.count) bytes, \(try ruleCount(large)) rules", "ms",
                rounds, { _ = AppSiteAssociation.findings(in: large) }),
            try row(
                "lint-dense", "lint: \(dense.count) bytes, \(try ruleCount(dense)) rules", "ms",
                rounds, { _ = AppSiteAssociation.findings(in: dense) }),
        ]
    }

    private static func ruleCount(_ file: [UInt8]) throws -> Int {
        try AppSiteAssociation(reading: file).details.reduce(0) { $0 + $1.rules.count }
    }

    /// Nanoseconds of finding a route, for few routes and for many.
    static func ofRouting(rounds: Int) throws -> [Row] {
        try [10, 1000].flatMap { count in
            var apart = Router<Int>()
            var together = Router<Int>()
            for number in 0..<count {
                apart.add(try LinkPattern("section-\(number)/:id"), number)
                together.add(try LinkPattern("api/v1/section-\(number)/:id"), number)
            }
            let link = Link(components: ["section-\(count - 1)", "42"])
            let deep = Link(components: ["api", "v1", "section-\(count - 1)", "42"])
            return [
                try row(
                    "route-apart-\(count)", "route: \(count) routes without a common prefix", "ns",
                    rounds, { _ = apart.match(link) }),
                try row(
                    "route-together-\(count)", "route: \(count) routes under one prefix", "ns",
                    rounds, { _ = together.match(deep) }),
            ]
        }
    }

    /// The figures of one work.
    static func row(
        _ name: String, _ what: String, _ unit: String, _ rounds: Int,
        _ work: @escaping () throws -> Void
    ) throws -> Row {
        let seconds = try Stopwatch.medianSeconds(rounds: rounds, of: [work])[0]
        let scale = unit == "ms" ? 1e3 : unit == "µs" ? 1e6 : 1e9
        return Row(name: name, what: what, unit: unit, figure: seconds * scale, peer: nil)
    }
}

extension Documents {
    /// A link file with so many rules in one entry, each for a section of its own.
    static func rules(_ count: Int) -> [UInt8] {
        let rules = (0..<count).map { number in
            switch number % 4 {
            case 0: "{ \"/\": \"/section-\(number)/*\" }"
            case 1: "{ \"/\": \"/section-\(number)/*/print\", \"exclude\": true }"
            case 2: "{ \"/\": \"/section-\(number)/*\", \"?\": { \"id\": \"?*\" } }"
            default: "{ \"/\": \"*/section-\(number)/*\" }"
            }
        }
        return Array(
            """
            {"applinks": {"details": [{"appIDs": ["Q7WERTY123.shop.example.phone"], "components": [
            \(rules.joined(separator: ",\n"))
            ]}]}}
            """.utf8)
    }

    /// A link file with so many rules that only ask for an item of the query each.
    static func queryRules(_ count: Int) -> [UInt8] {
        let rules = (0..<count).map { "{ \"?\": { \"item-\($0)\": \"?*\" } }" }
        return Array(
            """
            {"applinks": {"details": [{"appIDs": ["Q7WERTY123.shop.example.phone"], "components": [
            \(rules.joined(separator: ",\n"))
            ]}]}}
            """.utf8)
    }

    /// A link file as people lay it out, as large as Apple's systems read it.
    static func largestLinks() -> [UInt8] {
        var apps = 1
        while links(apps: apps + 1).count <= 131_072 { apps += 1 }
        return links(apps: apps)
    }

    /// As many rules as that much may hold, all in one entry.
    static func densestRules() -> [UInt8] {
        var count = 2000
        while rules(count + 4).count <= 131_072 { count += 4 }
        return rules(count)
    }
}
