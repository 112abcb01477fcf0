// Colours, where a person looks at them and has not said otherwise (https://no-color.org).

import Foundation

/// How words are made to stand out on standard output.
struct TerminalStyle {
    /// Whether anything is coloured.
    let isColored: Bool

    /// Plain unless standard output is a terminal that has colours.
    init() {
        let environment = ProcessInfo.processInfo.environment
        isColored =
            Console.isWatched && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    func good(_ text: String) -> String { colored(text, 32) }
    func bad(_ text: String) -> String { colored(text, 31) }
    func doubtful(_ text: String) -> String { colored(text, 33) }
    func faint(_ text: String) -> String { colored(text, 2) }
    func strong(_ text: String) -> String { colored(text, 1) }

    private func colored(_ text: String, _ code: Int) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
