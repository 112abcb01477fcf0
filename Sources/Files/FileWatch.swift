// Detects changed files by polling: it works on every file system, and the files are few.

/// A watch over files.
package enum FileWatch {
    /// Maximum polls between two attempts to read files that can't be read.
    private static let longestPause = 15

    /// Calls `onChange` after each change, until the task is cancelled.
    ///
    /// A change counts once two polls in a row agree, because several files may be written one
    /// after another.
    ///
    /// - Parameters:
    ///   - seen: the fingerprint from before the files were read, so that a change since then
    ///     counts.
    ///   - onChange: returns false if the files could not be read; then it is called again, at the
    ///     next poll and later less often.
    package static func run(
        every interval: Duration, since seen: String, _ fingerprint: () -> String,
        _ onChange: () -> Bool
    ) async {
        var seen = seen
        // Polls from the last failed attempt to the next one, and those of them that are left; 0 if
        // the files were read.
        var (pause, left) = (0, 0)
        while (try? await Task.sleep(for: interval)) != nil {
            let current = fingerprint()
            if current != seen {
                guard (try? await Task.sleep(for: interval)) != nil else { return }
                guard fingerprint() == current else { continue }
                seen = current
                pause = 0
            } else {
                left -= 1
                if pause == 0 || left > 0 { continue }
            }
            pause = onChange() ? 0 : min(2 * pause + 1, longestPause)
            left = pause
        }
    }
}
