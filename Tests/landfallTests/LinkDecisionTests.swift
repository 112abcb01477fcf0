// Tables of URLs with expected decisions, and comparisons of two versions of a link file.

import AppLinks
import LinkHosting
import LinkPatterns
import Testing
import Text

@testable import landfall

@Suite struct LinkDecisionTests {
    private static let app = "K7Q2M9X4ZA.org.wharf.shop"
    private static let beta = "K7Q2M9X4ZA.org.wharf.beta"

    /// A file with a path for one app.
    private static func file(_ path: String, _ app: String = Self.app) throws -> AppSiteAssociation
    {
        let text =
            #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"\#(path)"}]}]}}"#
        return try AppSiteAssociation(reading: Array(text.utf8))
    }

    private static func batch(_ text: String) throws(ExplanationBatch.Fault) -> ExplanationBatch {
        try ExplanationBatch(Array(text.utf8))
    }

    // MARK: Reasons

    @Test(
        arguments: [
            (
                "www.harbour.test", "harbour.test",
                "The file is of harbour.test, and the URL's host is www.harbour.test: each host has "
                    + "a file of its own."
            ),
            (
                "bücher.test", "xn--bcher-kva.test",
                "The file is of xn--bcher-kva.test, and the URL's host is bücher.test: each host "
                    + "has a file of its own. Devices look up bücher.test in Punycode (xn--…): "
                    + "write it so."
            ),
            (
                "harbour.test", "*.harbour.test",
                "Whether *.harbour.test covers harbour.test itself is contested, so no rule is "
                    + "applied: list applinks:harbour.test in the app as well."
            ),
        ] as [(String, String, String)])
    func aHostThatTheDomainDoesNotCoverHasAReason(
        host: String, domain: String, sentence: String
    ) throws {
        let verdict = try Self.file("*").decide(LinkURL("https://\(host)/"), on: domain)
        #expect(verdict.reason?.sentence == sentence)
    }

    // MARK: Batches

    @Test func theLastTwoCommasDivideALine() throws {
        let batch = try Self.batch(
            "url,app,expected\nhttps://harbour.test/pier?a=1,2,\(Self.beta),no_match\n")
        let line = try #require(batch.expectations.first)
        #expect(batch.expectations.count == 1)
        #expect(line.line == 2)
        #expect(line.url == "https://harbour.test/pier?a=1,2")
        #expect(line.app == Self.beta)
        #expect(line.expected == .noMatch)
    }

    @Test(
        arguments: [
            ("", ExplanationBatch.Fault.empty), ("url,app,expected\n\n# none\n", .empty),
            ("https://harbour.test/,match", .invalidLine(1)),
            ("https://harbour.test/,,match\n\nhttps://harbour.test/,,maybe", .invalidLine(3)),
        ])
    func aTableWithAnInvalidLineOrWithoutLinesIsRefused(
        text: String, fault: ExplanationBatch.Fault
    ) {
        #expect(throws: fault) { try Self.batch(text) }
    }

    @Test func aLineFailsIfTheDecisionIsAnotherOne() throws {
        let batch = try Self.batch(
            """
            https://harbour.test/pier,,match
            https://harbour.test/dock,,match
            https://harbour.test/pier,\(Self.beta),no_match
            """)
        let file = try Self.file("/pier")
        let report = batch.report(by: file, on: nil, for: nil)
        #expect(report.failureCount == 1)
        #expect(report.results.map { $0.verdict.decision } == [.match, .noMatch, .noMatch])
        #expect(report.json.hasPrefix(#"{"failed":1,"results":[{"batch_line":1,"#))
    }

