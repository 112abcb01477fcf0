// What the keeper of segments reads from the index and reports to it.

import Clocks
import GRDB

extension ResultIndex {
    /// A segment as the index knows it.
    struct Segment: Sendable, Equatable {
        let id: Int64
        let name: SegmentName
        /// Increased each time its offsets change.
        let generation: Int
        /// Bytes of its content that are indexed.
        let size: Int64
        let firstPlace: Int64
        let lastPlace: Int64
    }

    /// All segments, oldest first.
    nonisolated func segments() throws(StoreError) -> [Segment] {
        try readNow { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, name, generation, indexed_bytes, first_place, last_place
                    FROM segments
                    """
            ).compactMap { row in
                guard let name = SegmentName(fileName: try row.decode(atIndex: 1)) else {
                    return nil
                }
                return Segment(
                    id: try row.decode(atIndex: 0), name: name,
                    generation: try row.decode(atIndex: 2), size: try row.decode(atIndex: 3),
                    firstPlace: try row.decode(atIndex: 4), lastPlace: try row.decode(atIndex: 5))
            }.sorted { $0.name < $1.name }
        }
    }

    /// Segments with the form of their files, and the generation in which the index has them.
    func generations(
        of segments: [FoundSegment]
    ) throws(StoreError) -> [(name: SegmentName, form: SegmentForm, generation: Int)] {
        let known = Dictionary(
            try self.segments().map { ($0.name, $0.generation) }, uniquingKeysWith: max)
        return segments.map { ($0.name, $0.form, known[$0.name] ?? 0) }
    }

    /// Erased lines that are still on the disk, and erasures that name an inbox without records; by
    /// segment, in the order of their offsets.
    nonisolated func erasedLines() throws(StoreError) -> [SegmentName: [ErasedLine]] {
        try readNow { database in
            let names = try Self.segmentNames(database)
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT segment, offset, size, seq, 0 FROM erased
                    UNION ALL SELECT segment, offset, size, seq, 1 FROM erasures
                    WHERE inbox NOT IN (SELECT id FROM inboxes WHERE count > 0)
                    ORDER BY segment, offset
                    """)
            var lines: [SegmentName: [ErasedLine]] = [:]
            while let row = try rows.next() {
                guard let segment = try names[row.decode(atIndex: 0)]?.name else { continue }
                lines[segment, default: []].append(
                    ErasedLine(
                        offset: try row.decode(atIndex: 1), size: try row.decode(atIndex: 2),
                        sequence: try row.decode(atIndex: 3),
                        isErasure: try row.decode(atIndex: 4)))
            }
            return lines
        }
    }

    /// Records that numbers up to this one have been used, also if their lines are missing.
    func noteSequence(_ sequence: Int) throws(StoreError) {
        try write { _, database in
            try database.execute(
                sql: "UPDATE state SET sequence = max(sequence, ?)", arguments: [sequence])
        }
    }

    /// Records that a segment contains a damaged line.
    func noteDamage(in segment: SegmentName) throws(StoreError) {
        try write { writer, database in try writer.noteDamage(in: segment, database) }
    }

    /// Segments in which a damaged line was found.
    nonisolated func damagedSegments() throws(StoreError) -> Set<SegmentName> {
        try readNow { database in
            let names = try String.fetchAll(
                database,
                sql: "SELECT name FROM segments WHERE id IN (SELECT segment FROM damaged)")
            return Set(names.compactMap { SegmentName(fileName: $0) })
        }
    }

    /// Number of lines of a segment that begin in a range and are still there, erased ones too.
    ///
    /// Counts only those erasures that name an inbox. O(records of the segment).
    nonisolated func lineCount(
        of segment: Segment, in range: Range<Int64>
    ) throws(StoreError) -> Int {
        let here = "segment = \(segment.id) AND offset >= ? AND offset < ?"
        return try readNow { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT (SELECT count(*) FROM results WHERE place BETWEEN ? AND ? AND \(here))
                    + (SELECT count(*) FROM superseded WHERE \(here))
                    + (SELECT count(*) FROM erased WHERE \(here))
                    + (SELECT count(*) FROM erasures WHERE \(here))
                    """,
                arguments: StatementArguments(
                    [segment.firstPlace, segment.lastPlace]
                        + Array(repeating: [range.lowerBound, range.upperBound], count: 4).joined())
            ) ?? 0
        }
    }

    /// A segment whose content was copied to a new file.
    struct Moved: Sendable {
        let segment: Segment
        /// Offset of its content in the new file.
        let start: Int64
        let cuts: [Cut]
        /// The lines that were removed or changed.
        let erased: [ErasedLine]
    }

    /// Records that the content of some segments is now in one new file with the name of the first.
    ///
    /// Lines that were erased after the file was written are still in it. O(records of the
    /// segments).
    ///
    /// - Parameter hasDamage: whether the new file contains a damaged line; nil if that is
    ///   unchanged.
    nonisolated func relocate(
        _ parts: [Moved], size: Int64, hasDamage: Bool?
    ) throws(StoreError) {
        guard let target = parts.first?.segment else { return }
        try write { writer, database in
            var isDamaged = hasDamage ?? false
            for part in parts {
                try Self.move(part, to: target.id, database)
                let known = try Int.fetchOne(
                    database, sql: "SELECT 1 FROM damaged WHERE segment = ?",
                    arguments: [part.segment.id])
                if hasDamage == nil, known != nil { isDamaged = true }
                for table in ["DELETE FROM damaged WHERE segment", "DELETE FROM segments WHERE id"]
                where table.contains("damaged") || part.segment.id != target.id {
                    try database.execute(sql: table + " = ?", arguments: [part.segment.id])
                }
            }
            if isDamaged {
                try database.execute(
                    sql: "INSERT INTO damaged VALUES (?)", arguments: [target.id])
            }
            try database.execute(
                sql: """
                    UPDATE segments SET generation = ?, indexed_bytes = ?, first_place = ?,
                    last_place = ? WHERE id = ?
                    """,
                arguments: [
                    target.generation + 1, size, parts.map(\.segment.firstPlace).min(),
                    parts.map(\.segment.lastPlace).max(), target.id,
                ])
            writer.forgetNumbers()
        }
    }

    private static func move(_ part: Moved, to target: Int64, _ database: Database) throws {
        let segment = part.segment
        // Lines before the first cut keep their offsets.
        let first =
            segment.id == target && part.start == 0 ? part.cuts.first?.offset ?? .max : -1
        for (table, key, range) in [
            ("results", "place", "place BETWEEN ? AND ? AND"), ("superseded", "seq", ""),
        ] {
            let update = try database.cachedStatement(
                sql: "UPDATE \(table) SET segment = ?, offset = ? WHERE \(key) = ?")
            let values: [Int64] = range.isEmpty ? [] : [segment.firstPlace, segment.lastPlace]
            let cursor = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(key), offset FROM \(table)
                    WHERE \(range) segment = ? AND offset > ? ORDER BY offset
                    """, arguments: StatementArguments(values + [segment.id, first]))
            var rows: [(key: Int64, offset: Int64)] = []
            while let row = try cursor.next() {
                rows.append((try row.decode(atIndex: 0), try row.decode(atIndex: 1)))
            }
            var shift = Shift(part)
            for row in rows {
                update.setUncheckedArguments([target, shift.offset(row.offset), row.key])
                try update.execute()
            }
        }
        let done = Set(part.erased.map(\.offset))
        for (table, columns) in [("erased", "size, seq"), ("erasures", "size, seq, inbox")] {
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT offset, \(columns) FROM \(table) WHERE segment = ? ORDER BY offset",
                arguments: [segment.id])
            try database.execute(
                sql: "DELETE FROM \(table) WHERE segment = ?", arguments: [segment.id])
            var shift = Shift(part)
            for row in rows {
                let offset: Int64 = try row.decode(atIndex: 0)
                if done.contains(offset) { continue }
                var values: [Int64] = [target, shift.offset(offset)]
                for column in 1..<row.count { values.append(try row.decode(atIndex: column)) }
                let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
                try database.execute(
                    sql: "INSERT INTO \(table) VALUES (\(marks))",
                    arguments: StatementArguments(values))
            }
        }
    }

    /// Maps old offsets to those in a new file; called in the order of the offsets.
    private struct Shift {
        private var next: ArraySlice<Cut>
        private var change: Int64

        init(_ part: Moved) {
            next = part.cuts[...]
            change = part.start
        }

        mutating func offset(_ offset: Int64) -> Int64 {
            while let cut = next.first, cut.offset < offset {
                change -= cut.size
                next = next.dropFirst()
            }
            return offset + change
        }
    }

    /// Records that segments were removed, with all their lines erased.
    nonisolated func remove(_ segments: [Segment]) throws(StoreError) {
        try write { writer, database in
            for segment in segments {
                for condition in [
                    "erased WHERE segment", "erasures WHERE segment", "damaged WHERE segment",
                    "segments WHERE id",
                ] {
                    try database.execute(
                        sql: "DELETE FROM \(condition) = ?", arguments: [segment.id])
                }
            }
            writer.forgetNumbers()
        }
    }

    /// Removes the words of erased records from the index's file.
    ///
    /// They stay in the word lists until these are merged. Data erased before this call is gone
    /// when it returns; data erased during the call may remain. O(words), in steps between which
    /// others may write.
    ///
    /// - Parameters:
    ///   - pages: pages merged in one step.
    ///   - mustStop: called between the steps.
    ///
    /// Throws `index`, or `closed` when it must stop.
    nonisolated func scrub(
        pages: Int = Limits.mergedPages, mustStop: () -> Bool
    ) throws(StoreError) {
        // Hosts, paths and inboxes that no record has any more.
        let last = try readNow { try Int64.fetchOne($0, sql: "SELECT max(id) FROM origins") } ?? 0
        for first in stride(from: 0, through: last, by: Limits.erasedRows) {
            if mustStop() { throw .closed }
            try write { writer, database in
                try database.execute(
                    sql: """
                        DELETE FROM origins WHERE id >= ? AND id < ?
                        AND NOT EXISTS (SELECT 1 FROM results WHERE origin = origins.id)
                        """, arguments: [first, first + Int64(Limits.erasedRows)])
                writer.forgetNumbers()
            }
        }
        try write { writer, database in
            try database.execute(
                sql: """
                    DELETE FROM inboxes WHERE count = 0
                    AND id NOT IN (SELECT inbox FROM superseded)
                    """)
            // Another inbox may get the number.
            try database.execute(
                sql: "UPDATE erasures SET inbox = 0 WHERE inbox NOT IN (SELECT id FROM inboxes)")
            writer.forgetNumbers()
        }
        // FTS5 keeps the markers of deleted words unless the merged lists go above all others,
        // which depends on how they were merged before. After a first merge they do.
        for _ in 1...2 {
            var isFirst = true
            var hasMore = true
            while hasMore {
                if mustStop() { throw .closed }
                hasMore = try mergeWords(pages, all: isFirst) || isFirst
                isFirst = false
            }
        }
    }

    /// Merges word lists: all of them, or those whose merge has begun.
    ///
    /// Returns false if nothing was left to do.
    private nonisolated func mergeWords(_ pages: Int, all: Bool) throws(StoreError) -> Bool {
        do {
            return try IndexSchema.waitingForLock(at: path) {
                try database.write { try Self.mergeWords(of: $0, pages, all: all) }
            }
        } catch {
            throw failure(error)
        }
    }

    private static func mergeWords(
        of database: Database, _ pages: Int, all: Bool
    ) throws -> Bool {
        // An additional list forces the merge of a single one, and prevents the merge from
        // continuing an earlier one.
        if all {
            try database.execute(
                sql: """
                    INSERT INTO search (rowid, words) VALUES (-1, 'a');
                    INSERT INTO search (search, rowid, words) VALUES ('delete', -1, 'a');
                    """)
        }
        var hasChanged = false
        // A savepoint writes the transaction's inserts to word lists.
        try database.inSavepoint {
            let before = database.totalChangesCount
            try database.execute(
                sql: "INSERT INTO search (search, rank) VALUES ('merge', ?)",
                arguments: [all ? -pages : pages])
            hasChanged = database.totalChangesCount - before > 1
            return .commit
        }
        return hasChanged
    }

    /// Truncates the write-ahead log, which holds pages as they were before records were erased.
    ///
    /// Waits for running queries for a limited time. Returns false if one still uses the log, or
    /// the disk fails.
    nonisolated func shortenLog() async -> Bool {
        for _ in 1...Limits.logTries.count {
            guard let isDone = try? await truncateLog() else { return false }
            if isDone { return true }
            try? await Task.sleep(for: .milliseconds(Limits.logTries.milliseconds))
        }
        return false
    }

    /// Truncates the write-ahead log; returns false if a query still uses it.
    ///
    /// By a statement, because SQLite's function must not be called when the database is closed, as it
    /// is while an index can't be rebuilt.
    nonisolated func truncateLog() async throws(StoreError) -> Bool {
        let (database, reserve) = (database, reserve)
        let isDone = await readers.run { _ in
            Result {
                try database.writeWithoutTransaction { database in
                    try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
                }
            }.mapError { StoreError(ofIndex: $0, reserve) }
        }
        return try isDone.get()
    }
}
