// Verifies a database: every line can be read and agrees with its columns, and the counts are right.

import ResultStore

extension DatabaseKeeper {
    /// Reads everything and reports what is wrong.
    ///
    /// O(records). The database's own checksums, if it was made with them, tell of damaged pages.
    func verify(_ catalog: FieldCatalog) async throws(StoreError) -> VerificationReport {
        var report = VerificationReport()
        var place: Int64 = -1
        while true {
            let reply = try await run(
                """
                SELECT \(LineRow.columns), inboxes.name, origins.host, origins.path,
                    results.tableoid::regclass::text
                FROM results JOIN facets ON facets.id = results.facet
                    LEFT JOIN inboxes ON inboxes.id = results.inbox
                    LEFT JOIN origins ON origins.id = results.origin
                WHERE place > $1 ORDER BY place LIMIT \(Limits.followedRecords)
                """, [.integer(place)], connects: true)
            if reply.count == 0 { break }
            for row in reply.rows {
                place = row.integer(0) ?? place
                Self.check(row, catalog, &report)
            }
        }
        try await checkCounts(&report)
        let head = try await run("SELECT seq FROM head", connects: true)
        if head.count == 0 { report.add("head", nil, Head.loss) }
        let days = try await run(
            """
            SELECT count(*), coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint
            FROM pg_inherits WHERE inhparent = 'results'::regclass
            """, connects: true)
        report.files = days.first?.int(0) ?? 0
        report.bytes = days.first?.integer(1) ?? 0
        let erasures = try await run("SELECT count(*) FROM erasures", connects: true)
        report.erasures = erasures.first?.int(0) ?? 0
        return report
    }

    private static func check(
        _ row: Reply.Row, _ catalog: FieldCatalog, _ report: inout VerificationReport
    ) {
        let (table, sequence) = (row.text(9) ?? "results", row.int(1))
        guard let line = LineRow.line(row), let facts = catalog.facts(in: line) else {
            return report.add(table, nil, "the record with seq \(sequence) can't be read")
        }
        report.records += 1
        let expected = [facts.inbox, facts.host, facts.path].map { $0.prefix { $0 != "\0" } }
        let found = [row.text(6), row.text(7), row.text(8)]
        for (name, (expected, found)) in zip(
            ["inbox", "host", "path"], zip(expected, found))
        where found.map({ Array($0.utf8) }) != Array(expected.utf8) {
            report.add(
                table, nil, "the column \(name) of seq \(sequence) disagrees with its line")
        }
    }

    private func checkCounts(_ report: inout VerificationReport) async throws(StoreError) {
        // In one statement, so that no record is stored in between.
        let wrong = try await run(
            """
            SELECT f.id, f.count, coalesce(c.number, 0) FROM facets AS f LEFT JOIN (
                SELECT facet, count(*) AS number FROM results GROUP BY 1) AS c ON c.facet = f.id
            WHERE f.count <> coalesce(c.number, 0)
            """, connects: true)
        for row in wrong.rows {
            report.add(
                "facets", nil,
                "facet \(row.int(0)) counts \(row.int(1)) records, and there are \(row.int(2))")
        }
        let doubled = try await run(
            "SELECT seq FROM results GROUP BY seq HAVING count(*) > 1 LIMIT 100", connects: true)
        for row in doubled.rows {
            report.add("results", nil, "several records have seq \(row.int(0))")
        }
    }
}