    @Test func lettersBeyondASCIIAreDecidedAsDevicesSendThem() throws {
        let batch = try Self.batch(
            "https://harbour.test/über,,match\nhttps://harbour.test/a b,,match")
        #expect(
            batch.expectations.map(\.url) == [
                "https://harbour.test/%C3%BCber", "https://harbour.test/a b",
            ])
        let encoded = batch.report(by: try Self.file("/%C3%BCber"), on: nil, for: nil)
        #expect(encoded.results.map { $0.verdict.decision } == [.match, .noMatch])
        let plain = batch.report(by: try Self.file("/über"), on: nil, for: nil)
        #expect(plain.results.map { $0.verdict.decision } == [.noMatch, .noMatch])
    }

    @Test func whatBrowsersEncodeIsDecidedEncoded() throws {
        let batch = try Self.batch(#"https://harbour.test/a"<b>,,match"#)
        #expect(batch.expectations.map(\.url) == ["https://harbour.test/a%22%3Cb%3E"])
        for (path, decision) in [("/a%22%3Cb%3E", LinkDecision.match), (#"/a\"<b>"#, .noMatch)] {
            let report = batch.report(by: try Self.file(path), on: nil, for: nil)
            #expect(report.results.map { $0.verdict.decision } == [decision])
        }
    }

    // MARK: Comparisons

    @Test func aURLChangesIfAnotherAppOrNoneOpens() throws {
        let urls = ["https://harbour.test/pier/1", "https://harbour.test/dock/1"]
        func changes(_ newPath: String, _ newApp: String = Self.app) throws -> [String] {
            var comparison = AssociationComparison(
                try Self.file("/pier/*"), try Self.file(newPath, newApp), domain: nil, app: nil)
            for url in urls { comparison.add(url) }
            #expect(comparison.count == 2)
            return comparison.changes.map(\.url)
        }
        #expect(try changes("/pier/*") == [])
        // Another rule with the same effect.
        #expect(try changes("/pier/?*") == [])
        #expect(try changes("/dock/*") == urls)
        #expect(try changes("/pier/*", Self.beta) == [urls[0]])
    }

    @Test func anExclusionAtTheEndOpensWhatNoRuleDoes() throws {
        let open = #"{"/":"/pier/*"}"#
        let files = try [open, open + #",{"/":"/dock/*","exclude":true}"#].map { rules in
            let entry = #"{"appIDs":["\#(Self.app)"],"components":[\#(rules)]}"#
            let text = #"{"applinks":{"details":[\#(entry)]}}"#
            return try AppSiteAssociation(reading: Array(text.utf8))
        }
        let urls = ["https://harbour.test/pier/1", "https://harbour.test/dock/1"]
        #expect(files[1].decide(LinkURL(urls[1])).decision == .exclude)
        for (old, new) in [(files[0], files[1]), (files[1], files[0])] {
            var comparison = AssociationComparison(old, new, domain: nil, app: nil)
            for url in urls { comparison.add(url) }
            #expect(comparison.count == 2)
            #expect(comparison.changes.map(\.url) == [])
        }
    }

    /// Entries for an app each, in this order, of one path.
    private static func fleet(_ apps: [String]) throws -> AppSiteAssociation {
        let entries = apps.map { #"{"appIDs":["\#($0)"],"components":[{"/":"/pier/*"}]}"# }
        let text = #"{"applinks":{"details":[\#(entries.joined(separator: ","))]}}"#
        return try AppSiteAssociation(reading: Array(text.utf8))
    }

    @Test(
        arguments: [
            ([app, beta], [app], nil, true), ([app], [app, beta], nil, true),
            ([app, beta], [beta, app], nil, true), ([app, beta], [app, beta], nil, false),
            ([app, beta], [app], app, false), ([app, beta], [app], beta, true),
            ([app, beta], [beta, app], beta, false),
        ] as [([String], [String], String?, Bool)])
    func aURLChangesIfAnyAppGainsOrLosesItOrTheirOrderChanges(
        old: [String], new: [String], app: String?, isChange: Bool
    ) throws {
        var comparison = AssociationComparison(
            try Self.fleet(old), try Self.fleet(new), domain: nil, app: app)
        comparison.add("https://harbour.test/pier/1")
        #expect(comparison.changes.count == (isChange ? 1 : 0))
        guard app == nil, let change = comparison.changes.first else { return }
        #expect(change.old.apps == old)
        #expect(change.new.apps == new)
    }

    @Test func aComparisonListsAllAppsThatOpen() throws {
        let both = [Self.app, Self.beta]
        var comparison = AssociationComparison(
            try Self.fleet(both), try Self.fleet([Self.app]), domain: nil, app: nil)
        comparison.add("https://harbour.test/pier/1")
        #expect(comparison.json.contains(#""apps":["\#(Self.app)","\#(Self.beta)"]},"new""#))
        #expect(comparison.json.contains(#""apps":["\#(Self.app)"]}"#))
        let text = comparison.text(TerminalStyle(isColored: false))
        let names = both.joined(separator: ", ")
        #expect(text.contains("- opens the first that is installed of \(names)  /"))
        #expect(text.contains("+ opens \(Self.app)  /"))
    }

    @Test func aComparisonHasBothDecisionsInJSON() throws {
        var comparison = AssociationComparison(
            try Self.file("/pier"), try Self.file("/dock"), domain: nil, app: nil)
        comparison.add("https://harbour.test/pier")
        #expect(
            comparison.json.hasPrefix(
                #"{"compared":1,"changed":[{"url":"https://harbour.test/pier","old":{"decision":"match","#
            ))
        #expect(comparison.json.contains(#""new":{"decision":"no_match","#))
    }
}
