// A decision about a URL for people: the result first, then each rule, with pattern and text
// aligned to show where they differ.

import AppLinks
import Text

/// An explanation as text.
struct ExplanationText {
    let explanation: LinkExplanation
    let style: TerminalStyle

    /// The lines, without a line end.
    var text: String {
        var lines = [answer]
        if let reason = explanation.verdict.reason {
            lines.append("  " + TerminalText.visible(reason.sentence))
        }
        if explanation.opening.count > 1 {
            lines.append("  Of those that are installed, the first opens:")
            lines += explanation.opening.map { "    " + TerminalText.visible($0) }
        }
        if !explanation.steps.isEmpty { lines.append("") }
        for step in explanation.steps { lines += Self.lines(of: step, style) }
        return lines.joined(separator: "\n")
    }

    private var answer: String {
        let verdict = explanation.verdict
        let app = verdict.app.map(TerminalText.visible) ?? "an app"
        let place = verdict.pointer.map { " by \(TerminalText.visible($0))" } ?? ""
        let line = verdict.line.map { ", line \($0)" } ?? ""
        return switch verdict.decision {
        case .match: style.good("opens") + " \(app)\(place)\(line)"
        case .exclude: style.warning("excluded") + ": stays in the browser\(place)\(line)"
        case .noMatch: style.bad("no match") + ": stays in the browser"
        }
    }

    private static func lines(of step: LinkExplanation.Step, _ style: TerminalStyle) -> [String] {
        let place = "line \(step.position.line)  \(TerminalText.visible(step.pointer))"
        guard let mismatch = step.mismatch else {
            let what = step.rule.excludes ? style.warning("excludes") : style.good("matches")
            return ["  \(what)  \(place)"]
        }
        let part = TerminalText.visible(mismatch.part.name)
        let effect = step.rule.excludes ? "  (would exclude)" : ""
        return ["  \(style.faint("no match"))  \(place)  \(part)\(effect)"]
            + comparison(mismatch, style)
            + (mismatch.note.map { ["            \(TerminalText.visible($0))"] } ?? [])
    }

    /// Pattern and text, aligned where they begin to differ.
    private static func comparison(
        _ mismatch: LinkExplanation.Mismatch, _ style: TerminalStyle
    ) -> [String] {
        let (patternBegin, patternEnd) = split(mismatch.pattern, at: mismatch.patternOffset)
        let (textBegin, textEnd) = split(mismatch.text, at: mismatch.textOffset)
        let column = max(patternBegin.count, textBegin.count)
        let padding = { (begin: String) in String(repeating: " ", count: column - begin.count) }
        let text = mismatch.text.isEmpty ? style.faint("(empty)") : textBegin + style.bad(textEnd)
        return [
            "    pattern \(padding(patternBegin))\(patternBegin)\(style.strong(patternEnd))",
            "    text    \(padding(textBegin))\(text)",
            "            \(String(repeating: " ", count: column))^",
        ]
    }

    private static func split(_ text: String, at offset: Int) -> (String, String) {
        let bytes = Array(text.utf8)
        let place = min(max(offset, 0), bytes.count)
        return (
            TerminalText.visible(String(decoding: bytes[..<place], as: UTF8.self)),
            TerminalText.visible(String(decoding: bytes[place...], as: UTF8.self))
        )
    }
}
