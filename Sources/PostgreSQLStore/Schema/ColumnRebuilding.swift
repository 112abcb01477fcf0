// Fills the columns of declared fields and words again from the records' lines: after a program with
// new fields has added columns, or if `verify` finds that they are wrong.

import ResultStore

extension Connection {
    /// Fills the columns of all records; returns their number.
    ///
    /// Blocks: O(records). Records that are stored meanwhile have their columns.
    ///
    /// - Parameter onProgress: called with the number of records so far, and the total.
    func rebuildColumns(
        _ columns: FieldColumns, _ catalog: FieldCatalog,
        onProgress: (_ done: Int64, _ of: Int64) -> Void
    ) throws(DatabaseError) -> Int {
        let total =
            try run(
                Statement(sql: "SELECT coalesce(sum(count), 0)::bigint FROM facets"),
                within: Limits.queryMilliseconds
            ).first?.integer(0) ?? 0
        var (count, place) = (0, Int64(-1))
        while true {
            let reply = try run(
                Statement(
                    sql: """
                        SELECT \(LineRow.columns) FROM results
                            JOIN facets ON facets.id = results.facet
                        WHERE place > $1 ORDER BY place LIMIT \(Limits.followedRecords)
                        """, parameters: [.integer(place)], isKept: true),
                within: Limits.migrationMilliseconds)
            guard let last = Array(reply.rows).last?.integer(0) else { return count }
            place = last
            let records = reply.rows.compactMap { row in
                LineRow.line(row).flatMap { line in
                    catalog.facts(in: line).map { (row.integer(0), $0) }
                }
            }
            try update(records.map(\.0), records.map(\.1), columns)
            count += reply.count
            onProgress(Int64(count), total)
        }
    }

    private func update(
        _ places: [Int64?], _ facts: [RecordFacts], _ columns: FieldColumns
    ) throws(DatabaseError) {
        var parameters: [Parameter] = [
            .integers(places), .integers(facts.map(\.sequence)),
            .texts(facts.map { WriteStatements.vector(of: $0.words) }),
        ]
        var (names, arrays, assignments) = (
            ["place", "seq", "words"], ["$1::bigint[]", "$2::bigint[]", "$3::text[]"],
            ["words = u.words::tsvector"]
        )
        for (number, column) in columns.all.enumerated() {
            parameters.append(column.parameter(of: facts))
            names.append("field\(number)")
            arrays.append("$\(parameters.count)::\(column.arrayType)")
            assignments.append("\(column.quoted) = u.field\(number)")
        }
        // A record that was decoded again since it was read has another number.
        try run(
            [
                Statement(
                    sql: """
                        UPDATE results SET \(assignments.joined(separator: ", "))
                        FROM unnest(\(arrays.joined(separator: ", ")))
                            AS u (\(names.joined(separator: ", ")))
                        WHERE results.place = u.place AND results.seq = u.seq
                        """, parameters: parameters, isKept: true)
            ], within: Limits.migrationMilliseconds)
    }
}
