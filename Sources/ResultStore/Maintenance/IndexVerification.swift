// Compares the index with the lines that were read.
//
// Invariant: everything is read from one snapshot that was taken before the files were read. So a
// record that the index lacks may be new only if it is after the index's marks. Left out: declared
// fields and words.

import Foundation
import GRDB

/// An index opened for reading only.
struct IndexVerification {
    /// The last number in the index.
    let sequence: Int
    private let path: String
    private let queue: DatabaseQueue

    /// Takes the snapshot; returns nil, with a note or a finding, if there is nothing to compare
    /// with.
    static func open(
        _ path: String, _ catalog: FieldCatalog, _ report: inout VerificationReport
    ) -> IndexVerification? {
        do {
            guard let queue = try queue(path) else {
                report.note(
                    StoreFolder.indexName, nil, "there is no index; the next opening builds one")
                return nil
            }
            let (fault, sequence) = try queue.inDatabase { database -> (String?, Int) in
                try database.execute(sql: "BEGIN")
                if let fault = try IndexSchema.fault(of: database, catalog) {
                    return (fault, 0)
                }
                return (nil, try Int.fetchOne(database, sql: "SELECT sequence FROM state") ?? 0)
            }
            if let fault {
                report.note(StoreFolder.indexName, nil, "the index is not compared: \(fault)")
                return nil
            }
            return IndexVerification(sequence: sequence, path: path, queue: queue)
        } catch {
            report.add(StoreFolder.indexName, nil, "the index can't be read: \(error)")
            return nil
        }
    }

    private static func queue(_ path: String) throws -> DatabaseQueue? {
        // Not by opening it: closing a file frees all locks that this process has on it, those of the
        // server's connections too.
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        // As long as a server that starts or stops has it locked.
        configuration.busyMode = .timeout(Double(Limits.indexLockMilliseconds) / 1000)
        // The transaction stays open between calls.
        configuration.allowsUnsafeTransactions = true
        // Without a log, no process has the index open, and SQLite would create a log.
        let hasLog = files.fileExists(atPath: path + "-wal")
        return try DatabaseQueue(
            path: hasLog ? path : "file:\(path)?immutable=1", configuration: configuration)
    }

    /// Compares everything.
    func check(_ verification: inout StoreVerification) {
        do {
            let changed = try changedSegments()
            try queue.inDatabase { database in
                var comparison = try Comparison(database, verification, changed)
                try comparison.checkSegments(database)
                try comparison.checkRecords(database)
                try comparison.checkLines(
                    database, in: "erased", "erased", verification.lines.isErased)
                try comparison.checkLines(database, in: "superseded", "superseded") {
                    $0.isSuperseded && !verification.lines.isErased($0)
                }
                try comparison.checkCounts(database)
                verification.report = comparison.verification.report
                try database.execute(sql: "COMMIT")
            }
        } catch {
            verification.report.add(StoreFolder.indexName, nil, "the index can't be read: \(error)")
        }
    }

    /// Segments that were rewritten or removed since the snapshot.
    private func changedSegments() throws -> Set<SegmentName> {
        guard let now = try Self.queue(path) else { return [] }
        let sql = "SELECT name || ' ' || generation FROM segments"
        let before = try queue.inDatabase { try Set(String.fetchAll($0, sql: sql)) }
        let after = try now.read { try Set(String.fetchAll($0, sql: sql)) }
        return Set(
            before.subtracting(after).compactMap { text in
                text.split(separator: " ").first.flatMap { SegmentName(fileName: String($0)) }
            })
    }
}

/// Compares the index's rows with the lines of the files.
private struct Comparison {
    private struct Known {
        let id: Int64
        /// The offset up to which the segment's content is indexed.
        let mark: Int64
    }

    var verification: StoreVerification
    private let changed: Set<SegmentName>
    private var known: [SegmentName: Known] = [:]
    /// Names of segments and of shared values, by their numbers in the index.
    private var names: [Int64: SegmentName] = [:]
    private var inboxes: [Int64: String] = [:]
    private var facets: [Int64: Facet] = [:]

    init(
        _ database: Database, _ verification: StoreVerification, _ changed: Set<SegmentName>
    ) throws {
        self.verification = verification
        self.changed = changed
        let rows = try Row.fetchAll(database, sql: "SELECT id, name, indexed_bytes FROM segments")
        for row in rows {
            guard let name = SegmentName(fileName: row[1]) else { continue }
            names[row[0]] = name
            known[name] = Known(id: row[0], mark: row[2])
        }
        for row in try Row.fetchAll(database, sql: "SELECT id, name FROM inboxes") {
            inboxes[row[0]] = row[1]
        }
        let sql = "SELECT id, kind, vendor, contract, outcome, verdict, method FROM facets"
        for row in try Row.fetchAll(database, sql: sql) {
            facets[row[0]] = Facet(
                kind: RecordKind(number: row[1]) ?? .callback, vendor: row[2], contract: row[3],
                outcome: row[4], verdict: row[5], method: row[6])
        }
    }

    private mutating func add(_ sentence: String) {
        verification.report.add(StoreFolder.indexName, nil, sentence)
    }

