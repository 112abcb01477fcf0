// Checks that an index belongs to the segments on the disk, before it is used.
//
// For each segment it compares the size, the line that ends where the index ends, the number of the
// line after it, and the lines of the first and the last record that the index has in it. So it
// notices a file that was restored from a backup, swapped or changed. Of a segment that the index
// doesn't have, it compares the number of the first line. Left out: the lines in between.

import GRDB

/// Compares an index with the segments that it should describe.
struct IndexCheck {
    private let folder: StoreFolder
    private let index: ResultIndex
    private let segments: [FoundSegment]

    init(folder: StoreFolder, index: ResultIndex, segments: [FoundSegment]) {
        self.folder = folder
        self.index = index
        self.segments = segments
    }

    /// Why the index doesn't match these segments or is damaged; nil if it matches.
    ///
    /// O(segments · log(records)); for a small index, also O(bytes of the index).
    ///
    /// Throws `index` if the index can't be read, or `file`.
    func reasonToRebuild() throws(StoreError) -> String? {
        let (sequence, marks) = try index.progress()
        if marks.isEmpty, !segments.isEmpty { return "there was no index" }
        let names = Set(segments.map(\.name))
        if let gone = marks.keys.filter({ !names.contains($0) }).min() {
            return "\(gone.fileName) is gone"
        }
        let known = Dictionary(try index.segments().map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for segment in segments {
            let name = segment.name.fileName
            guard let mark = marks[segment.name], let known = known[segment.name] else {
                // A restored file: its lines may have been erased since. Only a rebuild reads them
                // before the erasures.
                if segment.first <= sequence {
                    let file = try SegmentFile(segment.name, segment.form, in: folder)
                    if try isKnown(file, segment, from: 0, through: sequence) {
                        return "\(name) has come back"
                    }
                }
                continue
            }
            if mark > segment.size { return "\(name) has become shorter" }
            let file = try SegmentFile(segment.name, segment.form, in: folder)
            let mayGrow = mark < segment.size || segment.name == segments.last?.name
            var fits = mark == 0
            if !fits { fits = try !isKnown(file, segment, from: mark, through: sequence) }
            if mayGrow, fits { fits = try isLineEnd(mark, of: file, through: sequence) }
            if !fits { return "\(name) has been rewritten" }
            for record in try index.outermost(of: known) where try !holds(file, record) {
                return "\(name) holds other records"
            }
        }
        guard try index.fileSize() <= Limits.checkedIndexBytes else { return nil }
        return try index.damage()
    }

    /// Whether a line ends where the index of a segment ends, and the number of that line is known.
    ///
    /// A segment may have lost erased lines since and have grown again; then the position is that
    /// of a later line, or inside a line.
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
                guard RecordLine.isIntact(line),
                    let content = StoredContent(line, catalog: index.catalog)
                else { return false }
                return content.sequence <= sequence
            }
            count *= 4
        }
    }

    /// Whether the lines after the indexed part of a segment have numbers that the index contains or
    /// contained.
    ///
    /// Lines that were appended never have.
    private func isKnown(
        _ file: SegmentFile, _ segment: FoundSegment, from mark: Int64, through sequence: Int
    ) throws(StoreError) -> Bool {
        guard mark < segment.size else { return false }
        var reading = try SegmentReading(file, segment.name, from: mark, catalog: index.catalog)
        return try reading.next()?.first.map { $0.sequence <= sequence } ?? false
    }

    /// Whether the segment contains a record at the offset in the index, intact or damaged.
    private func holds(
        _ file: SegmentFile, _ record: ResultIndex.KnownRecord
    ) throws(StoreError) -> Bool {
        let line = try file.read(record.size + 1, at: record.offset)
        // An unreadable block of a compressed segment: reading it reports the damage.
        if line.isEmpty, file.form == .compressed { return try !file.isCutShort() }
        let end = UInt8(ascii: "\n")
        guard line.count == record.size + 1, line.firstIndex(of: end) == record.size else {
            return false
        }
        if RecordLine.isIntact(line.dropLast()) {
            guard
                case .record(let facts, _, _)? = StoredContent(
                    line.dropLast(), catalog: index.catalog)
            else { return false }
            return facts.id == record.id && facts.sequence == record.sequence
        }
        if record.offset == 0 { return true }
        return try file.read(1, at: record.offset - 1) == [end]
    }
}

extension ResultIndex {
    /// A record and the position of its line in its segment.
    struct KnownRecord: Sendable {
        let id: RecordID
        let sequence: Int
        let offset: Int64
        /// Bytes of the line, without its newline.
        let size: Int
    }

    /// The first and the last record of a segment in the index, by time of receipt.
    func outermost(of segment: Segment) throws(StoreError) -> [KnownRecord] {
        try readNow { database in
            try ["", "DESC"].compactMap { order in
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT id_high, id_low, seq, offset, size FROM results
                        WHERE place BETWEEN ? AND ? AND segment = ? ORDER BY place \(order) LIMIT 1
                        """, arguments: [segment.firstPlace, segment.lastPlace, segment.id])
                return try row.map { row in
                    let (high, low): (Int64, Int64) = (
                        try row.decode(atIndex: 0), try row.decode(atIndex: 1)
                    )
                    return KnownRecord(
                        id: RecordID(
                            high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)),
                        sequence: try row.decode(atIndex: 2), offset: try row.decode(atIndex: 3),
                        size: try row.decode(atIndex: 4))
                }
            }
        }
    }

    /// Size of the index's file, in bytes.
    func fileSize() throws(StoreError) -> Int64 {
        try readNow { database in
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    /// What is wrong with the file's pages; nil if they are intact.
    ///
    /// O(bytes of the file).
    func damage() throws(StoreError) -> String? {
        try readNow { try Self.damage($0) }
    }

    /// Checks the file's pages; rebuilds the index if they are damaged.
    ///
    /// O(bytes of the file), while others read and write.
    func checkForDamage() async {
        guard let damage = try? await read({ try Self.damage($0) }) else { return }
        reportDamage(damage)
    }

    private static func damage(_ database: Database) throws -> String? {
        let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        return finding == "ok" ? nil : finding ?? "it can't be checked"
    }
}
