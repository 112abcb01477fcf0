// Reads a page in the order of receipt, in steps.
//
// Two things make that cheap in a large store. Days are read newest first, or oldest first, some at a
// time: planning a statement takes longer the more partitions it may need. And PostgreSQL can't know
// how many records match, because statistics of values would outlast an erasure; so the walk tries.
// First it reads candidates in order: if many match, the page is full. Otherwise, where a narrow
// condition is fulfilled by few records, these are looked up by its index; where many fulfil it,
// reading in order finds a page soon.
//
// Invariant: no place is read by two steps, so that a record is on a page once, and one that was
// there all the time is not left out. Left out: one snapshot for all steps.

import Clocks
import ResultStore

/// The steps to a page.
struct PageWalk {
    /// A condition that every match fulfils and that an index answers.
    struct Narrow {
        let text: String
        /// What the index orders by, for a range of it; nil for a condition that the planner takes
        /// for narrow anyway.
        var order: String?
    }

    /// Has the parameters of the texts below.
    let sql: ConditionSQL
    /// The condition, as SQL.
    let matches: String
    /// What all candidates fulfil: conditions that the planner understands.
    let base: [String]
    /// Conditions of which a candidate fulfils one, each with an index in the order of places; empty
    /// if every record is a candidate.
    let ranges: [String]
    /// How many candidates there are, at most.
    let population: Int
    let narrow: Narrow?
    let isDescending: Bool
    let cursor: Int64?
    /// Whether the store is so large that days are read one after another.
    let isLarge: Bool
    let limits: PageLimits

    private var direction: String { isDescending ? "DESC" : "ASC" }
    /// The last place in order, as SQL over a set of rows.
    private var last: String { "\(isDescending ? "min" : "max")(place)" }

    // MARK: Answers

    /// Up to `limit` rows that match, with `columns`, in order.
    ///
    /// - Parameter columns: the first one is `place`.
    func rows(
        _ columns: String, limit: Int, _ connection: Connection
    ) throws(DatabaseError) -> [Reply.Row] {
        func text(_ source: Source, after found: [Reply.Row]) -> String {
            """
            SELECT \(columns) FROM \(source.text) WHERE \(matches)
            ORDER BY place \(direction) LIMIT \(limit - found.count)
            """
        }
        func page(
            _ source: Source, after found: [Reply.Row]
        ) throws(DatabaseError) -> [Reply.Row] {
            let sql = text(source, after: found)
            let page = Statement(sql: sql, parameters: source.parameters)
            return found + (try connection.run(page, within: Limits.queryMilliseconds).rows)
        }
        func page(
            at places: [Int64], after found: [Reply.Row]
        ) throws(DatabaseError) -> [Reply.Row] {
            var (rows, start) = (found, 0)
            while start < places.count, rows.count < limit {
                let part = places[start...].prefix(Limits.lookedUpRows)
                rows = try page(self.at(part), after: rows)
                start = part.endIndex
            }
            return rows
        }

        var rows: [Reply.Row] = []
        var spans = spans()
        var left = limits.candidateRows
        while left > 0, let span = spans.first {
            let source = candidates(span, left)
            let former = rows
            rows = try page(source, after: former)
            if rows.count == limit { return rows }
            // When others write or erase, the last candidate is another one. So one statement reads
            // it, and what matches among the same candidates.
            let sql = """
                SELECT page.*, number, edge
                FROM (SELECT count(*) AS number, \(last) AS edge FROM \(source.text)) AS reading
                    LEFT JOIN (\(text(source, after: former))) AS page ON true
                ORDER BY page.place \(direction)
                """
            let reply = try connection.run(
                Statement(sql: sql, parameters: source.parameters),
                within: Limits.queryMilliseconds)
            rows = former + reply.rows.filter { $0.integer(0) != nil }
            if rows.count == limit { return rows }
            let number = reply.first?.int(reply.columns - 2) ?? 0
            left = leave(&spans, number, reply.first?.integer(reply.columns - 1), left)
        }
        // What no candidate matches is probably in few records of all days.
        if let narrow, rows.isEmpty, spans.count > 1, let whole = whole(of: spans),
            let places = try places(narrow, whole, connection)
        {
            return try page(at: places, after: rows)
        }
        for span in spans where rows.count < limit {
            if let narrow, let places = try places(narrow, span, connection) {
                rows = try page(at: places, after: rows)
            } else {
                rows = try page(inOrder(span), after: rows)
            }
        }
        return rows
    }

