// Chooses how a page is read: rows come in the order of the page from an index, or a small set is
// collected and sorted. PostgreSQL's planner knows no more than its statistics; where the counts of
// facets and inboxes say that a set is small, the statement says so too. Where nothing says how many
// records match, the page is read in steps (`PageWalk`).

import ResultStore

/// What the statement for a page depends on besides the query.
struct PageContext {
    let facets: [KnownFacet]
    /// The number of the last record.
    let newest: Int
    /// The inbox that the query names; nil if it names none.
    let inbox: KnownInbox?

    /// The number of all records.
    var count: Int { facets.reduce(0) { $0 + $1.values.count } }

    /// How many records match if counts that are kept decide; nil if other members do.
    func total(_ groups: [FacetGroup]) -> Int? {
        if groups.allSatisfy({ $0.residual == .everything }) {
            return groups.reduce(0) { $0 + $1.count }
        }
        // Counts of inboxes are kept by kind.
        guard let inbox,
            groups.allSatisfy({ $0.residual.conjuncts.allSatisfy { $0.equalInbox == inbox.name } })
        else { return nil }
        let kinds = Dictionary(grouping: groups.flatMap(\.facets), by: \.values.kind)
        for (kind, known) in kinds
        where known.count != facets.count(where: { $0.values.kind == kind }) {
            return nil
        }
        return kinds.keys.reduce(0) { $0 + inbox.counts[$1, default: 0] }
    }

    /// The inbox that must be a record's own to match.
    static func inbox(_ query: ResultQuery) -> String? {
        query.condition.conjuncts.lazy.compactMap(\.equalInbox).first
    }
}

/// An inbox with the number of its records, by kind.
struct KnownInbox {
    let name: String
    /// Nil if it has never had a record.
    let id: Int64?
    let counts: [RecordKind: Int]

    var count: Int { counts.values.reduce(0, +) }

    /// Reads what is known of one.
    static func statement(_ name: String) -> Statement {
        Statement(
            sql: """
                SELECT inbox, kind, count FROM inbox_kinds
                WHERE inbox = (SELECT id FROM inboxes WHERE name = $1)
                """, parameters: [.text(name)], isKept: true)
    }

    init(_ name: String, _ reply: Reply) {
        self.name = name
        id = reply.first?.integer(0)
        counts = Dictionary(
            reply.rows.compactMap { row in RecordKind(number: row.int(1)).map { ($0, row.int(2)) }
            },
            uniquingKeysWith: +)
    }
}

/// Numbers of rows up to which pages are read in one way or another; tests lower the defaults.
struct PageLimits: Sendable {
    var candidateRows = Limits.candidateRows
    var gatheredRows = Limits.gatheredRows
    var mergedRanges = Limits.mergedRanges
    var countedResults = Limits.countedResults
}

/// Reads one page.
struct PageQuery {
    /// How a page is read.
    enum Plan {
        case statement(Statement)
        case walk(PageWalk)
    }

    let query: ResultQuery
    let catalog: FieldCatalog
    let columns: FieldColumns
    let cursor: PageCursor?
    let limit: Int
    let context: PageContext
    var limits = PageLimits()

    /// Columns of a row, before the value by which rows are ordered.
    static let rowColumns = "place, seq, octet_length(tail), redecoded_at"

    private var direction: String { query.isDescending ? "DESC" : "ASC" }
    private var sign: String { query.isDescending ? "<" : ">" }

    /// The rows of the page: place, number, size in bytes, when each was decoded again, and the
    /// value that orders them.
    func rows(_ connection: Connection) throws(DatabaseError) -> [Reply.Row] {
        switch plan() {
        case nil: return []
        case .statement(let statement):
            return Array(
                try connection.run(statement, within: Limits.queryMilliseconds).rows)
        case .walk(let walk):
            return try walk.rows(Self.rowColumns, limit: limit, connection)
        }
    }

    /// How the page is read; nil if nothing can match.
    func plan() -> Plan? {
        var condition = query.condition
        var column: FieldColumn?
        if case .result(let name) = query.key {
            guard let known = columns[name] else { return nil }
            column = known
            condition = .all([condition, .has(.result(name))])
        }
        if let inbox = context.inbox, inbox.count == 0 { return nil }
        let groups = FacetGroup.groups(context.facets, Matcher(condition, catalog: catalog))
        guard let first = groups.first else { return nil }
        let known = groups.flatMap(\.facets)
        let isAll = known.count == context.facets.count
        var sql = ConditionSQL(columns)
        var parts: [String] = []
        for group in groups {
            let rest = sql.text(of: group.residual)
            parts.append(
                isAll && groups.count == 1 ? rest : "(\(group.membership) AND \(rest))")
        }
        let matches = parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
        var rows = groups.count == 1 ? source(first.residual.conjuncts, &sql) : nil
        let isFew = !isAll && groups.reduce(0) { $0 + $1.count } <= limits.gatheredRows
        if rows == nil, isFew {
            rows = Self.fenced("facet IN (\(known.map { "\($0.id)" }.joined(separator: ",")))")
        }
        if rows == nil, query.key == .receivedAt {
            return .walk(walk(matches, isAll ? nil : known, &sql))
        }
        return .statement(ordered(matches, rows ?? "results", column, &sql))
    }

    // MARK: Steps

