// Findings as lines that editors and people read.

import AppLinks
import Text

extension Finding {
    /// `file:line:column: severity: message [code]`, and below it the pointer.
    func line(of file: String, _ style: TerminalStyle) -> String {
        let word =
            switch severity {
            case .error: style.bad("error")
            case .warning: style.warning("warning")
            case .info: style.faint("info")
            }
        let place = TerminalText.visible("\(file):\(position.line):\(position.column)")
        let text = TerminalText.visible(message)
        let below = pointer.isEmpty ? "" : "\n    " + style.faint(TerminalText.visible(pointer))
        return "\(place): \(word): \(text) [\(code.rawValue)]\(below)"
    }
}
