// A file that is there only when it is whole: written under another name, made durable, and then
// given its own.

/// A file on its way to its name.
package final class UnfinishedFile: Sendable {
    private let path: String
    private let file: File

    /// Begins a file that takes the place of `path`; what an earlier try left behind is removed.
    ///
    /// Throws `file` or `full`.
    package init(_ path: String) throws(StoreError) {
        self.path = path
        let unfinished = path + ".unfinished"
        try File.remove(unfinished)
        file = try File(appendingTo: unfinished)
    }

    /// Writes all of `bytes` at the end.
    ///
    /// Throws `file` or `full`.
    package func append(_ bytes: [UInt8]) throws(StoreError) {
        try file.append(bytes)
    }

    /// Gives the file its name, durably; one that has it already is replaced at once.
    ///
    /// Nothing may follow. Throws `file` or `syncFailed`.
    package func finish() throws(StoreError) {
        try file.sync()
        try File.rename(file.path, to: path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try File(reading: folder).syncFolder()
    }

    /// Removes what has been written; nothing may follow.
    package func discard() {
        try? File.remove(file.path)
    }
}
