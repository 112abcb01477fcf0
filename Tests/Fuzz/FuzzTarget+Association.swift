// Link files of Apple and Android: whatever the text, reading, deciding, explaining and linting end
// soon, and say the same of a URL.

import AppLinks
import JSON
import LinkPatterns

extension FuzzTarget {
    /// An input is a URL, and behind a line feed a file.
    static func checkAssociation(_ bytes: [UInt8]) {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let url = LinkURL(utf8: Array(line))
        expect(url.description.utf8.count >= url.path.utf8.count, "a path longer than its URL")
        let text = Array(bytes[line.endIndex...].dropFirst())
        checkFindings(AppSiteAssociation.findings(in: text), text)
        checkFindings(AssetLinks.findings(in: text), text)
        if let links = try? AssetLinks(reading: text) {
            for statement in links.statements { _ = statement.dynamicRules?.decision(for: url) }
        }
        guard let file = try? AppSiteAssociation(reading: text) else { return }
        checkExplanation(file.explain(url), file.decide(url), file)
        for app in file.apps.prefix(3) {
            let verdict = file.decide(url, on: url.host, for: app)
            checkExplanation(file.explain(url, on: url.host, for: app), verdict, file)
            expect(
                verdict.opensApp == file.explain(url).opening.contains(app),
                "an app that opens is told, and no other")
        }
    }

    private static func checkExplanation(
        _ explanation: LinkExplanation, _ verdict: AssociationVerdict, _ file: AppSiteAssociation
    ) {
        expect(explanation.verdict.decision == verdict.decision, "two decisions about a URL")
        expect(explanation.verdict.pointer == verdict.pointer, "two rules that decide")
        expect(
            explanation.opening.allSatisfy(file.apps.contains), "an app that isn't in the file")
        for step in explanation.steps {
            guard let mismatch = step.mismatch else { continue }
            expect(
                (0...mismatch.pattern.utf8.count).contains(mismatch.patternOffset),
                "a place outside of the pattern")
            expect(
                (0...mismatch.text.utf8.count).contains(mismatch.textOffset),
                "a place outside of the text")
        }
    }

    private static func checkFindings(_ findings: [Finding], _ text: [UInt8]) {
        for finding in findings {
            expect((0...text.count).contains(finding.position.offset), "a finding outside")
            expect(!finding.message.isEmpty, "a finding without words")
        }
    }
}
