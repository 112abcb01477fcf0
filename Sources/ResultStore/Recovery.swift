// Opens a store: updates the index to the segments' content, and cuts off a torn end.
//
// Everything that was acknowledged is complete and durable, so an end without a valid line is a
// batch that was never acknowledged, unless the index had more lines. It is moved aside, not
// deleted. Other damage is reported with file and offset; the other records stay readable.
// Invariant: what the index has is durable.

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

    /// Number of records that the index lacked and has now.
    package var indexedRecords = 0

    /// Bytes of segments that the index still lacks, because there were too many to wait for, or
    /// because they erase too much.
    package internal(set) var lackingBytes: Int64 = 0

    /// Why the index was rebuilt; nil if it wasn't.
    package internal(set) var rebuildReason: String?

    /// The number of the files' last line, and the higher one that the former index had: what is
    /// missing was durable; nil if nothing is.
    package internal(set) var missing: (last: Int, known: Int)?

    /// Makes the report of an opening that found nothing to do.
    package init() {}
}

/// Reads segments from where the index ends.
struct Recovery {
    let folder: StoreFolder
    let catalog: FieldCatalog
    /// Whether the index is rebuilt unconditionally.
    let rebuilds: Bool
    /// Maximum bytes that are indexed before the store opens; a large erasure isn't waited for
    /// either, unless it is `.max`.
    let awaitedBytes: Int64
    private(set) var report = RecoveryReport()
    /// The number of the last line that an index had which is replaced; 0 if it can't be read.
    private var former = 0

    /// What opening needs to continue.
    struct Outcome {
        let index: ResultIndex
        /// The number of the last line, also if it is missing.
        let sequence: Int
        let files: SegmentFiles
        /// In the order in which they were written.
        let segments: [FoundSegment]
    }

    init(folder: StoreFolder, catalog: FieldCatalog, rebuilds: Bool, awaitedBytes: Int64) {
        self.folder = folder
        self.catalog = catalog
        self.rebuilds = rebuilds
        self.awaitedBytes = awaitedBytes
    }

