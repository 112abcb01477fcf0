// Whether an index is of the segments that are there: looked at before anything is asked of it.
//
// Of each segment, its size is compared, the line that ends where the index ends, the number of what
// follows, and the lines of the first and the last record that the index knows in it. So a file that
// was restored from a backup, swapped or changed is noticed. Left out: the lines between.

import GRDB

/// An index beside the segments that it should know.
struct IndexCheck {
    private let folder: StoreFolder
    private let index: ResultIndex
    private let segments: [FoundSegment]

    init(folder: StoreFolder, index: ResultIndex, segments: [FoundSegment]) {
        self.folder = folder
        self.index = index
        self.segments = segments
    }

    /// Why the index can't be of these segments, or is damaged; nil when it can.
    ///
    /// O(segments · log(records)), and O(bytes of the index) where these are few.
    ///
    /// Throws `index` when it can't be read, or `file`.
    func reasonToRebuild() throws(StoreError) -> String? {
        let (sequence, marks) = try index.progress()
        if marks.isEmpty, !segments.isEmpty { return "there was none" }
        let names = Set(segments.map(\.name))
        if let gone = marks.keys.filter({ !names.contains($0) }).min() {
            return "\(gone.fileName) is gone"
        }
        let known = Dictionary(try index.segments().map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for segment in segments {
            guard let mark = marks[segment.name], let known = known[segment.name] else { continue }
            let name = segment.name.fileName
            if mark > segment.size { return "\(name) has become shorter" }
            let file = try SegmentFile(segment.name, segment.form, in: folder)
            let mayGrow = mark < segment.size || segment.name == segments.last?.name
            var fits = try !isKnown(file, segment, from: mark, through: sequence)
            if mayGrow, fits { fits = try isLineEnd(mark, of: file, through: sequence) }
            if !fits { return "\(name) has been rewritten" }
            for record in try index.outermost(of: known) where try !holds(file, record) {
                return "\(name) holds other records"
            }
        }
        guard try index.fileSize() <= Limits.checkedIndexBytes else { return nil }
        return try index.damage()
    }

    /// Whether a line ends at the place up to which a segment is indexed, and its number is known.
    ///
    /// A segment may have lost erased lines since, and have grown again; then a later line is there,
    /// or the middle of one.
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

    /// Whether what follows the place up to which a segment is indexed has numbers that the index
    /// knows: what is appended never has.
    private func isKnown(
        _ file: SegmentFile, _ segment: FoundSegment, from mark: Int64, through sequence: Int
    ) throws(StoreError) -> Bool {
        guard mark > 0, mark < segment.size else { return false }
        var reading = try SegmentReading(file, segment.name, from: mark, catalog: index.catalog)
        return try reading.next()?.first.map { $0.sequence <= sequence } ?? false
    }

    /// Whether a segment holds a record where the index says so, intact or damaged.
    private func holds(
        _ file: SegmentFile, _ record: ResultIndex.KnownRecord
    ) throws(StoreError) -> Bool {
        let line = try file.read(record.size + 1, at: record.offset)
        // A block of a compressed segment that can't be read: reading it reports the damage.
        if line.isEmpty, file.form == .compressed { return true }
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
    /// A record, and where its line is in its segment.
    struct KnownRecord: Sendable {
        let id: RecordID
        let sequence: Int
        let offset: Int64
        /// Bytes without the line's end.
        let size: Int
    }

    /// The first and the last record that the index knows in a segment, by the time of receiving.
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

    /// Bytes of the file.
    func fileSize() throws(StoreError) -> Int64 {
        try readNow { database in
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    /// What is wrong with the file's pages; nil when nothing is.
    ///
    /// O(bytes of the file).
    func damage() throws(StoreError) -> String? {
        try readNow { try Self.damage($0) }
    }

    /// Looks at the file's pages, and has the index made anew where something is wrong with them.
    ///
    /// O(bytes of the file), while others read and write.
    func lookForDamage() async {
        guard let damage = try? await read({ try Self.damage($0) }) else { return }
        distrust(damage)
    }

    private static func damage(_ database: Database) throws -> String? {
        let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        return finding == "ok" ? nil : finding ?? "it can't be checked"
    }
}
