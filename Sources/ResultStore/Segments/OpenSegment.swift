// The segment that is being written: its file, and how much of it is known to be good.

/// The file at whose end records are appended.
final class OpenSegment {
    let name: SegmentName
    /// Bytes that are whole and durable; the next record begins here.
    private(set) var size: Int64
    private let file: any DiskFile

    /// Opens or creates a segment.
    ///
    /// What it holds, and a new file's name, is durable when this returns: a process that was killed
    /// may have left lines in the machine's memory only, which recovery has shown.
    init(_ name: SegmentName, in folder: StoreFolder) throws(StoreError) {
        self.name = name
        file = try folder.disk.open(folder.path(of: name))
        size = try file.size()
        if size == 0 { try folder.syncResults() } else { try file.sync() }
    }

    /// Whether the file has its name, and nobody else has changed its size.
    ///
    /// Two looks at the file system, without reading.
    func isWhole() throws(StoreError) -> Bool { try file.isNamed(withSize: size) }

    /// Appends lines and makes them durable; a failed write is undone, durably: its numbers are given
    /// to other lines.
    ///
    /// Throws `full`, `file`, or `syncFailed` when it can't be known what the file holds.
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
