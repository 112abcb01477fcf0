// Progress of long work, on standard error, only on a terminal and only after a second; a bar if
// the total is known.

import Clocks
import Foundation
import Sockets

/// A line that is updated in place.
final class ProgressLine {
    private let label: String
    private let started = Clock.monotonicMilliseconds
    private var lastShown: UInt64 = 0
    private let isVisible = isatty(STDERR_FILENO) == 1

    init(_ label: String) {
        self.label = label
    }

    /// Shows the done part of a total, at most ten times a second.
    func show(_ done: Int64, of whole: Int64) {
        let now = Clock.monotonicMilliseconds
        guard isVisible, now - started >= 1000, now - lastShown >= 100 else { return }
        lastShown = now
        let share = whole > 0 ? min(max(Double(done) / Double(whole), 0), 1) : 0
        let filled = Int(share * Double(Self.barColumns))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: "-", count: Self.barColumns - filled)
        write("\r\(label) [\(bar)] \(Int(share * 100)) %")
    }

    /// Shows the amount done if the total is unknown.
    func show(bytes done: Int64) {
        let now = Clock.monotonicMilliseconds
        guard isVisible, now - started >= 1000, now - lastShown >= 100 else { return }
        lastShown = now
        write("\r\(label) \(done / 1_000_000) MB")
    }

    private static let barColumns = 30

    /// Ends the line, if one was shown.
    func end() {
        if lastShown > 0 { write("\n") }
    }

    private func write(_ text: String) {
        StandardStream.error.write(Array(text.utf8))
    }
}
