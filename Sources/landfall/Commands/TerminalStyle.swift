// Colours, on a terminal and unless switched off (https://no-color.org).

import Foundation

/// Styles words on standard output.
struct TerminalStyle {
    /// Whether colours are used.
    let isColored: Bool

    /// Plain unless standard output is a terminal with colours.
    init() {
        let environment = ProcessInfo.processInfo.environment
        isColored =
            Console.isTerminal && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    func good(_ text: String) -> String { colored(text, 32) }
    func bad(_ text: String) -> String { colored(text, 31) }
    func warning(_ text: String) -> String { colored(text, 33) }
    func faint(_ text: String) -> String { colored(text, 2) }
    func strong(_ text: String) -> String { colored(text, 1) }

    private func colored(_ text: String, _ code: Int) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