    mutating func checkSegments(_ database: Database) throws {
        let sizes = Dictionary(
            verification.segments.map { ($0.name, $0.size) }, uniquingKeysWith: max)
        for (name, known) in known.sorted(by: { $0.key < $1.key }) where !changed.contains(name) {
            guard let size = sizes[name] else {
                add("it lists \(name.fileName), which is gone")
                continue
            }
            if known.mark > size {
                add("it covers \(known.mark) bytes of \(name.fileName), which has \(size)")
            }
        }
        for segment in verification.segments where !changed.contains(segment.name) {
            let mark = known[segment.name]?.mark ?? 0
            if mark < segment.size {
                verification.report.note(
                    segment.path, mark, "the index doesn't cover what follows yet")
            }
        }
        let last = verification.lines.records.last { isIndexed($0) }
        let sequence = try Int.fetchOne(database, sql: "SELECT sequence FROM state") ?? 0
        if let last, last.sequence > sequence {
            add("its last seq is \(sequence) instead of \(last.sequence)")
        }
    }

    /// Whether the index must contain a record or its erasure.
    private func isIndexed(_ record: KnownLines.Record) -> Bool {
        let segment = verification.segments[Int(record.file)]
        guard let known = known[segment.name], !changed.contains(segment.name) else { return false }
        return record.offset + Int64(record.size) < known.mark
    }

    /// Walks along records and rows, both in the order of their numbers.
    mutating func checkRecords(_ database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT seq, id_high, id_low, segment, offset, size, inbox, facet FROM results
                ORDER BY seq
                """)
        let records = verification.lines.records
        var next = records.startIndex
        while let row = try rows.next() {
            let sequence: Int = row[0]
            while next < records.endIndex, records[next].sequence < sequence {
                miss(records[next])
                next += 1
            }
            guard next < records.endIndex, records[next].sequence == sequence else {
                guard let name = names[row[3]], !changed.contains(name) else { continue }
                add("it lists seq \(sequence), which is not in \(name.fileName)")
                continue
            }
            // If a line has copies, one of them must match the row.
            var isCorrect = false
            let first = records[next]
            while next < records.endIndex, records[next].sequence == sequence {
                if try agrees(row, records[next]) { isCorrect = true }
                next += 1
            }
            guard !changed.contains(verification.segments[Int(first.file)].name) else { continue }
            let path = verification.segments[Int(first.file)].path
            if first.isSuperseded || verification.lines.isErased(first) {
                verification.report.add(
                    path, first.offset, "the index returns a line that is erased or superseded")
            } else if !isCorrect {
                verification.report.add(path, first.offset, "the index says otherwise")
            }
        }
        for record in records[next...] { miss(record) }
    }

    private mutating func miss(_ record: KnownLines.Record) {
        guard isIndexed(record), !record.isSuperseded, !verification.lines.isErased(record)
        else { return }
        verification.report.add(
            verification.segments[Int(record.file)].path, record.offset,
            "the index lacks seq \(record.sequence)")
    }

    private func agrees(_ row: Row, _ record: KnownLines.Record) throws -> Bool {
        let (high, low): (Int64, Int64) = (row[1], row[2])
        return RecordID(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)) == record.id
            && names[row[3]] == verification.segments[Int(record.file)].name
            && row[4] == record.offset && row[5] == record.size
            && inboxes[row[6]] == verification.lines.inboxes[Int(record.inbox)]
            && facets[row[7]] == verification.lines.facets[Int(record.facet)]
    }

    /// Erased lines that are still on the disk: the index must list each of them, or it would never
    /// be removed, and no others.
    mutating func checkLines(
        _ database: Database, in table: String, _ word: String,
        _ belongs: (KnownLines.Record) -> Bool
    ) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM \(table) WHERE segment = ? AND offset = ? AND size = ?")
        var count = 0
        for record in verification.lines.records where isIndexed(record) && belongs(record) {
            let segment = verification.segments[Int(record.file)]
            statement.setUncheckedArguments([known[segment.name]?.id, record.offset, record.size])
            if try Int.fetchOne(statement) == nil {
                verification.report.add(
                    segment.path, record.offset, "the index doesn't know that this line is \(word)")
            } else {
                count += 1
            }
        }
        guard changed.isEmpty else { return }
        let all = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
        if all > count { add("it lists \(all - count) \(word) lines that are in no file") }
    }

    /// Compares counts with the index's own rows, each of which has been compared before.
    mutating func checkCounts(_ database: Database) throws {
        for (table, column) in [("inboxes", "inbox"), ("facets", "facet")] {
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(table).id, \(table).count, coalesce(counted.number, 0) FROM \(table)
                    LEFT JOIN (SELECT \(column), count(*) AS number FROM results
                        GROUP BY \(column)) AS counted
                    ON counted.\(column) = \(table).id
                    WHERE \(table).count != coalesce(counted.number, 0)
                    """)
            while let row = try rows.next() {
                add(
                    "\(table) number \(row[0] as Int64) has \(row[1] as Int) records by count, and"
                        + " \(row[2] as Int) in fact")
            }
        }
        let wrong = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM inboxes WHERE count > 0 AND last_place !=
                    (SELECT max(place) FROM results WHERE inbox = inboxes.id)
                """)
        for id in wrong { add("inboxes number \(id) names the wrong last record") }
        let kinds = try Int64.fetchAll(
            database,
            sql: """
                WITH counted AS (SELECT inbox, kind, count(*) AS number, max(place) AS last
                    FROM results JOIN facets ON facets.id = results.facet GROUP BY 1, 2)
                SELECT DISTINCT coalesce(counted.inbox, known.inbox)
                FROM (SELECT * FROM inbox_kinds WHERE count > 0) AS known
                    FULL JOIN counted USING (inbox, kind)
                WHERE known.count IS NOT counted.number OR known.last_place IS NOT counted.last
                """)
        for id in kinds { add("inboxes number \(id) has wrong counts by kind") }
    }
}
