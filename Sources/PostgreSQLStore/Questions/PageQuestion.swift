// Chooses the statement for a page: rows come in the order of the page from an index, or a small set
// is collected and sorted. PostgreSQL's planner knows no more than its statistics; where the counts
// of facets and inboxes say that a set is small, the statement says so too.

import ResultStore

/// What the statement for a page depends on besides the query.
struct PageContext {
    let facets: [KnownFacet]
    /// The number of the last record.
    let newest: Int
    /// The number of records in the inbox that the query names; nil if it names none.
    let inboxCount: Int?

    /// The inbox that must be a record's own to match.
    static func inbox(_ query: ResultQuery) -> String? {
        for case .compare(.inbox, .equal, .text(let name)) in query.condition.conjuncts {
            return name
        }
        return nil
    }
}

/// Makes the statement for one page.
struct PageQuestion {
    let query: ResultQuery
    let catalog: FieldCatalog
    let columns: FieldColumns
    let cursor: PageCursor?
    let limit: Int
    let context: PageContext
    /// The defaults are in `Limits`; tests lower them.
    var mergedRanges = Limits.mergedRanges
    var gatheredRows = Limits.gatheredRows

    /// Columns of a row, before the value by which rows are ordered.
    private static let rowColumns = "place, seq, octet_length(tail)"

    private var direction: String { query.isDescending ? "DESC" : "ASC" }
    private var sign: String { query.isDescending ? "<" : ">" }

    /// The statement; nil if nothing can match.
    func statement() -> Statement? {
        var condition = query.condition
        var column: FieldColumn?
        if case .result(let name) = query.key {
            guard let known = columns[name] else { return nil }
            column = known
            condition = .all([condition, .has(.result(name))])
        }
        let groups = FacetGroup.groups(context.facets, Matcher(condition, catalog: catalog))
        guard let first = groups.first else { return nil }
        let known = groups.flatMap(\.facets)
        let isAll = known.count == context.facets.count
        if !isAll, query.key == .receivedAt, known.count <= mergedRanges,
            groups.allSatisfy({ $0.residual == .everything })
        {
            return merged(known)
        }
        var sql = ConditionSQL(columns)
        let source = groups.count == 1 ? source(first.residual.conjuncts, &sql) : "results"
        var parts: [String] = []
        for group in groups {
            let rest = sql.text(of: group.residual)
            parts.append(
                isAll && groups.count == 1 ? rest : "(\(group.membership) AND \(rest))")
        }
        let matches = parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
        let isFew = !isAll && groups.reduce(0) { $0 + $1.count } <= gatheredRows
        let rows =
            source == "results" && isFew
            ? Self.fenced("facet IN (\(known.map { "\($0.id)" }.joined(separator: ",")))") : source
        return ordered(matches, rows, column, &sql)
    }

    /// A set of rows that is collected whatever comes after it.
    private static func fenced(_ condition: String) -> String {
        "(SELECT * FROM results WHERE \(condition) OFFSET 0) AS results"
    }

    /// The rows among which the page is sought.
    private func source(_ conjuncts: [Condition], _ sql: inout ConditionSQL) -> String {
        for conjunct in conjuncts {
            switch conjunct {
            case .compare(.id, .equal, _), .compare(.seq, .equal, _),
                .compare(.flow, .equal, _), .compare(.trace, .equal, _):
                return Self.fenced(sql.text(of: conjunct))
            case .compare(.seq, .greater, .integer(let number)),
                .compare(.seq, .greaterOrEqual, .integer(let number)):
                if number >= context.newest - gatheredRows {
                    return Self.fenced(sql.text(of: conjunct))
                }
            case .compare(.inbox, .equal, _):
                if let count = context.inboxCount, count <= gatheredRows {
                    return Self.fenced(sql.text(of: conjunct))
                }
            default: break
            }
        }
        return "results"
    }

    /// Rows of some facets, each in the order of places, merged while they are read.
    private func merged(_ facets: [KnownFacet]) -> Statement {
        var sql = ConditionSQL(columns)
        let bound = cursor.map { "AND place \(sign) \(sql.bind(.integer($0.place)))" } ?? ""
        let branches = facets.map { facet in
            """
            (SELECT \(Self.rowColumns) FROM results WHERE facet = \(facet.id) \(bound)
            ORDER BY place \(direction) LIMIT \(limit))
            """
        }
        return Statement(
            sql: """
                \(branches.joined(separator: "\nUNION ALL\n"))
                ORDER BY place \(direction) LIMIT \(limit)
                """, parameters: sql.parameters)
    }

    /// Rows of a source that match, in the requested order, after the cursor.
    private func ordered(
        _ matches: String, _ source: String, _ column: FieldColumn?, _ sql: inout ConditionSQL
    ) -> Statement {
        var keys: [String]
        var bound: [Parameter] = []
        switch query.key {
        case .receivedAt:
            keys = ["place"]
            if let cursor { bound = [.integer(cursor.place)] }
        case .seq:
            keys = ["seq"]
            if let cursor { bound = [.integer(cursor.sequence)] }
        case .result:
            keys = (column.map { [$0.quoted] } ?? []) + ["place"]
            if let cursor, let value = cursor.value.map(Parameter.init) {
                bound = [value, .integer(cursor.place)]
            }
        }
        var limits = ""
        if bound.count == keys.count {
            var marks = bound.map { sql.bind($0) }
            var names = keys
            if let column, column.kind == .text {
                names.insert(column.order, at: 0)
                marks.insert("left(\(marks[0]), \(Limits.indexedCharacters))", at: 0)
            }
            limits =
                " AND (\(names.joined(separator: ", "))) \(sign) (\(marks.joined(separator: ", ")))"
        }
        if let column, column.kind == .text { keys.insert(column.order, at: 0) }
        let order = keys.map { "\($0) \(direction)" }.joined(separator: ", ")
        let value = column.map { ", \($0.quoted)" } ?? ""
        return Statement(
            sql: """
                SELECT \(Self.rowColumns)\(value) FROM \(source)
                WHERE \(matches)\(limits) ORDER BY \(order) LIMIT \(limit)
                """, parameters: sql.parameters)
    }
}

extension Parameter {
    fileprivate init(_ value: FieldValue) {
        switch value {
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text)
        case .flag(let flag): self = .flag(flag)
        }
    }
}

extension Condition {
    /// The parts that must all be true.
    var conjuncts: [Condition] {
        if case .all(let parts) = self { return parts }
        return [self]
    }
}
