// Opens a store: updates the index to the segments' content, and cuts off a torn end.
//
// Everything that was acknowledged is complete and durable, so an end without a valid line can only
// be a batch that was never acknowledged. It is moved aside, not deleted. Damage before a valid
// line is reported with file and offset; the other records stay readable.

import Clocks
import GRDB

/// What opening a store found and did.
package struct RecoveryReport: Sendable {
    /// A stretch of a segment without a valid record.
    package struct Damage: Sendable, Equatable {
        /// The file's name.
        package let segment: String
        /// Offset of the first bad byte.
        package let offset: Int64
        /// Bytes up to the next valid line or the end.
        package let size: Int64
    }

    /// Damaged stretches in the content that had to be read.
    package internal(set) var damage: [Damage] = []

    /// Where a torn end was saved, and its size in bytes; nil if the last segment ended properly.
    package internal(set) var torn: (path: String, size: Int64)?

    /// Number of records that the index lacked.
    package var indexedRecords = 0

    /// Why the index was rebuilt; nil if it wasn't.
    package internal(set) var rebuildReason: String?

    /// Makes the report of an opening that found nothing to do.
    package init() {}
}

/// Reads segments from where the index ends.
struct Recovery {
    let folder: StoreFolder
    let catalog: FieldCatalog
    /// Whether the index is rebuilt unconditionally.
    let rebuilds: Bool
    private(set) var report = RecoveryReport()

    /// What opening needs to continue.
    struct Outcome {
        let index: ResultIndex
        let files: SegmentFiles
        /// In the order in which they were written.
        let segments: [FoundSegment]
        /// The number of the last line.
        let sequence: Int
    }

    init(folder: StoreFolder, catalog: FieldCatalog, rebuilds: Bool) {
        self.folder = folder
        self.catalog = catalog
        self.rebuilds = rebuilds
    }

    /// Opens or rebuilds the index, and indexes what it lacks.
    ///
    /// O(bytes not yet indexed).
    ///
    /// Throws `full`, or an `index` error that is full, without removing the index.
    mutating func run(
        onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Outcome {
        do throws(StoreError) {
            if rebuilds { throw .index(reason: "requested") }
            return try openWithReserve(anew: nil, onProgress)
        } catch {
            // On a full disk, the index may be intact.
            guard case .index(let reason) = error, !error.isFull else { throw error }
            return try openWithReserve(anew: reason, onProgress)
        }
    }

    /// Opens the index; if the disk is full, opens it again with the reserve released.
    private mutating func openWithReserve(
        anew reason: String?, _ onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Outcome {
        try folder.reserve.whenFullNow { () throws(StoreError) in
            try open(anew: reason, onProgress)
        }
    }

    /// - Parameter reason: why the index is rebuilt; nil if it can be trusted.
    private mutating func open(
        anew reason: String?, _ onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Outcome {
        let torn = report.torn
        report = RecoveryReport()
        (report.torn, report.rebuildReason) = (torn, reason)
        if reason != nil { try folder.removeIndex() }
        let segments = try SegmentOrder.ofWriting(folder, catalog)
        let index = try ResultIndex(
            path: folder.indexPath, catalog: catalog, reserve: folder.reserve)
        do throws(StoreError) {
            if reason == nil {
                let check = IndexCheck(folder: folder, index: index, segments: segments)
                if let reason = try check.reasonToRebuild() { throw .index(reason: reason) }
            }
            try catchUp(index, segments, onProgress)
            let generations = Dictionary(
                try index.segments().map { ($0.name, $0.generation) }, uniquingKeysWith: max)
            return Outcome(
                index: index,
                files: SegmentFiles(
                    folder: folder,
                    segments.map { ($0.name, $0.form, generations[$0.name] ?? 0) }),
                segments: segments, sequence: try index.progress().sequence)
        } catch {
            try? index.database.close()
            throw error
        }
    }

    private mutating func catchUp(
        _ index: ResultIndex, _ segments: [FoundSegment],
        _ onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) {
        let marks = try index.progress().bytes
        let total = segments.reduce(0) { $0 + $1.size - (marks[$1.name] ?? 0) }
        var reading = SegmentsReading(segments, after: marks, in: folder, catalog: catalog)
        while let changes = try reading.next() {
            try index.insert(changes)
            report.indexedRecords += changes.count { $0.id != nil }
            onProgress(reading.bytes, total)
        }
        for finding in reading.findings {
            report.damage += finding.damage
            if !finding.damage.isEmpty { try index.noteDamage(in: finding.segment.name) }
            if let rest = finding.rest {
                let isLast = finding.segment.name == segments.last?.name
                try end(finding.segment, rest, isLast: isLast, index)
            }
        }
    }

    /// Handles the bytes after the last valid line.
    private mutating func end(
        _ segment: FoundSegment, _ rest: Range<Int64>, isLast: Bool, _ index: ResultIndex
    ) throws(StoreError) {
        let (start, size) = (rest.lowerBound, rest.upperBound - rest.lowerBound)
        if isLast, segment.form == .plain {
            let file = try SegmentFile(segment.name, segment.form, in: folder)
            let torn = try file.read(Int(size), at: start)
            let path = try folder.keepTorn(torn, of: segment.name, at: start)
            let open = try folder.disk.open(folder.path(of: segment.name))
            try open.truncate(to: start)
            try open.sync()
            report.torn = (path, size)
        } else {
            report.damage.append(
                RecoveryReport.Damage(
                    segment: segment.name.fileName, offset: start, size: size))
            try index.write { writer, database in
                try writer.mark(segment.name, rest.upperBound, database)
            }
            try index.noteDamage(in: segment.name)
        }
    }
}
