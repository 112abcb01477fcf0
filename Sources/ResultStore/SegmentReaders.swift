// Open files for reading, one per segment, shared by all queries.

import Synchronization

/// Reads lines of segments.
final class SegmentReaders: Sendable {
    private final class Reader: Sendable {
        let file: File

        init(_ path: String) throws(StoreError) {
            file = try File(reading: path)
        }
    }

    private let folder: StoreFolder
    private let readers = Mutex<[SegmentName: Reader]>([:])

    init(folder: StoreFolder) {
        self.folder = folder
    }

    /// A line, checked.
    ///
    /// O(size).
    ///
    /// Throws `damaged` when the checksum is wrong, or `file`.
    func line(at location: ResultIndex.Location) throws(StoreError) -> StoredLine {
        let reader = try reader(of: location.segment)
        let line = try reader.file.read(location.size, at: location.offset)
        guard RecordLine.isIntact(line[...]) else {
            throw .damaged(segment: location.segment.fileName, offset: location.offset)
        }
        return StoredLine(line)
    }

    private func reader(of segment: SegmentName) throws(StoreError) -> Reader {
        if let known = readers.withLock({ $0[segment] }) { return known }
        let reader = try Reader(folder.path(of: segment))
        readers.withLock { $0[segment] = reader }
        return reader
    }
}
