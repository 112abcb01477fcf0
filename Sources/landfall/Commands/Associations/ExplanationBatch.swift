// A table of URLs with expected decisions, which a repository keeps next to its link file.

import AppLinks
import JSON
import LinkPatterns
import Text

/// Lines of `url,app,expected`.
struct ExplanationBatch {
    /// One line.
    struct Expectation {
        let line: Int
        let url: String
        /// Nil for all apps of the file.
        let app: String?
        let expected: LinkDecision
    }

    let expectations: [Expectation]

    /// Parses the lines; ignores the header line.
    ///
    /// The last two commas divide a line, because URLs may contain commas. Throws for the first
    /// invalid line.
    init(_ content: [UInt8], from path: String) throws(AssociationFailure) {
        var expectations: [Expectation] = []
        for (number, fields) in CommaSeparated.lines(of: content) where fields != Self.header {
            guard fields.count >= 3, let expected = LinkDecision(rawValue: fields.last ?? "") else {
                throw AssociationFailure(
                    "\(path), line \(number): expected url,app,expected, the last of which is "
                        + "match, exclude or no_match.")
            }
            let url = fields.dropLast(2).joined(separator: ",")
            try LinkFiles.checkLink(url, "\(path), line \(number)")
            let app = fields[fields.count - 2]
            expectations.append(
                Expectation(
                    line: number, url: url, app: app.isEmpty ? nil : app, expected: expected))
        }
        guard !expectations.isEmpty else {
            throw AssociationFailure("\(path) has no line with url,app,expected to check.")
        }
        self.expectations = expectations
    }

    private static let header = ["url", "app", "expected"]

    /// The decision of a file for each line.
    func report(
        by file: AppSiteAssociation, on domain: String?, for app: String?
    ) -> ExplanationReport {
        ExplanationReport(
            results: expectations.map { expectation in
                let verdict = file.decide(
                    LinkURL(expectation.url), on: domain, for: expectation.app ?? app)
                return (expectation, verdict)
            })
    }
}

/// The result of a batch.
struct ExplanationReport {
    let results: [(expectation: ExplanationBatch.Expectation, verdict: AssociationVerdict)]

    /// Number of decisions that differ from the expected ones.
    var failureCount: Int { results.count { $0.verdict.decision != $0.expectation.expected } }

    /// `{"failed":0,"results":[{"batch_line","url","expected","passed","decision",…}]}`.
    var json: String {
        JSONWriter.text { json in
            json.member("failed", failureCount)
            json.array("results") { json in
                for (expectation, verdict) in results {
                    json.object { json in
                        json.member("batch_line", expectation.line)
                        json.member("url", expectation.url)
                        json.member("expected", expectation.expected.rawValue)
                        json.member("passed", verdict.decision == expectation.expected)
                        verdict.writeMembers(to: &json)
                    }
                }
            }
        }
    }

    /// The failures, and the number of URLs.
    func text(_ style: TerminalStyle) -> String {
        var lines: [String] = []
        for (expectation, verdict) in results where verdict.decision != expectation.expected {
            let place = verdict.pointer.map { " by \($0), line \(verdict.line ?? 0)" } ?? ""
            lines.append(
                style.bad("failed") + "  line \(expectation.line)  "
                    + TerminalText.visible(expectation.url)
                    + "\n        expected \(expectation.expected.rawValue), got "
                    + TerminalText.visible("\(verdict.decision.rawValue)\(place)"))
        }
        let passed = results.count - failureCount
        lines.append("\(passed) of \(results.count) as expected")
        return lines.joined(separator: "\n")
    }
}
