// Retention in a database: whole days go with their partition, other results by an erasure like
// everybody's.
//
// Invariant: as in files, a flood into one inbox costs another inbox no results as long as the
// flooded inbox has enough of its own; see `RetentionBudget`. The size of results is that of their
// lines, because tables hold room that is used again.

import Clocks
import ResultStore

extension DatabaseKeeper {
    /// Erases results that have expired.
    func expire(_ report: inout MaintenanceReport) async throws(StoreError) {
        if let age = settings.retentionMilliseconds {
            let now = try await trustedTime()
            try await expire(
                before: Timestamp(unixMilliseconds: now.unixMilliseconds - age), &report)
        }
        try await expireStrays(&report)
        if let limit = settings.retentionInboxResults {
            for share in RetentionBudget.shares(try await holdings(over: limit), leaving: limit) {
                report.expired.byCount += try await expire(share, isBytes: false, &report)
            }
        }
        guard let limit = settings.retentionBytes else { return }
        let sizes = try await run(
            """
            SELECT coalesce(sum(bytes), 0)::bigint,
                coalesce(sum(bytes) FILTER (WHERE kind = \(RecordKind.stray.number)), 0)::bigint
            FROM inbox_kinds
            """)
        let (total, strays) = (sizes.first?.integer(0) ?? 0, sizes.first?.integer(1) ?? 0)
        if total <= limit { return }
        // A sixteenth more, so that it doesn't have to erase a few every time.
        var excess = total - limit + limit / 16
        if strays > 0 {
            try await eraseStrays(min(excess, strays), isBytes: true, &report)
            excess -= min(excess, strays)
        }
        for share in RetentionBudget.shares(try await holdings(over: 0), freeing: excess) {
            report.expired.byBytes += try await expire(share, isBytes: true, &report)
        }
    }

    // MARK: By age

    private func expire(
        before moment: Timestamp, _ report: inout MaintenanceReport
    ) async throws(StoreError) {
        let partitions = try await run(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'results'::regclass"
        )
        let last = Day(moment)
        var areDropped = true
        for name in partitions.rows.compactMap({ $0.text(0) }).sorted() {
            guard let day = Day(partition: name), day < last else { continue }
            do throws(StoreError) {
                report.expired.byAge += try await drop(day)
            } catch {
                // A query that runs on it, or a change: the next round tries again.
                report.failures.append(error)
                areDropped = false
            }
        }
        // Results of a day that stays are not deleted one by one: there may be very many.
        let first = areDropped ? Int64.min : Place.start(last.start)
        let rest = try await run(
            "SELECT EXISTS (SELECT FROM results WHERE place >= $1 AND place < $2)",
            [.integer(first), .integer(Place.start(moment))])
        if rest.first?.int(0) == 1 {
            try await erase(.receivedBefore(moment), from: first, counting: &report.expired.byAge)
        }
    }

    /// Erases records; ends with `closed` between two transactions.
    ///
    /// The round's connection sends a statement before each of them, or it could be silent for too
    /// long and lose its lock.
    private func erase(
        _ scope: Erasure.Scope, from first: Int64 = .min, counting count: inout Int
    ) async throws(StoreError) {
        try await writer.erase(scope, from: first, counting: &count) {
            () async throws(StoreError) in
            _ = try await run("SELECT 1")
        }
    }

    /// Drops a day's partition; returns the number of its records.
    ///
    /// Its records are counted before, so that writers wait for no longer than it takes to drop a
    /// table; if something has changed since, the transaction fails.
    private func drop(_ day: Day) async throws(StoreError) -> Int {
        let table = "\"\(day.partition)\""
        let known = try await run(
            "SELECT coalesce(max(seq), 0), \(Self.uncleanSequence) FROM \(table)",
            [.integer(day.number)])
        let counts = try await run(
            """
            SELECT facet, inbox, facets.kind, count(*), sum(octet_length(tail))::bigint,
                max(place) >> \(Place.numberBits)
            FROM \(table) JOIN facets ON facets.id = facet GROUP BY 1, 2, 3
            """)
        let next = day.advanced(by: 1)
        _ = try await run(
            "DELETE FROM idempotency WHERE place >= $1 AND place < $2",
            [.integer(Place.start(day.start)), .integer(Place.start(next.start))])
        let moment = Timestamp.now
        let check = """
            SELECT 1 / (coalesce(max(seq), 0) = $2 AND \(Self.uncleanSequence) = $3)::integer
            FROM \(table)
            """
        let row = known.first
        _ = try await run(
            [
                Statement(sql: "SELECT set_config('lock_timeout', '200', true)"),
                Head.takeNumbers(1),
                Statement(
                    sql: check,
                    parameters: [
                        .integer(day.number), .integer(row?.int(0) ?? 0),
                        .integer(row?.int(1) ?? 0),
                    ]),
                Statement(sql: "ALTER TABLE results DETACH PARTITION \(table)"),
                Statement(sql: "DROP TABLE \(table)"),
            ] + Self.uncounting(counts) + [
                WriteStatements.datingInboxes,
                // Names that only its records used go with the next cleaning.
                Statement(
                    sql: """
                        INSERT INTO unclean (day, seq) SELECT $1, seq FROM head
                        ON CONFLICT (day) DO UPDATE SET seq = excluded.seq
                        """, parameters: [.integer(day.number)]),
                WriteStatements.note(
                    .receivedBefore(next.start), at: moment, token: RecordID(at: moment)),
                statements.notification,
            ])
        return counts.rows.reduce(0) { $0 + $1.int(3) }
    }

