// Seeded mutations of link files and URLs: reading, deciding, explaining and looking for findings
// never traps, and all four agree with each other.

import AppLinks
import LinkPatterns
import Mutations
import Testing

@Suite struct AssociationMutationTests {
    private static let files = [
        """
        {"applinks":{"apps":[],"defaults":{"caseSensitive":false,"#":"*"},"substitutionVariables":
        {"v":["a","b*"],"digit":["é"]},"details":[{"appIDs":["K7Q2M9X4ZA.org.wharf.shop"],
        "defaults":{"percentEncoded":false},"components":[{"/":"/a/$(v)/*","?":{"q":"?*","r":"*"},
        "exclude":true,"comment":"x"},{"/":"*$(lang)_$(region)","?":"a=1&b"},{"#":"/x/*"},{}]}]}}
        """,
        """
        {"applinks":{"details":{"K7Q2M9X4ZA.org.wharf.shop":{"paths":["NOT /a/*","/b?","*",5]},
        "A":{"appID":"B"}}},"webcredentials":{"apps":["x"]},"appclips":{"apps":[]}}
        """,
    ]
    private static let urls = [
        "https://harbour.test/a/b/c?q=1&q=%20&r#/x/1", "https://user@[::1]:80//a/%C3%A9?%&=#",
        "http://harbour.test", "",
    ]

    @Test func mutatedFilesAndURLsNeverTrap() {
        var generator = SeededGenerator(seed: 5)
        var readCount = 0
        var openCount = 0
        var contradictions: [String] = []
        for round in 0..<12_000 {
            let base = Array(Self.files[round % Self.files.count].utf8)
            let bytes = generator.mutation(of: base, with: Array(Self.files[0].utf8))
            let findings = AppSiteAssociation.findings(in: bytes)
            guard let file = try? AppSiteAssociation(reading: bytes) else {
                if findings.first?.code != .invalidJSON { contradictions.append("\(round)") }
                continue
            }
            readCount += 1
            let url = LinkURL(utf8: generator.mutation(of: Array(Self.urls[round % 4].utf8)))
            for app in [nil, "K7Q2M9X4ZA.org.wharf.shop"] {
                let verdict = file.decide(url, on: round % 3 == 0 ? "harbour.test" : nil, for: app)
                let explanation = file.explain(
                    url, on: round % 3 == 0 ? "harbour.test" : nil, for: app)
                if verdict.opensApp { openCount += 1 }
                let isSame =
                    verdict.summary == explanation.verdict.summary
                    && verdict.opensApp == (verdict.app.map(explanation.opening.contains) ?? false)
                if !isSame { contradictions.append("\(round)") }
                for step in explanation.steps {
                    guard let mismatch = step.mismatch else { continue }
                    if mismatch.patternOffset > mismatch.pattern.utf8.count
                        || mismatch.textOffset > mismatch.text.utf8.count
                    {
                        contradictions.append("offsets \(round)")
                    }
                }
                _ = verdict.pointer
                _ = verdict.line
            }
        }
        #expect(contradictions.prefix(5).isEmpty)
        #expect(readCount > 1_000)
        #expect(openCount > 200)
    }
}