    /// - Parameter facets: the facets that may match; nil if all may.
    private func walk(
        _ matches: String, _ facets: [KnownFacet]?, _ sql: inout ConditionSQL
    ) -> PageWalk {
        var base: [String] = []
        for case .compare(let field, let relation, let value) in query.condition.conjuncts
        where [.receivedAt, .seq].contains(field) {
            base.append(sql.text(of: .compare(field, relation, value)))
        }
        // Statistics say how common a number is, not what a subquery gives.
        if let id = context.inbox?.id { base.append("inbox = \(id)") }
        let narrow = narrow(facets, &sql)
        var population = context.inbox?.count ?? context.count
        var ranges: [String] = []
        // Of common facets, enough are among all records.
        if let facets, facets.count <= limits.mergedRanges {
            let count = facets.reduce(0) { $0 + $1.values.count }
            if count < context.count / Limits.mergedShare {
                ranges = facets.map { "facet = \($0.id)" }
                population = min(population, count)
            }
        }
        return PageWalk(
            sql: sql, matches: matches, base: base, ranges: ranges, population: population,
            narrow: narrow,
            isDescending: query.isDescending, cursor: cursor?.place,
            isLarge: context.count > limits.countedResults, limits: limits)
    }

    /// The condition that probably the fewest records fulfil, of those that an index answers.
    private func narrow(_ facets: [KnownFacet]?, _ sql: inout ConditionSQL) -> PageWalk.Narrow? {
        let conjuncts = query.condition.conjuncts
        for conjunct in conjuncts where isEquality(conjunct) {
            return PageWalk.Narrow(text: sql.text(of: conjunct))
        }
        for conjunct in conjuncts where isOfWords(conjunct) {
            return PageWalk.Narrow(text: sql.text(of: conjunct))
        }
        if let facets {
            let count = facets.reduce(0) { $0 + $1.values.count }
            if count < context.count / Limits.narrowShare {
                let ids = facets.map { "\($0.id)" }.joined(separator: ",")
                return PageWalk.Narrow(text: "facet IN (\(ids))")
            }
        }
        for conjunct in conjuncts {
            guard let column = range(conjunct), column.isIndexed else { continue }
            return PageWalk.Narrow(text: sql.text(of: conjunct), order: column.order)
        }
        return nil
    }

    /// Whether every record that fulfils a condition has one of some words, or one of some values that
    /// few records have.
    private func isOfWords(_ condition: Condition) -> Bool {
        switch condition {
        case .words: true
        case .any(let parts): parts.allSatisfy { isOfWords($0) || isEquality($0) }
        default: false
        }
    }

    /// Whether a condition compares an indexed member with one value that few records have.
    private func isEquality(_ condition: Condition) -> Bool {
        guard case .compare(let field, .equal, _) = condition else { return false }
        switch field {
        case .host, .path: return true
        case .result(let name):
            guard let column = columns[name] else { return false }
            return column.isIndexed && column.kind != .flag
        default: return false
        }
    }

    /// The column of which a condition accepts a range; nil for another condition.
    private func range(_ condition: Condition) -> FieldColumn? {
        switch condition {
        case .has(.result(let name)): return columns[name]
        case .compare(.result(let name), _, _):
            // The index has no more than the beginnings of texts.
            return columns[name].flatMap { $0.kind == .number ? $0 : nil }
        default: return nil
        }
    }

    // MARK: Statements

    /// A set of rows that is collected whatever comes after it.
    private static func fenced(_ condition: String) -> String {
        "(SELECT * FROM results WHERE \(condition) OFFSET 0) AS results"
    }

    /// A small set of rows that has all matches; nil if none is known.
    private func source(_ conjuncts: [Condition], _ sql: inout ConditionSQL) -> String? {
        for conjunct in conjuncts {
            switch conjunct {
            case .compare(.id, .equal, _), .compare(.seq, .equal, _),
                .compare(.flow, .equal, _), .compare(.trace, .equal, _):
                return Self.fenced(sql.text(of: conjunct))
            case .compare(.seq, .greater, .integer(let number)),
                .compare(.seq, .greaterOrEqual, .integer(let number)):
                if number >= context.newest - limits.gatheredRows {
                    return Self.fenced(sql.text(of: conjunct))
                }
            case .compare(.inbox, .equal, _) where query.key != .receivedAt:
                if let count = context.inbox?.count, count <= limits.gatheredRows {
                    return Self.fenced(sql.text(of: conjunct))
                }
            default: break
            }
        }
        return nil
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
        var start = ""
        if bound.count == keys.count {
            var marks = bound.map { sql.bind($0) }
            var names = keys
            if let column, column.kind == .text {
                names.insert(column.order, at: 0)
                marks.insert("left(\(marks[0]), \(Limits.indexedCharacters))", at: 0)
            }
            start =
                " AND (\(names.joined(separator: ", "))) \(sign) (\(marks.joined(separator: ", ")))"
        }
        if let column, column.kind == .text { keys.insert(column.order, at: 0) }
        let order = keys.map { "\($0) \(direction)" }.joined(separator: ", ")
        let value = column.map { ", \($0.quoted)" } ?? ""
        return Statement(
            sql: """
                SELECT \(Self.rowColumns)\(value) FROM \(source)
                WHERE \(matches)\(start) ORDER BY \(order) LIMIT \(limit)
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