    /// How many match, up to `limits.countedResults`; a lower bound if there is no time to count
    /// them.
    func total(_ connection: Connection) throws(DatabaseError) -> ResultTotal {
        let most = limits.countedResults
        let deadline =
            Clock.monotonicMilliseconds
            + (isLarge ? Limits.quickMilliseconds : Limits.countingMilliseconds)
        func left() -> UInt64 {
            let now = Clock.monotonicMilliseconds
            return now < deadline ? deadline - now : 0
        }

        var (found, unread, spans) = (0, limits.candidateRows, spans())
        while unread > 0, let span = spans.first {
            // The next days may take as long as those before.
            if found > 0, left() <= (isLarge ? Limits.quickMilliseconds / 2 : 0) {
                return ResultTotal(count: min(found, most), isExact: false)
            }
            let counting = count(candidates(span, unread), matching: matches)
            let row = try connection.run(counting, within: Limits.queryMilliseconds).first
            found += row?.int(0) ?? 0
            unread = leave(&spans, row?.int(1) ?? 0, row?.integer(2), unread)
        }
        let least = ResultTotal(count: min(found, most), isExact: false)
        guard let whole = whole(of: spans) else {
            return ResultTotal(count: min(found, most), isExact: found <= most)
        }
        // In a large store, the rest is counted if it is probably small.
        let estimate = found * population / limits.candidateRows
        let time = left()
        guard !isLarge || estimate <= Limits.quicklyCounted, time > 0 else { return least }
        let others = set(narrow ?? Narrow(text: matches), whole, limit: most + 1)
        do throws(DatabaseError) {
            let replies = try connection.run(
                [
                    Statement(
                        sql: "SELECT set_config('statement_timeout', $1, true)",
                        parameters: [.text("\(time)")], isKept: true),
                    count(others, matching: matches),
                ], within: Limits.queryMilliseconds)
            guard let row = replies[1].first else { return least }
            let total = found + row.int(0)
            return ResultTotal(
                count: min(total, most), isExact: row.int(1) <= most && total <= most)
        } catch {
            // The time was over.
            if error.state == "57014" { return least }
            throw error
        }
    }

    // MARK: Sources

    /// Rows as SQL that can stand after FROM, named `results`, with all parameters so far.
    private struct Source {
        let text: String
        let parameters: [Parameter]
    }

    /// The next records that may match.
    private func candidates(_ span: Span, _ limit: Int) -> Source {
        var sql = sql
        let bounds = base + span.conditions(&sql)
        let order = "ORDER BY place \(direction) LIMIT \(limit)"
        let parts = (ranges.isEmpty ? [[]] : ranges.map { [$0] }).map { range in
            "(SELECT * FROM results WHERE \(Self.all(range + bounds)) \(order))"
        }
        if parts.count == 1 {
            return Source(text: "\(parts[0]) AS results", parameters: sql.parameters)
        }
        let union = parts.joined(separator: " UNION ALL ")
        return Source(
            text: "(SELECT * FROM (\(union)) AS merged \(order)) AS results",
            parameters: sql.parameters)
    }

    /// All records that may match, in order; OFFSET keeps the planner from collecting them.
    private func inOrder(_ span: Span) -> Source {
        source(span, [], "ORDER BY place \(direction) OFFSET 0")
    }

    /// Up to `limit` records that fulfil a condition, in any order.
    private func set(_ narrow: Narrow, _ span: Span, limit: Int) -> Source {
        let order = narrow.order.map { "ORDER BY \($0) " } ?? ""
        return source(span, [narrow.text], "\(order)LIMIT \(limit)")
    }

