// A file that appears only when it is complete: it is written under a temporary name, made durable,
// and then renamed.
//
// Invariant: only what this object wrote gets the final name. The temporary name is always the
// same, so that a later attempt removes what a crash left; a lock shows that another one is at
// work. Where a file system has no locks, the one whose file loses its name fails at the end.

/// A file that is written under a temporary name.
package final class UnfinishedFile: Sendable {
    private let path: String
    private let file: File

    /// Begins a file that will replace `path`; removes what an earlier attempt left.
    ///
    /// Throws `file`, also while another object or process writes this file, or `full`.
    ///
    /// - Parameters:
    ///   - mode: its permissions.
    ///   - isFolders: whether it gets the owner of its folder, if root writes it.
    package init(
        _ path: String, mode: UInt32 = 0o640, isFolders: Bool = true
    ) throws(StoreError) {
        self.path = path
        let unfinished = path + ".unfinished"
        // A leftover file stays locked until its name is removed, so that no other writer can take
        // it over in between.
        let former = try? File(reading: unfinished)
        defer { withExtendedLifetime(former) {} }
        if let former { try Self.lock(former, for: path) }
        try File.remove(unfinished)
        file = try File(appendingTo: unfinished, mode: mode, isFolders: isFolders)
        try Self.lock(file, for: path)
    }

    /// Locks a file of the temporary name, if the file system has locks.
    private static func lock(_ file: File, for path: String) throws(StoreError) {
        let isFree = (try? file.lock()) ?? true
        guard isFree, try file.isNamed(withSize: nil) else { throw isBusy(path) }
    }

    private static func isBusy(_ path: String) -> StoreError {
        .file(path: path, operation: "write", reason: "another process writes it")
    }

    /// Appends all of `bytes`.
    ///
    /// Throws `file` or `full`.
    package func append(_ bytes: [UInt8]) throws(StoreError) {
        try file.append(bytes)
    }

    /// Durably gives the file its final name, atomically replacing an existing file.
    ///
    /// The last call on this object. Throws `file`, also if the temporary name leads to another
    /// file by now, or `syncFailed`.
    package func finish() throws(StoreError) {
        try file.sync()
        guard try file.isNamed(withSize: nil) else { throw Self.isBusy(path) }
        try File.rename(file.path, to: path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try File(reading: folder).syncFolder()
    }

    /// Removes what has been written, unless the temporary name leads to another file by now.
    ///
    /// The last call on this object.
    package func discard() {
        guard let isNamed = try? file.isNamed(withSize: nil), isNamed else { return }
        try? File.remove(file.path)
    }
}
