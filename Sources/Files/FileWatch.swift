// Detects changed files by polling: it works on every file system, and the files are few.

/// A watch over files.
package enum FileWatch {
    /// Calls `onChange` after each change, until the task is cancelled.
    ///
    /// A change counts once two polls in a row agree, because several files may be written one
    /// after another.
    ///
    /// - Parameter seen: the fingerprint from before the files were read, so that a change since
    ///   then counts.
    package static func run(
        every interval: Duration, since seen: String, _ fingerprint: () -> String,
        _ onChange: () -> Void
    ) async {
        var seen = seen
        while (try? await Task.sleep(for: interval)) != nil {
            let current = fingerprint()
            if current == seen { continue }
            guard (try? await Task.sleep(for: interval)) != nil else { return }
            guard fingerprint() == current else { continue }
            seen = current
            onChange()
        }
    }
}
