// The result of a batch for people.

import LinkHosting
import Text

extension ExplanationReport {
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
