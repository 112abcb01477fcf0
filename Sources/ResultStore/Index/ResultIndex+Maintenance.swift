// What the keeper of segments asks of the index, and tells it.

import Clocks
import GRDB

extension ResultIndex {
    /// A segment as the index knows it.
    struct Segment: Sendable, Equatable {
        let id: Int64
        let name: SegmentName
        /// Raised each time that its offsets change.
        let generation: Int
        let firstPlace: Int64
        let lastPlace: Int64
    }

    /// All segments, oldest first.
    nonisolated func segments() throws(StoreError) -> [Segment] {
        try readNow { database in
            try Row.fetchAll(
                database,
                sql: "SELECT id, name, generation, first_place, last_place FROM segments"
            ).compactMap { row in
                SegmentName(fileName: row[1]).map {
                    Segment(
                        id: row[0], name: $0, generation: row[2], firstPlace: row[3],
                        lastPlace: row[4])
                }
            }.sorted { $0.name < $1.name }
        }
    }

    /// Lines that are erased and still on the disk, by segment, in the order of their offsets.
    nonisolated func erasedLines() throws(StoreError) -> [SegmentName: [ErasedLine]] {
        try readNow { database in
            let names = try Self.segmentNames(database)
            let rows = try Row.fetchCursor(
                database, sql: "SELECT segment, offset, size FROM erased ORDER BY segment, offset")
            var lines: [SegmentName: [ErasedLine]] = [:]
            while let row = try rows.next() {
                guard let segment = names[row[0]]?.name else { continue }
                lines[segment, default: []].append(ErasedLine(offset: row[1], size: row[2]))
            }
            return lines
        }
    }

    /// Says that a segment has a new file, without these lines, of so many bytes of content.
    ///
    /// Lines that were erased since the file was written are still in it. O(records of the segment).
    nonisolated func relocate(
        _ segment: Segment, without erased: [ErasedLine], size: Int64
    ) throws(StoreError) {
        try write { _, database in
            let update = try database.cachedStatement(
                sql: "UPDATE results SET offset = ? WHERE place = ?")
            var rows: [(key: Int64, offset: Int64)] = []
            let first = erased.first?.offset ?? .max
            let cursor = try Row.fetchCursor(
                database,
                sql: """
                    SELECT place, offset FROM results
                    WHERE place BETWEEN ? AND ? AND segment = ? AND offset > ? ORDER BY offset
                    """,
                arguments: [segment.firstPlace, segment.lastPlace, segment.id, first])
            while let row = try cursor.next() { rows.append((row[0], row[1])) }
            var shift = Shift(erased)
            for row in rows {
                update.setUncheckedArguments([shift.offset(row.offset), row.key])
                try update.execute()
            }
            let superseded = try Row.fetchAll(
                database,
                sql: """
                    SELECT seq, offset FROM superseded WHERE segment = ? AND offset > ?
                    ORDER BY offset
                    """, arguments: [segment.id, first])
            shift = Shift(erased)
            for row in superseded {
                try database.execute(
                    sql: "UPDATE superseded SET offset = ? WHERE seq = ?",
                    arguments: [shift.offset(row[1]), row[0] as Int64])
            }
            let left = try Row.fetchAll(
                database,
                sql: "SELECT offset, size FROM erased WHERE segment = ? ORDER BY offset",
                arguments: [segment.id])
            try database.execute(
                sql: "DELETE FROM erased WHERE segment = ?", arguments: [segment.id])
            shift = Shift(erased)
            for row in left where !shift.removes(row[0]) {
                try database.execute(
                    sql: "INSERT INTO erased VALUES (?, ?, ?)",
                    arguments: [segment.id, shift.offset(row[0]), row[1] as Int])
            }
            try database.execute(
                sql: """
                    UPDATE segments SET generation = ?, indexed_bytes = ? WHERE id = ?
                    """, arguments: [segment.generation + 1, size, segment.id])
        }
    }

    /// Where lines stand when others before them are gone; asked in the order of their offsets.
    private struct Shift {
        private var next: ArraySlice<ErasedLine>
        private var removed: Int64 = 0

        init(_ erased: [ErasedLine]) {
            next = erased[...]
        }

        mutating func offset(_ offset: Int64) -> Int64 {
            while let line = next.first, line.offset < offset {
                removed += Int64(line.size) + 1
                next = next.dropFirst()
            }
            return offset - removed
        }

        /// Whether it is one of those that are gone.
        mutating func removes(_ offset: Int64) -> Bool {
            _ = self.offset(offset)
            return next.first?.offset == offset
        }
    }

    /// Says that a segment is gone, with all its lines erased.
    nonisolated func remove(_ segment: Segment) throws(StoreError) {
        try write { writer, database in
            try database.execute(
                sql: "DELETE FROM erased WHERE segment = ?", arguments: [segment.id])
            try database.execute(sql: "DELETE FROM segments WHERE id = ?", arguments: [segment.id])
            writer.forgetNumbers()
        }
    }

    /// Takes the words of erased records out of the index's file: they stay in the lists of words
    /// until these are merged.
    ///
    /// O(words), in steps between which others may write.
    nonisolated func scrub() throws(StoreError) {
        // Hosts, paths and inboxes that no record has any more.
        try write { writer, database in
            try database.execute(
                sql: "DELETE FROM origins WHERE id NOT IN (SELECT origin FROM results)")
            try database.execute(
                sql: """
                    DELETE FROM inboxes WHERE count = 0
                    AND id NOT IN (SELECT inbox FROM superseded)
                    """)
            writer.forgetNumbers()
        }
        do {
            var pages = -Limits.mergedPages
            while true {
                let hasChanged = try database.write { database in
                    let before = database.totalChangesCount
                    try database.execute(
                        sql: "INSERT INTO search (search, rank) VALUES ('merge', ?)",
                        arguments: [pages])
                    return database.totalChangesCount - before > 1
                }
                pages = Limits.mergedPages
                if !hasChanged { break }
            }
        } catch {
            throw failure(error)
        }
    }

    /// Empties the log, which holds pages as they were before records were erased.
    ///
    /// A query that is going on may keep it; then the next round does this.
    nonisolated func shortenLog() {
        try? database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    // MARK: Retention

    /// How many results were received before a moment.
    nonisolated func count(receivedBefore moment: Timestamp) async throws(StoreError) -> Int {
        try await read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM results WHERE place < ?",
                arguments: [Place.start(moment)]) ?? 0
        }
    }

    /// Inboxes with more results than a limit: up to which number they must go, and how many.
    ///
    /// O(results of these inboxes).
    nonisolated func inboxes(
        holdingMoreThan limit: Int
    ) async throws(StoreError) -> [(name: String, through: Int, count: Int)] {
        try await read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT id, name, count FROM inboxes WHERE count > ?",
                arguments: [limit])
            return try rows.compactMap { row in
                let through = try Int.fetchOne(
                    database,
                    sql: """
                        SELECT seq FROM results WHERE inbox = ? ORDER BY seq DESC
                        LIMIT 1 OFFSET ?
                        """, arguments: [row[0] as Int64, limit])
                return through.map { (row[1], $0, (row[2] as Int) - limit) }
            }
        }
    }
}
