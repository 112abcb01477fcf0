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
    let catalog: FieldCatalog
    /// Whether the index is made anew in any case.
    let rebuilds: Bool
    private(set) var report = RecoveryReport()

    /// What opening needs to go on.
    struct Outcome {
        let index: ResultIndex
        let files: SegmentFiles
        /// The newest segment.
        let last: (name: SegmentName, form: SegmentForm)?
        /// The number of the last line.
        let sequence: Int
    }

    init(folder: StoreFolder, catalog: FieldCatalog, rebuilds: Bool) {
        self.folder = folder
        self.catalog = catalog
        self.rebuilds = rebuilds
    }

    /// Opens the index, or makes it anew, and indexes what it lacks.
    ///
    /// O(bytes not yet indexed).
    mutating func run(
        onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Outcome {
        let segments = try folder.segments()
        var files: [SegmentName: SegmentFile] = [:]
        for (name, form) in segments { files[name] = try SegmentFile(name, form, in: folder) }
        let index = try openIndex(files)
        let marks = try index.progress().bytes
        var total: Int64 = 0
        for (name, file) in files { total += try file.size() - (marks[name] ?? 0) }
        var done: Int64 = 0
        for (name, form) in segments {
            guard let file = files[name] else { continue }
            let isLast = name == segments.last?.name && form == .plain
            try scan(name, file, from: marks[name] ?? 0, isLast: isLast, into: index) { bytes in
                done += Int64(bytes)
                onProgress(done, total)
            }
        }
        let generations = Dictionary(
            try index.segments().map { ($0.name, $0.generation) }, uniquingKeysWith: max)
        return Outcome(
            index: index,
            files: SegmentFiles(
                folder: folder, segments.map { ($0.name, $0.form, generations[$0.name] ?? 0) }),
            last: segments.last, sequence: try index.progress().sequence)
    }

    private mutating func openIndex(
        _ files: [SegmentName: SegmentFile]
    ) throws(StoreError) -> ResultIndex {
        do throws(StoreError) {
            if rebuilds { throw .index(reason: "it was asked for") }
            let index = try ResultIndex(path: folder.indexPath, catalog: catalog)
            let marks = try index.progress().bytes
            if let reason = try reasonToRebuild(files, marks, index) {
                throw .index(reason: reason)
            }
            return index
        } catch .index(let reason) {
            report.rebuildReason = reason
            try folder.removeIndex()
            return try ResultIndex(path: folder.indexPath, catalog: catalog)
        }
    }

    /// Why an index can't be of these segments; nil when it can.
    ///
    /// An index knows what it has seen: segments that are gone or have become shorter, or another
    /// record at its newest place, say that the files were changed without it.
    private func reasonToRebuild(
        _ files: [SegmentName: SegmentFile], _ marks: [SegmentName: Int64], _ index: ResultIndex
    ) throws(StoreError) -> String? {
        if marks.isEmpty, !files.isEmpty { return "there was none" }
        for (segment, mark) in marks {
            guard let size = try files[segment]?.size() else {
                return "\(segment.fileName) is gone"
            }
            if mark > size { return "\(segment.fileName) has become shorter" }
        }
        if let newest = marks.keys.max(), let mark = marks[newest], let file = files[newest],
            try !isLineEnd(mark, of: file, through: index.progress().sequence)
        {
            return "\(newest.fileName) has been rewritten"
        }
        guard let (id, location) = try index.newest() else { return nil }
        let line = try files[location.segment]?.read(location.size, at: location.offset) ?? []
        if RecordLine.isIntact(line[...]),
            case .record(let facts, _, _) = StoredContent(line[...], catalog: catalog),
            facts.id == id
        {
            return nil
        }
        return "\(location.segment.fileName) holds other records"
    }

    /// Whether a line ends at the place up to which a segment is indexed, and its number is known.
    ///
    /// The newest segment that an index knows may have lost erased lines since, and have grown again;
    /// then a later line stands there, or the middle of one. Compressed segments don't grow.
    private func isLineEnd(
        _ mark: Int64, of file: SegmentFile, through sequence: Int
    ) throws(StoreError) -> Bool {
        guard file.form == .plain, mark > 0 else { return true }
        var count: Int64 = 4096
        while true {
            let start = max(0, mark - count)
            let bytes = try file.read(Int(mark - start), at: start)
            guard bytes.last == UInt8(ascii: "\n") else { return false }
            let lineStart = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            if let first = lineStart ?? (start == 0 ? 0 : nil) {
                let line = bytes[first...].dropLast()
                guard RecordLine.isIntact(line) else { return false }
                switch StoredContent(line, catalog: catalog) {
                case .record(let facts, _, _): return facts.sequence <= sequence
                case .erasure(let erasure): return erasure.sequence <= sequence
                case nil: return false
                }
            }
            count *= 4
        }
    }

    private mutating func scan(
        _ segment: SegmentName, _ file: SegmentFile, from mark: Int64, isLast: Bool,
        into index: ResultIndex, onProgress: (Int) -> Void
    ) throws(StoreError) {
        let size = try file.size()
        guard mark < size else { return }
        var scanner = SegmentScanner(segment: segment, offset: mark, catalog: catalog)
        var batch: [IndexChange] = []
        var position = mark
        while position < size {
            let bytes = try file.read(Limits.scanBytes, at: position)
            if bytes.isEmpty {
                guard let next = file.nextReadable(after: position) else { break }
                scanner.skip(to: next)
                position = next
                continue
            }
            position += Int64(bytes.count)
            scanner.add(bytes, to: &batch)
            if batch.count >= Limits.indexBatchRecords { try flush(&batch, into: index) }
            onProgress(bytes.count)
        }
        try flush(&batch, into: index)
        report.damage += scanner.damage
        try end(scanner, file, size: size, isLast: isLast, index)
    }

    private mutating func flush(
        _ batch: inout [IndexChange], into index: ResultIndex
    ) throws(StoreError) {
        try index.insert(batch)
        report.indexedRecords += batch.count { $0.id != nil }
        batch.removeAll(keepingCapacity: true)
    }

    /// Deals with what follows the last valid line.
    private mutating func end(
        _ scanner: SegmentScanner, _ file: SegmentFile, size: Int64, isLast: Bool,
        _ index: ResultIndex
    ) throws(StoreError) {
        let end = scanner.endOfLastValidLine
        guard end < size else { return }
        if isLast {
            let torn = try file.read(Int(size - end), at: end)
            let path = try folder.keepTorn(torn, of: scanner.segment, at: end)
            let open = try folder.disk.open(folder.path(of: scanner.segment))
            try open.truncate(to: end)
            try open.sync()
            report.torn = (path, size - end)
        } else {
            report.damage.append(
                RecoveryReport.Damage(
                    segment: scanner.segment.fileName, offset: end, size: size - end))
            try index.write { writer, database in
                try writer.mark(scanner.segment, size, database)
            }
        }
    }
}