    /// The records with some places; bounds spare looking for all of them in all days.
    private func at(_ places: ArraySlice<Int64>) -> Source {
        var sql = sql
        let bounds = Span(first: places.min(), end: places.max().map { $0 + 1 }).conditions(&sql)
        let list = sql.bind(.integers(places.map { Int64?($0) }))
        let condition = Self.all(bounds + ["place = ANY (\(list))"])
        return Source(
            text: "(SELECT * FROM results WHERE \(condition) OFFSET 0) AS results",
            parameters: sql.parameters)
    }

    private func source(_ span: Span, _ conditions: [String], _ rest: String) -> Source {
        var sql = sql
        let condition = Self.all(base + conditions + span.conditions(&sql))
        return Source(
            text: "(SELECT * FROM results WHERE \(condition) \(rest)) AS results",
            parameters: sql.parameters)
    }

    private static func all(_ conditions: [String]) -> String {
        conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
    }

    /// The places of the records that fulfil a condition, in order; nil if they are many.
    private func places(
        _ narrow: Narrow, _ span: Span, _ connection: Connection
    ) throws(DatabaseError) -> [Int64]? {
        let some = set(narrow, span, limit: limits.gatheredRows + 1)
        let reply = try connection.run(
            Statement(sql: "SELECT place FROM \(some.text)", parameters: some.parameters),
            within: Limits.queryMilliseconds)
        if reply.count > limits.gatheredRows { return nil }
        let places = reply.rows.map { $0.integer(0) ?? 0 }
        return isDescending ? places.sorted(by: >) : places.sorted()
    }

    /// Counts what matches a condition, and all, and names the last place in order.
    private func count(_ source: Source, matching condition: String) -> Statement {
        Statement(
            sql: """
                SELECT count(*) FILTER (WHERE \(condition)), count(*), \(last)
                FROM \(source.text)
                """, parameters: source.parameters)
    }

    // MARK: Spans

    /// Places between two bounds; nil for an open end.
    private struct Span {
        var first: Int64?
        /// The place after the last one.
        var end: Int64?

        func conditions(_ sql: inout ConditionSQL) -> [String] {
            var conditions: [String] = []
            if let first { conditions.append("place >= \(sql.bind(.integer(first)))") }
            if let end { conditions.append("place < \(sql.bind(.integer(end)))") }
            return conditions
        }
    }

    /// How many days are read together, one span after another; then come all others.
    private static let days: [Int64] = [2, 6, 18, 54]

    /// What comes after the cursor, in the order in which it is read.
    private func spans() -> [Span] {
        var rest =
            isDescending ? Span(end: cursor) : Span(first: cursor.map { $0 + 1 })
        guard isLarge, isDescending || cursor != nil else { return [rest] }
        var day = Day(cursor.map { Place.moment($0) } ?? .now)
        if isDescending { day = day.advanced(by: 1) }
        var spans: [Span] = []
        for count in Self.days {
            day = day.advanced(by: isDescending ? -count : count)
            let bound = Place.start(day.start)
            if isDescending {
                spans.append(Span(first: bound, end: rest.end))
                rest.end = bound
            } else {
                spans.append(Span(first: rest.first, end: bound))
                rest.first = bound
            }
        }
        return spans + [rest]
    }

    /// Removes what was read of the first span; returns how many candidates may still be read.
    ///
    /// - Parameters:
    ///   - number: how many candidates were read, of up to `left`.
    ///   - edge: the last one's place; nil for none.
    private func leave(
        _ spans: inout [Span], _ number: Int, _ edge: Int64?, _ left: Int
    ) -> Int {
        var span = spans.removeFirst()
        guard number >= left, let edge else { return left - number }
        if isDescending { span.end = edge } else { span.first = edge + 1 }
        spans.insert(span, at: 0)
        return 0
    }

    /// From the first of some spans to the last one; nil without any.
    private func whole(of spans: [Span]) -> Span? {
        guard let first = spans.first, let last = spans.last else { return nil }
        return isDescending
            ? Span(first: last.first, end: first.end) : Span(first: first.first, end: last.end)
    }
}
