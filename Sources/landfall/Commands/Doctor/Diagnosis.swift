// What the doctor found out about one thing, and what to do about it.

import JSON
import Text

/// One line of the doctor's report.
struct Diagnosis: Sendable, Equatable {
    enum Status: String, Sendable {
        case ok
        /// It works, but not as it should in production.
        case warning
        case problem
    }

    let status: Status
    /// What was checked: one of a few constant words.
    let check: String
    /// One clause, without a full stop.
    let text: String
    /// One sentence; nil if there is nothing to do.
    let advice: String?

    static func ok(_ check: String, _ text: String) -> Diagnosis {
        Diagnosis(status: .ok, check: check, text: text, advice: nil)
    }

    static func warning(_ check: String, _ text: String, _ advice: String) -> Diagnosis {
        Diagnosis(status: .warning, check: check, text: text, advice: advice)
    }

    static func problem(_ check: String, _ text: String, _ advice: String) -> Diagnosis {
        Diagnosis(status: .problem, check: check, text: text, advice: advice)
    }

    /// The line for people.
    func line(_ style: TerminalStyle) -> String {
        let word = status.rawValue.padding(to: 8)
        let styled =
            switch status {
            case .ok: style.good(word)
            case .warning: style.warning(word)
            case .problem: style.bad(word)
            }
        let sentence = advice.map { ". \($0)" } ?? ""
        return "\(styled) \(check.padding(to: 13)) "
            + TerminalText.visible(text + sentence).replacing("\n", with: " ")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("check", check)
            json.member("status", status.rawValue)
            json.member("text", text)
            json.member("advice", advice)
        }
    }
}

extension String {
    /// The text with spaces after it, up to a number of characters.
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
