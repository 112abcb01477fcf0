// Properties of matching on seeded random input: it agrees with a matcher that tries everything,
// ends on patterns that would keep such a one busy for ever, and rules cover what they say they do.

import LinkPatterns
import Mutations
import Testing

@testable import AppLinks

@Suite struct WildcardPropertyTests {
    private static let variables = [
        "v": ["a", "ab", "B*", "é?", "", "$(v)"], "w": ["*b", "??"], "digit": ["ß", "a1"],
        "none": [],
    ]
    private static let pieces = [
        "a", "b", "B", "G", "é", "ß", "/", "1", "ab", "*", "*", "?", "?", "$(v)", "$(w)",
        "$(alpha)",
        "$(upper)", "$(lower)", "$(alnum)", "$(digit)", "$(xdigit)", "$(region)", "$",
    ]
    private static let rarePieces = ["$(none)", "$(x)", "$(", "$(v", ")", "漢"]
    private static let letters = ["a", "b", "B", "G", "A", "é", "É", "ß", "/", "1", "漢", "$"]

    private static func random(
        _ pieces: [String], upTo count: Int, _ generator: inout SeededGenerator
    ) -> String {
        (0..<generator.below(count + 1)).map { _ in pieces[generator.below(pieces.count)] }.joined()
    }

    /// A text that the pattern might match: wildcards and variables filled in.
    private static func filled(_ pattern: String, _ generator: inout SeededGenerator) -> String {
        var text = ""
        var rest = pattern[...]
        while let character = rest.popFirst() {
            switch character {
            case "*": text += random(letters, upTo: 3, &generator)
            case "?": text += letters[generator.below(letters.count)]
            case "$" where rest.first == "(":
                rest = rest.drop { $0 != ")" }.dropFirst()
                let values = ["a", "ab", "B", "bb", "éa", "1", "GB", "b", "Bx", "ß", "aG", ""]
                text += values[generator.below(values.count)]
            default: text.append(character)
            }
        }
        return text
    }

    @Test func patternsMatchWhatAMatcherThatTriesEverythingMatches() {
        var generator = SeededGenerator(seed: 64)
        let variables = SubstitutionVariables(Self.variables)
        var differences: [String] = []
        var matchCount = 0
        for round in 0..<30_000 {
            let pieces = round % 10 == 0 ? Self.pieces + Self.rarePieces : Self.pieces
            let text = Self.random(pieces, upTo: 7, &generator)
            let foldsCase = round % 3 == 0
            let pattern = WildcardPattern(text, variables: variables, foldsCase: foldsCase)
            let reference = ReferenceMatcher(
                text, variables: Self.variables, foldsCase: foldsCase)
            for _ in 0..<2 {
                let other = Self.filled(text, &generator)
                for candidate in [other, Self.random(Self.letters, upTo: 6, &generator)] {
                    var bytes = Array(candidate.utf8)
                    if foldsCase { bytes = CaseFolding.folded(bytes[...]) }
                    let isMatch = pattern.matches(bytes[...])
                    if isMatch { matchCount += 1 }
                    if isMatch != reference.matches(candidate) {
                        differences.append("\(text) | \(candidate) | folded: \(foldsCase)")
                    }
                    let parting = pattern.parting(in: bytes.span)
                    if !(0...text.utf8.count ~= parting.pattern && 0...bytes.count ~= parting.text)
                    {
                        differences.append("parting \(text) | \(candidate)")
                    }
                }
            }
        }
        #expect(differences.prefix(5).isEmpty, "\(differences.count)")
        #expect(matchCount > 20_000)
    }

    @Test(arguments: ["/a/*", "*a*b*", "?*", "/$(v)", "*?é?*", "/$(region)/*"])
    func bytesThatAreNoTextNeverTrap(text: String) {
        var generator = SeededGenerator(seed: 255)
        let pattern = WildcardPattern(text, variables: SubstitutionVariables(Self.variables))
        for _ in 0..<2_000 {
            let bytes = (0..<generator.below(12)).map { _ in
                [0x2F, 0x61, 0x80, 0xC3, 0xA9, 0xFF, 0x00, 0x42][generator.below(8)] as UInt8
            }
            _ = pattern.matches(bytes[...])
            _ = pattern.parting(in: bytes.span)
            _ = CaseFolding.folded(bytes[...])
            _ = PathNormalization.normalized(bytes[...])
        }
    }

    /// Each would take longer than anyone waits, were it tried in every way.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            String(repeating: "*a", count: 60) + "*b", String(repeating: "?*a*", count: 30) + "b",
            String(repeating: "*$(v)", count: 30) + "c", String(repeating: "$(v)", count: 60) + "c",
            String(repeating: "$(w)", count: 60) + "c",
            String(repeating: "*$(alpha)", count: 60) + "c",
            String(repeating: "$(lang)", count: 60) + "*c",
            String(repeating: "?", count: 900) + "*c",
        ])
    func patternsThatInviteGoingBackEnd(text: String) {
        let variables = SubstitutionVariables([
            "v": ["a", "aa", "a*", "*a"], "w": ["*", "a", "*a*"],
        ])
        let pattern = WildcardPattern(text, variables: variables)
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        #expect(pattern.compare(long.span) == .differs)
    }

    @Test func whatAppleGivesUpOnIsNoMatch() throws {
        let many = String(repeating: "*a", count: Limits.appleMatchingDepth)
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 200)
        #expect(WildcardPattern(many).compare(text.span) == .matches)
        #expect(WildcardPattern(many + "*").compare(text.span) == .givesUp)
        // Where the text differs before that, nothing is given up.
        #expect(WildcardPattern("b" + many + "*").compare(text.span) == .differs)
        let explanation = try Harbour.components("{\"/\":\"/\(many)*\"}").explain(
            LinkURL("https://harbour.test/" + String(decoding: text, as: UTF8.self)))
        #expect(explanation.verdict.decision == .noMatch)
        #expect(explanation.steps.first?.mismatch?.note?.contains("gives up") == true)
    }

    @Test(.timeLimit(.minutes(1)))
    func aVariableOfManyValuesIsReadOnceForAllItsUses() throws {
        let values = (0..<5_000).map { "\"v\($0)\"" }.joined(separator: ",")
        let uses = (0..<1_000).map { "{\"/\":\"/\($0)/$(v)$(v)$(v)$(v)\"}" }.joined(separator: ",")
        let file = try Harbour.components(uses, links: Harbour.variables("\"v\":[\(values)]"))
        #expect(
            file.decide(LinkURL("https://harbour.test/999/v0v1v2v4999")).summary == "match 0 999")
        #expect(!file.findings().contains { $0.severity == .error })
    }
}
