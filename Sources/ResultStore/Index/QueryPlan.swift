// Chooses how a page is read from the index.
//
// The cost should not grow with the number of records: rows come in the order of the page, from the
// narrowest index that the query allows, and reading stops when the page is full. Where no index
// has that order, a small set is collected and sorted. Only a query that is neither narrow nor in
// order reads rows that don't match.

import Clocks
import GRDB

/// The SQL statement for one page.
struct QueryPlan {
    var sql: String
    var values: [DatabaseValue]

    /// Columns of a row.
    static let rowColumns = "place, seq, segment, offset, size"
}

/// Chooses the statement for a query.
struct QueryPlanner {
    let database: Database
    let query: ResultQuery
    let catalog: FieldCatalog
    let columns: IndexColumns
    let cursor: PageCursor?
    let limit: Int
    /// The default is in `Limits`; tests lower it.
    var mergedRanges = Limits.mergedRanges
    var gatheredRows = Limits.gatheredRows

    /// Facets whose records may match, grouped by the condition that remains to be checked.
    private struct Group {
        let residual: Condition
        var facets: [FacetSummary]
        var count: Int { facets.reduce(0) { $0 + $1.count } }
    }

    /// The plan; nil if nothing can match.
    func plan() throws -> QueryPlan? {
        var condition = query.condition
        if case .result(let name) = query.key {
            condition = .all([condition, .has(.result(name))])
        }
        let facets = try Self.facets(database)
        let groups = Self.group(facets, Matcher(condition, catalog: catalog))
        guard let first = groups.first else { return nil }
        let known = groups.flatMap(\.facets)
        let isAll = known.count == facets.count
        let rest: SQLPart
        if groups.count == 1 {
            rest = .joined(
                [first.residual.sql(columns)] + (isAll ? [] : [Self.membership(first.facets)]),
                by: "AND", empty: "1")
            if let plan = try narrowPlan(first, rest, isAll: isAll) { return plan }
        } else {
            let parts = groups.map { group in
                SQLPart.joined(
                    [Self.membership(group.facets), group.residual.sql(columns)], by: "AND",
                    empty: "1")
            }
            rest = .joined(parts, by: "OR", empty: "0")
        }
        let count = groups.reduce(0) { $0 + $1.count }
        // Ranges are merged only if each of their rows matches. A range without a match would be
        // read from its beginning to its end for nothing.
        if !isAll, groups.allSatisfy({ $0.residual == .everything }),
            known.count <= mergedRanges, query.key == .receivedAt
        {
            return merge(
                known.map { SQLPart(sql: "facet = ?", values: [$0.id.databaseValue]) },
                index: "results_by_facet")
        }
        if !isAll, count <= gatheredRows {
            return ordered(rest, source: "results INDEXED BY results_by_facet")
        }
        return ordered(rest, source: Self.source(in: query.key, columns))
    }

    // MARK: Facets

