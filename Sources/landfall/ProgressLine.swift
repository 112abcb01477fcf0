// Progress of long work, on standard error, only where a person looks at it and only after a
// second.

import Clocks
import Foundation

/// A line that counts up in place.
struct ProgressLine {
    private let label: String
    private let started = Clock.monotonicMilliseconds
    private var lastShown: UInt64 = 0
    private let isVisible = isatty(STDERR_FILENO) == 1

    init(_ label: String) {
        self.label = label
    }

    /// Shows a count, ten times a second at the most.
    mutating func show(_ count: Int) {
        let now = Clock.monotonicMilliseconds
        guard isVisible, now - started >= 1000, now - lastShown >= 100 else { return }
        lastShown = now
        write("\r\(label): \(count)")
    }

    /// Leaves the line, where one was shown.
    mutating func end() {
        if lastShown > 0 { write("\n") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
