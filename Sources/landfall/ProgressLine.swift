// Progress of long work, on standard error, only where a person looks at it and only after a
// second: a bar where the end is known.

import Clocks
import Foundation
import Sockets

/// A line that grows in place.
struct ProgressLine {
    private let label: String
    private let started = Clock.monotonicMilliseconds
    private var lastShown: UInt64 = 0
    private let isVisible = isatty(STDERR_FILENO) == 1

    init(_ label: String) {
        self.label = label
    }

    /// Shows how much of the whole is done, ten times a second at the most.
    mutating func show(_ done: Int64, of whole: Int64) {
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

    /// Shows how much is done where nobody knows the whole.
    mutating func show(bytes done: Int64) {
        let now = Clock.monotonicMilliseconds
        guard isVisible, now - started >= 1000, now - lastShown >= 100 else { return }
        lastShown = now
        write("\r\(label) \(done / 1_000_000) MB")
    }

    private static let barColumns = 30

    /// Leaves the line, where one was shown.
    mutating func end() {
        if lastShown > 0 { write("\n") }
    }

    private func write(_ text: String) {
        StandardStream.error.write(Array(text.utf8))
    }
}