    /// The number of matching records, from the counts of facets or of an inbox by kind; nil if these
    /// counts aren't enough.
    ///
    /// Requires a query that orders by when records were received. O(facets).
    func keptCount() throws -> Int? {
        let known = try Self.facets(database)
        let groups = Self.group(known, Matcher(query.condition, catalog: catalog))
        if groups.allSatisfy({ $0.residual == .everything }) {
            return groups.reduce(0) { $0 + $1.count }
        }
        guard let inbox = groups.first?.residual.conjuncts.first?.equalInbox,
            groups.map(\.residual.conjuncts).allSatisfy({ conjuncts in
                // All records of some facets may match, whatever their inbox.
                !conjuncts.isEmpty && conjuncts.allSatisfy { $0.equalInbox == inbox }
            })
        else { return nil }
        let kinds = Dictionary(grouping: groups.flatMap(\.facets), by: \.facet.kind)
        for (kind, matching) in kinds
        where matching.count != known.count(where: { $0.facet.kind == kind }) {
            return nil
        }
        return try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT coalesce(sum(inbox_kinds.count), 0)
                    FROM inboxes JOIN inbox_kinds ON inbox_kinds.inbox = inboxes.id
                    WHERE name = ? AND kind IN (\(kinds.keys.map(\.number).sorted().map(String.init)
                        .joined(separator: ",")))
                    """), arguments: [inbox])
    }

    static func facets(_ database: Database) throws -> [FacetSummary] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, kind, vendor, contract, outcome, verdict, method, count FROM facets
                    WHERE count > 0
                    """)
        ).map { row in
            FacetSummary(
                id: try row.decode(atIndex: 0),
                facet: Facet(
                    kind: RecordKind(number: try row.decode(atIndex: 1)) ?? .callback,
                    vendor: try row.decode(atIndex: 2),
                    contract: try row.decode(String?.self, atIndex: 3),
                    outcome: try row.decode(String?.self, atIndex: 4),
                    verdict: try row.decode(atIndex: 5), method: try row.decode(atIndex: 6)),
                count: try row.decode(atIndex: 7))
        }
    }

    private static func group(_ facets: [FacetSummary], _ matcher: Matcher) -> [Group] {
        var groups: [Group] = []
        for summary in facets {
            let facet = summary.facet
            let residual = matcher.simplified(
                kind: facet.kind, vendor: facet.vendor, contract: facet.contract,
                outcome: facet.outcome,
                verdict: facet.verdict, method: facet.method)
            if residual == .nothing { continue }
            if let index = groups.firstIndex(where: { $0.residual == residual }) {
                groups[index].facets.append(summary)
            } else {
                groups.append(Group(residual: residual, facets: [summary]))
            }
        }
        return groups
    }

    private static func membership(_ facets: [FacetSummary]) -> SQLPart {
        SQLPart(sql: "facet IN (\(facets.map { "\($0.id)" }.joined(separator: ",")))")
    }

    // MARK: Narrow queries

    /// A plan that starts with the part that the fewest records match; nil if no part is known to
    /// be narrow.
    private func narrowPlan(
        _ group: Group, _ rest: SQLPart, isAll: Bool
    ) throws -> QueryPlan? {
        let conjuncts = group.residual.conjuncts
        if let index = conjuncts.lazy.compactMap(\.narrowIndex).first {
            return ordered(rest, source: "results \(index)")
        }
        if try areRecent(conjuncts) {
            return ordered(rest, source: "results INDEXED BY results_by_seq")
        }
        let inbox = try inbox(conjuncts)
        if let inbox, inbox.count <= gatheredRows {
            // A common word is in more records than a small inbox has.
            let left = group.residual.sql(columns, looksUpWords: true)
            return inboxPlan(
                inbox,
                .joined(
                    [left] + (isAll ? [] : [Self.membership(group.facets)]), by: "AND",
                    empty: "1"))
        }
        if let plan = wordsPlan(conjuncts, group, isAll: isAll) { return plan }
        if let origins = try originIDs(conjuncts) {
            if origins.isEmpty { return ordered(SQLPart(sql: "0"), source: "results") }
            if origins.count <= mergedRanges, query.key == .receivedAt {
                let ranges = origins.map {
                    SQLPart(sql: "origin = ?", values: [$0.databaseValue])
                }
                return merge(ranges, rest, index: "results_by_origin")
            }
        }
        if let inbox, let plan = inboxPlan(inbox, rest) { return plan }
        for conjunct in conjuncts {
            guard let column = conjunct.indexedColumn(columns) else { continue }
            let part = conjunct.sql(columns)
            let sql = """
                SELECT count(*) FROM (SELECT 1 FROM results INDEXED BY results_by_\(column)
                WHERE \(part.sql) LIMIT \(gatheredRows + 1))
                """
            let count = try Int.fetchOne(
                database.makeStatement(sql: sql), arguments: StatementArguments(part.values))
            if let count, count <= gatheredRows {
                return ordered(rest, source: "results INDEXED BY results_by_\(column)")
            }
        }
        return nil
    }

    /// A word's rows come in the order of places, in both directions.
    private func wordsPlan(
        _ conjuncts: [Condition], _ group: Group, isAll: Bool
    ) -> QueryPlan? {
        guard query.key == .receivedAt else { return nil }
        var phrases: [String] = []
        var others: [Condition] = []
        for conjunct in conjuncts {
            if case .words(let words, let lastIsPrefix) = conjunct {
                phrases.append(Condition.match(words, lastIsPrefix))
            } else {
                others.append(conjunct)
            }
        }
        if phrases.isEmpty { return nil }
        var parts = [
            SQLPart(
                sql: "search MATCH ?",
                values: [phrases.joined(separator: " AND ").databaseValue]),
            Condition.all(others).sql(columns),
        ]
        if !isAll { parts.append(Self.membership(group.facets)) }
        let sign = query.isDescending ? "<" : ">"
        if let cursor {
            parts.append(
                SQLPart(sql: "search.rowid \(sign) ?", values: [cursor.place.databaseValue]))
        }
        let condition = SQLPart.joined(parts, by: "AND", empty: "1")
        return QueryPlan(
            sql: """
                SELECT \(QueryPlan.rowColumns)
                FROM search CROSS JOIN results ON results.place = search.rowid
                WHERE \(condition.sql)
                ORDER BY search.rowid \(query.isDescending ? "DESC" : "ASC") LIMIT \(limit)
                """, values: condition.values)
    }

    /// The numbers of the origins that match host and path; nil if the query names neither.
    private func originIDs(_ conjuncts: [Condition]) throws -> [Int64]? {
        var parts: [SQLPart] = []
        for case .compare(let field, .equal, .text(let text)) in conjuncts
        where field == .host || field == .path {
            parts.append(SQLPart(sql: "\(field.name) = ?", values: [text.databaseValue]))
        }
        if parts.isEmpty { return nil }
        let condition = SQLPart.joined(parts, by: "AND", empty: "1")
        return try Int64.fetchAll(
            database.makeStatement(
                sql: """
                    SELECT id FROM origins WHERE \(condition.sql) LIMIT \(mergedRanges + 1)
                    """), arguments: StatementArguments(condition.values))
    }

    /// The rows of an inbox come in the order of places.
    ///
    /// For another order they are sorted, if they are few.
    private func inboxPlan(_ inbox: Inbox, _ rest: SQLPart) -> QueryPlan? {
        guard query.key == .receivedAt || inbox.count <= gatheredRows else { return nil }
        let part = SQLPart(sql: "inbox = ?", values: [inbox.id.databaseValue])
        return ordered(
            .joined([part, rest], by: "AND", empty: "1"),
            source: "results INDEXED BY results_by_inbox")
    }

    /// The inbox that a query names, and the number of its records.
    private struct Inbox {
        let id: Int64
        let count: Int
    }

    private func inbox(_ conjuncts: [Condition]) throws -> Inbox? {
        guard let name = conjuncts.lazy.compactMap(\.equalInbox).first else { return nil }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, count FROM inboxes WHERE name = ?"),
            arguments: [name])
        return row.map { Inbox(id: $0[0], count: $0[1]) } ?? Inbox(id: 0, count: 0)
    }

    /// Whether the query asks only for the newest records, by number.
    private func areRecent(_ conjuncts: [Condition]) throws -> Bool {
        for case .compare(.seq, let relation, .integer(let number)) in conjuncts
        where relation == .greater || relation == .greaterOrEqual {
            let last = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT sequence FROM state"))
            if let last, number >= last - gatheredRows { return true }
        }
        return false
    }

    // MARK: Statements

    /// Rows of several ranges of an index, all with the same further conditions.
    private func merge(_ ranges: [SQLPart], _ rest: SQLPart, index: String) -> QueryPlan {
        merge(ranges.map { SQLPart.joined([$0, rest], by: "AND", empty: "1") }, index: index)
    }

    /// Rows of several ranges, each in the order of places, merged while they are read.
    private func merge(_ branches: [SQLPart], index: String) -> QueryPlan {
        let direction = query.isDescending ? "DESC" : "ASC"
        var values: [DatabaseValue] = []
        var selects: [String] = []
        for branch in branches {
            let bounded = SQLPart.joined([branch] + bounds, by: "AND", empty: "1")
            values += bounded.values
            selects.append(
                """
                SELECT \(QueryPlan.rowColumns) FROM results INDEXED BY \(index)
                WHERE \(bounded.sql)
                """)
        }
        return QueryPlan(
            sql: """
                \(selects.joined(separator: "\nUNION ALL\n"))
                ORDER BY place \(direction) LIMIT \(limit)
                """, values: values)
    }

    /// Rows of a source that match, in the requested order.
    private func ordered(_ condition: SQLPart, source: String) -> QueryPlan {
        let direction = query.isDescending ? "DESC" : "ASC"
        let bounded = SQLPart.joined([condition] + bounds, by: "AND", empty: "1")
        // The index of a value doesn't contain rows without that value.
        let (extra, exists, order): (String, String, String) =
            switch query.key {
            case .receivedAt: ("", "", "place \(direction)")
            case .seq: ("", "", "seq \(direction)")
            case .result(let name):
                if let column = columns.names[name] {
                    (
                        ", \(column)", "\(column) IS NOT NULL AND ",
                        "\(column) \(direction), place \(direction)"
                    )
                } else {
                    ("", "0 AND ", "place \(direction)")
                }
            }
        return QueryPlan(
            sql: """
                SELECT \(QueryPlan.rowColumns)\(extra) FROM \(source)
                WHERE \(exists)\(bounded.sql) ORDER BY \(order) LIMIT \(limit)
                """, values: bounded.values)
    }

    /// The bounds that start a page after the cursor.
    private var bounds: [SQLPart] {
        guard let cursor else { return [] }
        let sign = query.isDescending ? "<" : ">"
        switch query.key {
        case .receivedAt:
            return [SQLPart(sql: "place \(sign) ?", values: [cursor.place.databaseValue])]
        case .seq:
            return [SQLPart(sql: "seq \(sign) ?", values: [cursor.sequence.databaseValue])]
        case .result(let name):
            guard let column = columns.names[name], let value = cursor.value else { return [] }
            return [
                SQLPart(
                    sql: "(\(column), place) \(sign) (?, ?)",
                    values: [value.databaseValue, cursor.place.databaseValue])
            ]
        }
    }

    /// The table and index that give the requested order.
    private static func source(in key: ResultQuery.Key, _ columns: IndexColumns) -> String {
        switch key {
        case .receivedAt: "results NOT INDEXED"
        case .seq: "results INDEXED BY results_by_seq"
        case .result(let name):
            columns.names[name].flatMap { column in
                columns.indexed.contains(column) ? "results INDEXED BY results_by_\(column)" : nil
            } ?? "results NOT INDEXED"
        }
    }
}

extension Condition {
    /// The index through which this part alone leaves a few records; nil if it leaves more.
    fileprivate var narrowIndex: String? {
        switch self {
        case .compare(.id, .equal, _): "NOT INDEXED"
        case .compare(.seq, .equal, _): "INDEXED BY results_by_seq"
        case .compare(.flow, .equal, _): "INDEXED BY results_by_flow"
        case .compare(.trace, .equal, _): "INDEXED BY results_by_trace"
        default: nil
        }
    }

    /// The column whose index serves a comparison with a declared field.
    fileprivate func indexedColumn(_ columns: IndexColumns) -> String? {
        guard case .compare(.result(let name), _, _) = self, let column = columns.names[name],
            columns.indexed.contains(column)
        else { return nil }
        return column
    }
}
