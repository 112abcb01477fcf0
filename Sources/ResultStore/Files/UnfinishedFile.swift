// A file that appears only when it is complete: it is written under a temporary name, made durable,
// and then renamed.

/// A file that is written under a temporary name.
package final class UnfinishedFile: Sendable {
    private let path: String
    private let file: File

    /// Begins a file that will replace `path`; removes what an earlier attempt left.
    ///
    /// Throws `file` or `full`.
    ///
    /// - Parameter mode: its permissions.
    package init(_ path: String, mode: UInt32 = 0o640) throws(StoreError) {
        self.path = path
        let unfinished = path + ".unfinished"
        try File.remove(unfinished)
        file = try File(appendingTo: unfinished, mode: mode)
    }

    /// Appends all of `bytes`.
    ///
    /// Throws `file` or `full`.
    package func append(_ bytes: [UInt8]) throws(StoreError) {
        try file.append(bytes)
    }

    /// Durably gives the file its final name, atomically replacing an existing file.
    ///
    /// The last call on this object. Throws `file` or `syncFailed`.
    package func finish() throws(StoreError) {
        try file.sync()
        try File.rename(file.path, to: path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try File(reading: folder).syncFolder()
    }

    /// Removes what has been written.
    ///
    /// The last call on this object.
    package func discard() {
        try? File.remove(file.path)
    }
}
