// A comparison of two versions of a link file for people.

import AppLinks
import LinkHosting
import Text

extension AssociationComparison {
    /// The changes, and their number.
    func text(_ style: TerminalStyle) -> String {
        var lines: [String] = []
        for change in changes {
            lines.append(TerminalText.visible(change.url))
            lines.append("  " + style.bad("-") + " " + Self.words(change.old, style))
            lines.append("  " + style.good("+") + " " + Self.words(change.new, style))
        }
        lines.append("\(changes.count) of \(count.counted("URL")) would open differently")
        return lines.joined(separator: "\n")
    }

    private static func words(_ outcome: Outcome, _ style: TerminalStyle) -> String {
        let (verdict, apps) = (outcome.verdict, outcome.apps)
        let place = verdict.pointer.map { "  \($0), line \(verdict.line ?? 0)" } ?? ""
        let words =
            switch verdict.decision {
            case .match:
                "opens " + (apps.count > 1 ? "the first that is installed of " : "")
                    + apps.joined(separator: ", ")
            case .exclude: "excluded"
            case .noMatch: "no match"
            }
        return TerminalText.visible(words) + style.faint(TerminalText.visible(place))
    }
}
