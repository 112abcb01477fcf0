// Seeded mutations of patterns and links: whatever the text, reading and matching it ends soon
// and never traps, and what was read prints and reads again as the same pattern.

import LinkPatterns
import Mutations
import Testing

@Suite struct MutationTests {
    private static let patterns = [
        "recipe/*/(details/recipe|view)/:id", "profile/(:num(id))/edit", "a/*/b/*/c?:a&(:b)",
        "(recipe|recipe/:id)", "?(:a|:b|:c)&:num(d)", "((a|b)|(c/*)/(d))/:bool(e)", "*/(x)/y",
    ]
    private static let targets = [
        "/recipe/1/2/details/recipe/5", "/profile/7/edit?a=1&b=2", "/a/b/b/b/c/c?a=%20&a",
        "/x/x/x/y", "/a%2Fb/%C3%A9//?=&&d=0x1p3",
    ]
    private static let patternBytes = Array("/|()*:?&ab1x\"%num(é".utf8)
    private static let targetBytes = Array("/?&=%2Fabx1.é\u{0}".utf8) + [0xFF, 0xC3]

    private static func mutated(
        _ text: String, with alphabet: [UInt8], _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let index = Int.random(in: 0...bytes.count, using: &generator)
            let byte = alphabet.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes.insert(byte, at: index)
            case 1 where index < bytes.count: bytes[index] = byte
            default: bytes.removeSubrange(index..<min(index + 3, bytes.count))
            }
        }
        return bytes
    }

    @Test func aHundredThousandMutationsNeitherTrapNorChangeInPrint() throws {
        var generator = SeededGenerator(seed: 2017)
        var readCount = 0
        var matchCount = 0
        var faults: [String] = []
        for round in 0..<100_000 {
            let base = Self.patterns[round % Self.patterns.count]
            let bytes = Self.mutated(base, with: Self.patternBytes, &generator)
            let target = Self.mutated(
                Self.targets[round % Self.targets.count], with: Self.targetBytes, &generator)
            let text = String(decoding: bytes, as: UTF8.self)
            let link = Link(target: String(decoding: target, as: UTF8.self))
            _ = Link(path: target[...], query: target[...])
            do {
                let pattern = try LinkPattern(text)
                readCount += 1
                if try LinkPattern(pattern.description) != pattern { faults.append(text) }
                if let link, pattern.match(link) != nil { matchCount += 1 }
            } catch {
                if !(0...text.utf8.count).contains(error.offset) { faults.append(text) }
            }
        }
        #expect(faults.isEmpty)
        #expect(readCount > 20_000)
        #expect(matchCount > 1_000)
    }

    /// Patterns that would make a matcher which goes back try again and again.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (String(repeating: "*/a/", count: 200) + "b", false),
            (String(repeating: "(a/", count: 31) + "*/b" + String(repeating: ")", count: 31), true),
            (String(repeating: "(a)/", count: 400) + "b", false),
            ("*/" + String(repeating: "(a)/", count: 400) + "b", false),
            (
                String(repeating: "(a/*/b|", count: 30) + "c" + String(repeating: ")", count: 30),
                false
            ),
            ("*?" + String(repeating: "(:int(a))&", count: 150) + ":b", false),
        ])
    func patternsThatInviteGoingBackStayQuickOnLongLinks(
        pattern: String, matches: Bool
    ) throws {
        let link = Link(
            components: Array(repeating: "a", count: 5_000),
            query: Array(repeating: QueryItem(name: "a", value: "x"), count: 5_000))
        #expect((try LinkPattern(pattern).match(link) != nil) == matches)
    }
}