    private static let uncleanSequence = """
        coalesce((SELECT seq FROM unclean WHERE day = $1), 0)
        """

    /// Takes records out of the counts: facet, inbox, kind, number, bytes, and the newest one's time.
    private static func uncounting(_ counts: Reply) -> [Statement] {
        let rows = Array(counts.rows)
        if rows.isEmpty { return [] }
        func column(_ number: Int) -> Parameter { .integers(rows.map { $0.integer(number) }) }
        return [
            Statement(
                sql: """
                    UPDATE facets SET count = count - c.number FROM (
                        SELECT facet, sum(number) AS number
                        FROM unnest($1::bigint[], $2::bigint[]) AS u (facet, number) GROUP BY 1) AS c
                    WHERE facets.id = c.facet
                    """, parameters: [column(0), column(3)]),
            Statement(
                sql: """
                    UPDATE inbox_kinds SET \(WriteStatements.takingOut)
                    FROM (
                        SELECT inbox, kind, sum(number) AS number, sum(bytes) AS bytes,
                            max(last_at) AS last_at
                        FROM unnest(
                                $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                            AS u (inbox, kind, number, bytes, last_at) GROUP BY 1, 2) AS c
                    WHERE inbox_kinds.inbox = c.inbox AND inbox_kinds.kind = c.kind
                    """, parameters: (1...5).map(column)),
        ]
    }

    // MARK: By number and size

    /// Erases the oldest strays if there are too many, and a sixteenth more.
    private func expireStrays(_ report: inout MaintenanceReport) async throws(StoreError) {
        let sql = """
            SELECT coalesce(sum(count), 0)::bigint, coalesce(sum(bytes), 0)::bigint
            FROM inbox_kinds WHERE kind = \(RecordKind.stray.number)
            """
        let (count, bytes) = ResultStore.strayLimits
        let excess = (try await run(sql).first?.int(0) ?? 0) - count
        if excess > 0 {
            try await eraseStrays(Int64(excess + count / 16), isBytes: false, &report)
        }
        let excessBytes = (try await run(sql).first?.int(1) ?? 0) - bytes
        if excessBytes > 0 {
            try await eraseStrays(Int64(excessBytes + bytes / 16), isBytes: true, &report)
        }
    }

    private func eraseStrays(
        _ amount: Int64, isBytes: Bool, _ report: inout MaintenanceReport
    ) async throws(StoreError) {
        guard
            let through = try await last(
                of: WriteStatements.isStray, [], amount: amount, isBytes: isBytes)
        else { return }
        try await erase(.strays(through: through), counting: &report.expired.strays)
    }

    /// The inboxes with more than `limit` results, without strays.
    private func holdings(over limit: Int) async throws(StoreError) -> [RetentionBudget.Holding] {
        try await run(
            """
            SELECT inboxes.name, \(RetentionBudget.Part.sql), count(*),
                sum(octet_length(tail))::bigint
            FROM results JOIN inboxes ON inboxes.id = results.inbox
                JOIN facets ON facets.id = results.facet
            WHERE facets.kind <> \(RecordKind.stray.number) AND results.inbox IN (
                SELECT inbox FROM inbox_kinds GROUP BY inbox HAVING sum(count) > $1)
            GROUP BY 1, 2
            """, [.integer(limit)]
        ).rows.map { row in
            RetentionBudget.Holding(
                inbox: row.text(0) ?? "",
                part: RetentionBudget.Part(rawValue: row.int(1)) ?? .matched, count: row.int(2),
                bytes: row.integer(3) ?? 0)
        }
    }

    /// Erases the oldest results of an inbox; returns their number.
    private func expire(
        _ share: RetentionBudget.Share, isBytes: Bool, _ report: inout MaintenanceReport
    ) async throws(StoreError) -> Int {
        let condition = """
            inbox = (SELECT id FROM inboxes WHERE name = $1) AND facet IN (
                SELECT id FROM facets
                WHERE \(RetentionBudget.Part.sql) = $2 AND kind <> \(RecordKind.stray.number))
            """
        let through = try await last(
            of: condition, [.text(share.inbox), .integer(share.part.rawValue)],
            amount: share.amount, isBytes: isBytes)
        guard let through else { return 0 }
        let scope = Erasure.Scope(share, through: through)
        var count = 0
        try await erase(scope, counting: &count)
        if share.part != .matched { report.expired.unmatched += count }
        report.expired.inboxes.insert(share.inbox)
        return count
    }

    /// The last of the oldest rows that reach an amount; nil for none.
    ///
    /// - Parameter amount: rows or bytes of lines, depending on `isBytes`.
    private func last(
        of condition: String, _ parameters: [Parameter], amount: Int64, isBytes: Bool
    ) async throws(StoreError) -> Erasure.Bound? {
        let size = isBytes ? "octet_length(tail)" : "1"
        let reply = try await run(
            """
            SELECT received, seq FROM (
                SELECT place >> \(Place.numberBits) AS received, seq,
                    sum(\(size)) OVER (ORDER BY place >> \(Place.numberBits), seq) - \(size)
                        AS before
                FROM results WHERE \(condition)) AS sums
            WHERE before < $\(parameters.count + 1) ORDER BY received DESC, seq DESC LIMIT 1
            """, parameters + [.integer(amount)])
        return reply.first.map { row in
            Erasure.Bound(
                receivedAt: Timestamp(unixMilliseconds: row.integer(0) ?? 0), row.int(1))
        }
    }
}
