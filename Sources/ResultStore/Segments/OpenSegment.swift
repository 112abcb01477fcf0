// The segment that is being written: its file, and how much of it is known to be valid.

/// The file to which records are appended.
final class OpenSegment {
    let name: SegmentName
    /// Bytes that are complete and durable; the next record begins here.
    private(set) var size: Int64
    private let file: any DiskFile

    /// Opens or creates a segment.
    ///
    /// Its content and a new file's name are durable when this returns. A process that was killed
    /// may have left lines that recovery has read but that are not durable yet.
    init(_ name: SegmentName, in folder: StoreFolder) throws(StoreError) {
        self.name = name
        file = try folder.disk.open(folder.path(of: name))
        size = try file.size()
        if size == 0 { try folder.syncResults() } else { try file.sync() }
    }

    /// Whether the file still has its name and no other process has changed its size.
    ///
    /// Two system calls, without reading.
    func isWhole() throws(StoreError) -> Bool { try file.isNamed(withSize: size) }

    /// Appends lines and makes them durable.
    ///
    /// A failed write is undone durably, because other lines will get its numbers.
    ///
    /// Throws `full`, `file`, or `syncFailed` if the file's content is unknown.
    func append(_ lines: [UInt8]) throws(StoreError) {
        do throws(StoreError) {
            try file.append(lines)
        } catch {
            do throws(StoreError) {
                try file.truncate(to: size)
                try file.sync()
            } catch let second {
                throw .syncFailed(path: file.path, reason: second.description)
            }
            throw error
        }
        try file.sync()
        size += Int64(lines.count)
    }
}
