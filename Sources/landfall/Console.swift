// The input and output of commands: results on standard output, messages on standard error.

import Files
import Foundation
import Sockets
import Text

/// The streams of a command.
enum Console {
    /// The bytes of a file that an argument names; `-` is standard input.
    static func input(_ path: String) throws(CommandFailure) -> [UInt8] {
        try CommandFailure.environment {
            try (path == "-" ? FileInput.standard : FileInput(path)).rest()
        }
    }

    /// Writes on standard output.
    ///
    /// Throws if writing fails.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            throw CommandFailure("Standard output can't be written to.")
        }
    }

    /// Writes a text and a line end on standard output.
    ///
    /// Throws if writing fails.
    static func print(_ text: String) throws(CommandFailure) {
        try write(Array((text + "\n").utf8))
    }

    /// Writes a sentence on standard error.
    ///
    /// - Parameter milliseconds: how long to wait for a slow reader; -1 waits without limit.
    static func printError(_ sentence: String, within milliseconds: Int32 = -1) {
        StandardStream.error.write(Array("landfall: \(sentence)\n".utf8), within: milliseconds)
    }

    /// Whether a person can answer a question.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The terminal's width in columns; nil if standard output isn't a terminal.
    static var columns: Int? {
        guard isTerminal else { return nil }
        let columns = StandardStream.output.columns
        return columns.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// Asks for confirmation on standard error; true for `y` and `yes`.
    static func confirm(_ question: String) -> Bool {
        StandardStream.error.write(Array("\(question) [y/N] ".utf8))
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}

extension TerminalStyle {
    /// The style of standard output: coloured on a terminal, unless switched off
    /// (https://no-color.org).
    init() {
        let environment = ProcessInfo.processInfo.environment
        self.init(
            isColored: Console.isTerminal && environment["NO_COLOR", default: ""].isEmpty
                && environment["TERM"] != "dumb")
    }
}
