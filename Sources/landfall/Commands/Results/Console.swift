// What commands write: answers on standard output, sentences on standard error.

import Foundation
import Sockets

/// The two streams of a command.
enum Console {
    /// Writes on standard output.
    ///
    /// Throws when it can't be written to.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            throw CommandFailure("Standard output can't be written to.")
        }
    }

    /// Writes a text and a line end on standard output.
    ///
    /// Throws when it can't be written to.
    static func print(_ text: String) throws(CommandFailure) {
        try write(Array((text + "\n").utf8))
    }

    /// Writes a sentence on standard error.
    ///
    /// - Parameter milliseconds: how long it may wait for a slow reader; -1 is for ever.
    static func tell(_ sentence: String, within milliseconds: Int32 = -1) {
        StandardStream.error.write(Array("landfall: \(sentence)\n".utf8), within: milliseconds)
    }

    /// Whether a person can be asked something.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Whether a person looks at standard output.
    static var isWatched: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Asks on standard error; true for `y` and `yes`.
    static func confirm(_ question: String) -> Bool {
        StandardStream.error.write(Array("\(question) [y/N] ".utf8))
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
