// One result for people: what it is, what it says, what is wrong with it, and its request.
//
// Invariant: a line has no control characters. Left out: bodies longer than a screen, which
// `--body` prints.

import JSON
import ResultStore
import Text

/// The text of a result.
struct ResultText {
    let record: JSONNode
    let style: TerminalStyle

    /// Maximum characters of a body that are shown.
    private static let bodyCharacters = 2000

    /// All lines, with a line end each.
    var text: String {
        let parts = [head, value, diagnostics, request].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func member(_ name: String) -> String {
        record[name]?.string.map(TerminalText.visible) ?? "-"
    }

    private var head: [String] {
        let verdict = member("verdict")
        let painted =
            switch verdict {
            case "decoded": style.good(verdict)
            case "undecodable": style.bad(verdict)
            default: style.warning(verdict)
            }
        var lines = [
            "id        \(style.strong(member("id")))",
            "received  \(member("received_at")), number \(record["seq"]?.int ?? 0)",
            "inbox     \(member("inbox"))",
            "vendor    \(member("vendor")), contract \(member("contract"))",
            "outcome   \(member("outcome")), \(painted)",
        ]
        if record["kind"]?.string != "callback" { lines.append("kind      \(member("kind"))") }
        if let flow = record["flow"]?.string {
            lines.append("flow      \(TerminalText.visible(flow))")
        }
        if let answer = record["answer"].flatMap({ AnswerNote($0) }) {
            lines.append("answer    \(answer.sentence)")
        }
        return lines
    }

    private var value: [String] {
        guard let result = record["result"], result.kind != .null else { return [] }
        return [style.strong("result")] + indented(result)
    }

    private func indented(_ node: JSONNode) -> [String] {
        let text = String(decoding: IndentedJSON.text(of: node), as: UTF8.self)
        return text.split(separator: "\n").map { "  " + TerminalText.visible(String($0)) }
    }

    private var diagnostics: [String] {
        let found = record["diagnostics"].map { Array($0.elements) } ?? []
        guard !found.isEmpty else { return [] }
        return [style.strong("diagnostics")]
            + found.flatMap { diagnostic -> [String] in
                func text(_ name: String) -> String? {
                    diagnostic[name]?.string.map(TerminalText.visible)
                }
                let severity = text("severity") ?? ""
                let painted = severity == "error" ? style.bad(severity) : style.warning(severity)
                let place = [
                    text("layer"), text("pointer"),
                    diagnostic["offset"]?.int.map { "at byte \($0)" },
                ].compactMap(\.self).joined(separator: " ")
                let sentence =
                    "  \(painted)  \(place): expected \(text("expected") ?? "-"), found "
                    + (text("found") ?? "-")
                return [sentence] + (text("hint").map { ["         \($0)"] } ?? [])
            }
    }

    private var request: [String] {
        guard let request = record["request"], let method = request["method"]?.string,
            let target = request["target"]?.string
        else { return [] }
        var lines = [
            style.strong("request"), "  " + TerminalText.visible("\(method) \(target)"),
        ]
        for field in request["headers"].map({ Array($0.elements) }) ?? [] {
            let text = "\(field[0]?.string ?? ""): \(field[1]?.string ?? "")"
            lines.append("  " + style.faint(TerminalText.visible(text)))
        }
        guard let body = request["body"], let data = body["data"]?.string, !data.isEmpty else {
            return lines
        }
        guard body["encoding"]?.string == "utf8" else {
            return lines + ["", "  " + style.faint("a body that isn't text; --body prints it")]
        }
        lines.append("")
        let shown = data.prefix(Self.bodyCharacters)
        // A carriage return and a line feed are one character, as in the lines of a multipart form.
        let isEnd = { (character: Character) in character == "\n" || character == "\r\n" }
        for line in shown.split(omittingEmptySubsequences: false, whereSeparator: isEnd) {
            lines.append("  " + TerminalText.visible(String(line)))
        }
        if shown.endIndex != data.endIndex {
            lines.append("  " + style.faint("… the rest is left out; --body prints all of it"))
        }
        return lines
    }
}
