// Opening: brings the index up to what the segments hold, and cuts off a torn end.
//
// Everything that was acknowledged is whole and durable, so an end without a valid line can only be
// a batch that nobody was told of. It is moved aside, not deleted. Damage before a valid line is
// reported by file and offset; the other records stay readable.

import Clocks
import GRDB

/// What opening a store found and did.
package struct RecoveryReport: Sendable {
    /// A stretch of a segment that holds no valid record.
    package struct Damage: Sendable, Equatable {
        /// The file's name.
        package let segment: String
        /// The first bad byte.
        package let offset: Int64
        /// Bytes up to the next valid line or the end.
        package let size: Int64
    }

    /// Damaged stretches that were found in what had to be read.
    package internal(set) var damage: [Damage] = []

    /// Where a torn end was kept, and its size in bytes; nil when the last segment ended well.
    package internal(set) var torn: (path: String, size: Int64)?

    /// Records that the index lacked.
    package internal(set) var indexedRecords = 0

    /// Why the index was made anew; nil when it was not.
    package internal(set) var rebuildReason: String?
}

/// Reads segments from where the index ends.
struct Recovery {
    let folder: StoreFolder
    private(set) var report = RecoveryReport()

    init(folder: StoreFolder) {
        self.folder = folder
    }

    /// Opens the index, or makes it anew, and indexes what it lacks.
    ///
    /// O(bytes not yet indexed).
    mutating func run(
        onProgress: (_ records: Int) -> Void
    ) throws(StoreError) -> (index: ResultIndex, last: SegmentName?, sequence: Int) {
        let segments = try folder.segments()
        let index = try openIndex(segments)
        let marks = try index.progress().bytes
        for segment in segments {
            try scan(
                segment, from: marks[segment.fileName] ?? 0, isLast: segment == segments.last,
                into: index, onProgress: onProgress)
        }
        return (index, segments.last, try index.progress().sequence)
    }

    private mutating func openIndex(_ segments: [SegmentName]) throws(StoreError) -> ResultIndex {
        do throws(StoreError) {
            let index = try ResultIndex(path: folder.indexPath)
            let marks = try index.progress().bytes
            if let reason = try reasonToRebuild(segments, marks, index) {
                throw .index(reason: reason)
            }
            return index
        } catch .index(let reason) {
            report.rebuildReason = reason
            try folder.removeIndex()
            return try ResultIndex(path: folder.indexPath)
        }
    }

    /// An index that knows more than there is, or whose newest record is not where it says,
    /// describes other files.
    private func reasonToRebuild(
        _ segments: [SegmentName], _ marks: [String: Int64], _ index: ResultIndex
    ) throws(StoreError) -> String? {
        let names = Set(segments.map(\.fileName))
        if let missing = marks.keys.first(where: { !names.contains($0) }) {
            return "\(missing) is gone"
        }
        for segment in segments {
            let size = try File(reading: folder.path(of: segment)).size()
            if let mark = marks[segment.fileName], mark > size {
                return "\(segment.fileName) has become shorter"
            }
        }
        guard let (id, location) = try index.newest() else { return nil }
        let line = try File(reading: folder.path(of: location.segment))
            .read(location.size, at: location.offset)
        let isThere =
            RecordLine.isIntact(line[...])
            && RecordLine.entry(of: line[...], in: location.segment, at: location.offset)?.id == id
        return isThere ? nil : "\(location.segment.fileName) holds other records"
    }

    private mutating func scan(
        _ segment: SegmentName, from mark: Int64, isLast: Bool, into index: ResultIndex,
        onProgress: (Int) -> Void
    ) throws(StoreError) {
        let file = try File(appendingTo: folder.path(of: segment))
        let size = try file.size()
        guard mark < size else { return }
        var scanner = SegmentScanner(segment: segment, offset: mark)
        var batch: [IndexEntry] = []
        var position = mark
        while position < size {
            let bytes = try file.read(Limits.scanBytes, at: position)
            if bytes.isEmpty { break }
            position += Int64(bytes.count)
            scanner.add(bytes, to: &batch)
            if batch.count >= Limits.indexBatchRecords {
                try flush(&batch, into: index, onProgress)
            }
        }
        try flush(&batch, into: index, onProgress)
        report.damage += scanner.damage
        try end(scanner, file, size: size, isLast: isLast, index)
    }

    private mutating func flush(
        _ batch: inout [IndexEntry], into index: ResultIndex, _ onProgress: (Int) -> Void
    ) throws(StoreError) {
        try index.insert(batch)
        report.indexedRecords += batch.count
        batch.removeAll(keepingCapacity: true)
        onProgress(report.indexedRecords)
    }

    /// Deals with what follows the last valid line.
    private mutating func end(
        _ scanner: SegmentScanner, _ file: borrowing File, size: Int64, isLast: Bool,
        _ index: ResultIndex
    ) throws(StoreError) {
        let end = scanner.endOfLastValidLine
        guard end < size else { return }
        if isLast {
            let torn = try file.read(Int(size - end), at: end)
            let path = try folder.keepTorn(torn, of: scanner.segment, at: end)
            try file.truncate(to: end)
            try file.sync()
            report.torn = (path, size - end)
        } else {
            report.damage.append(
                RecoveryReport.Damage(
                    segment: scanner.segment.fileName, offset: end, size: size - end))
            do {
                try index.database.write {
                    try IndexSchema.mark(scanner.segment, size, $0)
                }
            } catch {
                throw .index(reason: "\(error)")
            }
        }
    }
}