    /// Opens the index or makes a new one, and indexes what it lacks, unless that is too much.
    ///
    /// O(segments + bytes not yet indexed, up to `awaitedBytes`).
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
        var segments = try SegmentOrder.ofWriting(folder, catalog)
        if reason != nil {
            former = max(former, lastSequenceOfIndex())
            // While the index that knows it is there: the process may end at any moment. Between the
            // removal and noting the number in the new index, only the number is lost.
            try keepDurableEnd(of: &segments)
            try folder.removeIndex()
        }
        let index = try ResultIndex(
            path: folder.indexPath, catalog: catalog, reserve: folder.reserve)
        do throws(StoreError) {
            if report.missing != nil { try index.noteSequence(former) }
            if reason == nil {
                let check = IndexCheck(folder: folder, index: index, segments: segments)
                if let reason = try check.reasonToRebuild() { throw .index(reason: reason) }
            }
            return Outcome(
                index: index, sequence: try complete(index, segments, onProgress),
                files: SegmentFiles(folder: folder, try index.generations(of: segments)),
                segments: segments)
        } catch {
            try? index.database.close()
            throw error
        }
    }

    /// The number of the last line in an index of any version or catalog; 0 if it can't be read.
    private func lastSequenceOfIndex() -> Int {
        var configuration = Configuration()
        // Another program may have it locked for a moment.
        configuration.busyMode = .timeout(Double(Limits.indexLockMilliseconds) / 1000)
        guard
            let queue = try? DatabaseQueue(
                path: folder.indexPath, configuration: configuration)
        else { return 0 }
        defer { try? queue.close() }
        let sequence = try? queue.read { database in
            try Int.fetchOne(database, sql: "SELECT sequence FROM state")
        }
        // A damaged index may hold anything; JSON's integers end there.
        guard let sequence, 0..<1 << 53 ~= sequence else { return 0 }
        return sequence
    }

    /// Notes what the former index had and the files don't; then begins the next part if bytes
    /// follow the last valid line: they were durable, so they are damage, not a torn end.
    ///
    /// The numbers of what is missing aren't used again: backups may hold erasures and results that
    /// have them. O(segments).
    private mutating func keepDurableEnd(
        of segments: inout [FoundSegment]
    ) throws(StoreError) {
        guard former > 0 else { return }
        let end = try SegmentOrder.end(of: segments, in: folder, catalog)
        guard end.sequence < former else { return }
        report.missing = (end.sequence, former)
        guard end.rest != nil, let last = segments.last else { return }
        let parts = segments.map(\.name).filter { $0.day == last.name.day }.map(\.part)
        let next = SegmentName(day: last.name.day, part: (parts.max() ?? 0) + 1)
        _ = try OpenSegment(next, in: folder)
        segments.append(FoundSegment(name: next, form: .plain, size: 0, first: last.first))
    }

    /// Indexes what the index lacks, unless that is too much, and cuts off a torn end; returns the
    /// number of the last line.
    private mutating func complete(
        _ index: ResultIndex, _ segments: [FoundSegment],
        _ onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Int {
        let lacking = Self.lacking(segments, try index.progress().bytes)
        if lacking > 0, let last = segments.last, last.form == .plain {
            // A process that was killed may have left lines that are not durable yet.
            try folder.disk.open(folder.path(of: last.name)).sync()
        }
        if lacking <= awaitedBytes, try fill(index, segments, onProgress) {
            return try index.progress().sequence
        }
        let (known, marks) = try index.progress()
        report.lackingBytes = max(1, Self.lacking(segments, marks))
        // The rest is read again, and its damage reported then.
        let ends = marks.map { ($0.key.fileName, $0.value) }
        let read = Dictionary(ends, uniquingKeysWith: max)
        report.damage.removeAll { $0.offset >= read[$0.segment] ?? 0 }
        let end = try SegmentOrder.end(of: segments, in: folder, catalog)
        if let rest = end.rest, let last = segments.last { try cut(rest, from: last) }
        return max(known, end.sequence)
    }

    /// Bytes of segments after the marks.
    private static func lacking(
        _ segments: [FoundSegment], _ marks: [SegmentName: Int64]
    ) -> Int64 {
        segments.reduce(0) { $0 + $1.size - (marks[$1.name] ?? 0) }
    }

    /// Indexes what the index lacks, and cuts off a torn end; returns false, and cuts off nothing,
    /// if it came to an erasure that is too large to wait for.
    private mutating func fill(
        _ index: ResultIndex, _ segments: [FoundSegment],
        _ onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) -> Bool {
        var damage: [RecoveryReport.Damage] = []
        let steps = awaitedBytes == .max ? Int.max : Limits.awaitedErasingSteps
        var filling = IndexFilling(folder: folder, index: index, erasingSteps: steps) {
            damage.append($0)
        }
        let torn = try filling.run(segments) { done, total in onProgress(done, total) }
        report.indexedRecords = filling.records
        report.damage = damage
        if filling.hasGivenUp { return false }
        if let torn, let last = segments.last { try cut(torn, from: last) }
        return true
    }

    /// Moves the bytes after the last valid line aside.
    private mutating func cut(
        _ rest: Range<Int64>, from segment: FoundSegment
    ) throws(StoreError) {
        let size = rest.upperBound - rest.lowerBound
        let file = try SegmentFile(segment.name, segment.form, in: folder)
        let torn = try file.read(Int(size), at: rest.lowerBound)
        let path = try folder.keepTorn(torn, of: segment.name, at: rest.lowerBound)
        let open = try folder.disk.open(folder.path(of: segment.name))
        try open.truncate(to: rest.lowerBound)
        try open.sync()
        report.torn = (path, size)
    }
}
