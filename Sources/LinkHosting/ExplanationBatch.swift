// A table of URLs with expected decisions, which a repository keeps next to its link file.

import AppLinks
import JSON
import LinkPatterns
import Text

/// Lines of `url,app,expected`.
package struct ExplanationBatch {
    /// Why a table can't be checked.
    package enum Fault: Error, Equatable {
        /// A line has no fields `url,app,expected`, or its last field is no decision.
        case invalidLine(Int)
        /// The table has no line to check.
        case empty
    }

    /// One line.
    package struct Expectation {
        package let line: Int
        /// As devices compare it; as written if it has a blank.
        package let url: String
        /// Nil for all apps of the file.
        package let app: String?
        package let expected: LinkDecision
    }

    package let expectations: [Expectation]

    /// Parses the lines; ignores the header line.
    ///
    /// The last two commas divide a line, because URLs may contain commas. Whether the URLs are web
    /// links isn't checked. Throws for the first invalid line.
    package init(_ content: [UInt8]) throws(Fault) {
        var expectations: [Expectation] = []
        for (number, fields) in CommaSeparated.lines(of: content) where fields != Self.header {
            guard fields.count >= 3, let expected = LinkDecision(rawValue: fields.last ?? "") else {
                throw .invalidLine(number)
            }
            let app = fields[fields.count - 2]
            let url = fields.dropLast(2).joined(separator: ",")
            expectations.append(
                Expectation(
                    line: number, url: LinkURL(written: url)?.description ?? url,
                    app: app.isEmpty ? nil : app, expected: expected))
        }
        guard !expectations.isEmpty else { throw .empty }
        self.expectations = expectations
    }

    private static let header = ["url", "app", "expected"]

    /// The decision of a file for each line.
    package func report(
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
package struct ExplanationReport {
    package let results: [(expectation: ExplanationBatch.Expectation, verdict: AssociationVerdict)]

    /// Number of decisions that differ from the expected ones.
    package var failureCount: Int {
        results.count { $0.verdict.decision != $0.expectation.expected }
    }

    /// `{"failed":0,"results":[{"batch_line","url","expected","passed","decision",…}]}`.
    package var json: String {
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
}
