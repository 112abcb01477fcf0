// The statements of a write: in one turn they form one transaction, which begins by locking the row
// of `head` and ends by notifying all instances.

import Clocks
import ResultStore

/// Makes the statements of writes.
struct WriteStatements: Sendable {
    let columns: FieldColumns
    /// Its name is that of the channel on which instances hear of each other's writes.
    let schema: String

    /// Tells all instances that numbers were taken.
    var notification: Statement {
        Statement(
            sql: "SELECT pg_notify($1, seq::text) FROM head", parameters: [.text(schema)],
            isKept: true)
    }

    // MARK: Records

    /// Adds the names that a batch needs, if they are missing.
    static func addNames(inboxes: [String], origins: [(host: String, path: String)]) -> [Statement]
    {
        var statements: [Statement] = []
        if !inboxes.isEmpty {
            statements.append(
                Statement(
                    sql: """
                        INSERT INTO inboxes (name) SELECT DISTINCT name
                        FROM unnest($1::text[]) AS names (name) ON CONFLICT DO NOTHING
                        """, parameters: [.texts(inboxes)], isKept: true))
        }
        if !origins.isEmpty {
            statements.append(
                Statement(
                    sql: """
                        INSERT INTO origins (key, host, path)
                        SELECT DISTINCT ON (1) \(originKey(of: "")), host, path
                        FROM unnest($1::text[], $2::text[]) AS names (host, path)
                        ON CONFLICT DO NOTHING
                        """,
                    parameters: [.texts(origins.map(\.host)), .texts(origins.map(\.path))],
                    isKept: true))
        }
        return statements
    }

    /// What identifies an origin, as SQL over `host` and `path`.
    private static func originKey(of table: String) -> String {
        "sha256(convert_to(\(table)host || E'\\n' || \(table)path, 'UTF8'))"
    }

    /// Inserts records, in order, with the last numbers that were taken.
    ///
    /// It fails if a name is missing, because another instance has removed it; a constraint would
    /// fail too, and write the row to the database's log.
    ///
    /// - Parameter shift: added to the low bits of places, so that another attempt finds free ones.
    func insertion(of batch: WriteBatch, shift: Int) -> Statement {
        let facts = batch.records.map(\.facts)
        var parts = Self.columnParts(of: batch)
        if !batch.places.isEmpty { parts.append(("place", "bigint[]", .integers(batch.places))) }
        let used = columns.used(by: facts).map { columns.all[$0] }
        var parameters: [Parameter] = [.integer(batch.records.count), .integer(shift)]
        var (names, arrays, sources): ([String], [String], [String]) = ([], [], [])
        for part in parts {
            parameters.append(part.parameter)
            names.append(part.name)
            arrays.append("$\(parameters.count)::\(part.type)")
        }
        for (number, column) in used.enumerated() {
            parameters.append(column.parameter(of: facts))
            names.append("field\(number)")
            arrays.append("$\(parameters.count)::\(column.arrayType)")
            sources.append("r.field\(number)")
        }
        let fields = used.map { ", \($0.quoted)" }.joined()
        let values = sources.map { ", \($0)" }.joined()
        let place = """
            (r.received << \(Place.numberBits))
                | ((coalesce(r.seq, head.seq - $1 + r.number) + $2) & \(Place.numberMask))
            """
        let insertion = """
            INSERT INTO results (
                place, seq, id, redecoded_at, inbox, facet, origin, flow, trace, answered,
                parameters, idempotency, words, tail\(fields))
            SELECT
                \(batch.places.isEmpty ? place : "coalesce(r.place, \(place))"),
                coalesce(r.seq, head.seq - $1 + r.number), r.id, r.redecoded_at,
                coalesce(i.id, ('no inbox ' || r.number)::bigint), r.facet,
                coalesce(o.id, ('no origin ' || r.number)::bigint), r.flow, r.trace,
                r.answered, r.parameters, r.idempotency, r.words::tsvector, r.tail\(values)
            FROM head CROSS JOIN unnest(\(arrays.joined(separator: ", ")))
                WITH ORDINALITY AS r (\(names.joined(separator: ", ")), number)
                LEFT JOIN inboxes i ON i.name = r.inbox
                LEFT JOIN origins o ON o.key = \(Self.originKey(of: "r."))
            """
        guard batch.records.contains(where: { $0.idempotency != nil }) else {
            return Statement(sql: insertion, parameters: parameters, isKept: true)
        }
        let keys = KeyColumns(batch)
        let first = parameters.count + 1
        parameters += [.integers(keys.predecessors), .integers(keys.parts), .ids(batch.ids)]
        return Statement(
            sql: """
                WITH stored AS (\(insertion) RETURNING results.id, idempotency, seq, place)
                INSERT INTO idempotency (hash, predecessor, part, seq, place)
                SELECT stored.idempotency, coalesce(k.predecessor, -stored.seq), k.part,
                    stored.seq, stored.place
                FROM stored JOIN unnest(
                        $\(first)::bigint[], $\(first + 1)::bigint[], $\(first + 2)::uuid[])
                    AS k (predecessor, part, id) ON stored.id = k.id
                WHERE stored.idempotency IS NOT NULL
                """, parameters: parameters, isKept: true)
    }

    /// Notes which records of a batch belong to flows, for other instances.
    static func flowNews(of batch: WriteBatch, shift: Int) -> [Statement] {
        let last = batch.records.count - 1
        let rows = batch.records.enumerated().compactMap { index, record -> (Int, Int64)? in
            let facts = record.facts
            guard facts.kind == .launch || facts.flow != nil else { return nil }
            return (last - index, facts.receivedAt.unixMilliseconds)
        }
        if rows.isEmpty { return [] }
        return [
            Statement(
                sql: """
                    INSERT INTO flow_news
                    SELECT head.seq - r.back,
                        (r.received << \(Place.numberBits))
                            | ((head.seq - r.back + $1) & \(Place.numberMask))
                    FROM head CROSS JOIN unnest($2::bigint[], $3::bigint[]) AS r (back, received)
                    """,
                parameters: [
                    .integer(shift), .integers(rows.map(\.0)), .integers(rows.map { Int64?($0.1) }),
                ], isKept: true)
        ]
    }

    /// The indices of records whose keys others have taken; see `KeyClaim`.
    static func takenKeys(_ batch: WriteBatch) -> Statement {
        let keys = KeyColumns(batch)
        return Statement(
            sql: """
                SELECT k.number - 1 FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
                    WITH ORDINALITY AS k (hash, predecessor, part, number)
                    JOIN idempotency AS i ON i.hash = k.hash AND i.predecessor = k.predecessor
                        AND i.part = k.part
                """,
            parameters: [
                .integers(batch.records.map(\.idempotency)), .integers(keys.predecessors),
                .integers(keys.parts),
            ])
    }

    /// What claims the idempotency keys of a batch, beside their hashes.
    private struct KeyColumns {
        let predecessors: [Int64?]
        let parts: [Int]

        init(_ batch: WriteBatch) {
            predecessors = batch.records.map { $0.keyClaim.map { Int64($0.follows) } }
            parts = batch.records.map { $0.keyClaim?.part ?? 0 }
        }
    }

    private static func columnParts(
        of batch: WriteBatch
    ) -> [(name: String, type: String, parameter: Parameter)] {
        let (records, facts) = (batch.records, batch.records.map(\.facts))
        return [
            ("seq", "bigint[]", .integers(records.map { $0.number.map { Int64($0) } })),
            (
                "received", "bigint[]",
                .integers(facts.map { Int64?($0.receivedAt.unixMilliseconds) })
            ),
            ("id", "uuid[]", .ids(batch.ids)),
            (
                "redecoded_at", "bigint[]",
                .integers(records.map { $0.redecodedAt?.unixMilliseconds })
            ),
            ("inbox", "text[]", .texts(facts.map(\.inbox))),
            ("facet", "bigint[]", .integers(batch.facets.map { Int64?($0) })),
            ("host", "text[]", .texts(facts.map(\.host))),
            ("path", "text[]", .texts(facts.map(\.path))),
            ("flow", "text[]", .texts(facts.map(\.flow))),
            ("trace", "text[]", .texts(facts.map(\.trace))),
            ("answered", "bigint[]", .integers(facts.map { $0.answered.map { Int64($0) } })),
            (
                "parameters", "text[]",
                .texts(facts.map { PathParameters.text(of: $0.parameters) })
            ),
            ("idempotency", "bigint[]", .integers(records.map(\.idempotency))),
            ("words", "text[]", .texts(facts.map { Self.vector(of: $0.words) })),
            ("tail", "bytea[]", .octets(records.map(\.tail))),
        ]
    }

    /// Folded words with their positions, as PostgreSQL writes a vector; nil for none.
    ///
    /// Not by `to_tsvector`, which depends on the locale. PostgreSQL keeps 256 positions of a word.
    static func vector(of words: String) -> String? {
        if words.isEmpty { return nil }
        return words.split(separator: " ").enumerated().map { "'\($1)':\($0 + 1)" }
            .joined(separator: " ")
    }

    /// Counts a batch's records by facet, and by inbox and kind.
    static func counting(_ batch: WriteBatch) -> [Statement] {
        struct InboxKind: Hashable {
            let inbox: [UInt8]
            let kind: RecordKind
        }
        var facets: [Int64: Int] = [:]
        var inboxes: [InboxKind: (name: String, count: Int, bytes: Int, last: Int64)] = [:]
        for (record, facet) in zip(batch.records, batch.facets) {
            facets[facet, default: 0] += 1
            let (name, kind) = (record.facts.inbox, record.facts.kind)
            let key = InboxKind(inbox: Array(name.utf8), kind: kind)
            let moment = record.facts.receivedAt.unixMilliseconds
            let known = inboxes[key] ?? (name, 0, 0, moment)
            inboxes[key] = (
                name, known.count + 1, known.bytes + record.tail.count, max(known.last, moment)
            )
        }
        let kinds = Array(inboxes)
        return [
            Statement(
                sql: """
                    UPDATE facets SET count = count + c.number
                    FROM unnest($1::bigint[], $2::bigint[]) AS c (id, number)
                    WHERE facets.id = c.id
                    """,
                parameters: [
                    .integers(facets.keys.map { Int64?($0) }), .integers(Array(facets.values)),
                ], isKept: true),
            Statement(
                sql: """
                    INSERT INTO inbox_kinds (inbox, kind, count, bytes, last_at)
                    SELECT i.id, c.kind, c.number, c.bytes, c.last_at
                    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                        AS c (name, kind, number, bytes, last_at)
                        JOIN inboxes i ON i.name = c.name
                    ON CONFLICT (inbox, kind) DO UPDATE SET
                        count = inbox_kinds.count + excluded.count,
                        bytes = inbox_kinds.bytes + excluded.bytes,
                        last_at = greatest(inbox_kinds.last_at, excluded.last_at)
                    """,
                parameters: [
                    .texts(kinds.map(\.value.name)), .integers(kinds.map(\.key.kind.number)),
                    .integers(kinds.map(\.value.count)), .integers(kinds.map(\.value.bytes)),
                    .integers(kinds.map { Int64?($0.value.last) }),
                ], isKept: true),
        ]
    }

    // MARK: Erasures

    /// An erasure: the first statement takes its number, the second returns the number of rows.
    ///
    /// - Parameters:
    ///   - place: of the first row that it covers; earlier ones only if their number is higher than
    ///     `number`.
    ///   - token: identifies the erasure, so that it can be found after a lost connection.
    func erasure(
        _ scope: Erasure.Scope, from place: Int64, after number: Int, token: RecordID,
        at moment: Timestamp
    ) -> [Statement] {
        var (condition, parameters) = condition(of: scope, from: place, after: number)
        let first = parameters.count + 1
        parameters += Self.noteParameters(scope, moment, token)
        let note = """
            INSERT INTO erasures (seq, scope, erased_at, token, count)
            SELECT seq, $\(first), $\(first + 1), $\(first + 2), (SELECT count(*) FROM gone)
            FROM head
            """
        return [
            Head.takeNumbers(1), Self.removal(where: condition, parameters, noting: note),
            Self.datingInboxes, notification,
        ]
    }

    /// The last of the rows that an erasure may remove at once, and the one after it if there is
    /// one; nil for an erasure of one record.
    func lastOfFirst(of scope: Erasure.Scope, from place: Int64) -> Statement? {
        if case .record = scope { return nil }
        let (condition, parameters) = condition(of: scope, from: place, after: .max)
        return Statement(
            sql: """
                SELECT place, seq FROM results WHERE \(condition)
                ORDER BY place LIMIT 2 OFFSET \(Limits.erasedAtOnce - 1)
                """, parameters: parameters)
    }

    /// Notes an erasure whose rows other statements remove.
    static func note(_ scope: Erasure.Scope, at moment: Timestamp, token: RecordID) -> Statement {
        Statement(
            sql: """
                INSERT INTO erasures (seq, scope, erased_at, token, count)
                SELECT seq, $1, $2, $3, 0 FROM head
                """, parameters: noteParameters(scope, moment, token))
    }

    private static func noteParameters(
        _ scope: Erasure.Scope, _ moment: Timestamp, _ token: RecordID
    ) -> [Parameter] {
        let text = Erasure(scope: scope, sequence: 0, erasedAt: moment).text
        return [
            .text(String(decoding: text, as: UTF8.self)), .integer(moment.unixMilliseconds),
            .id(token),
        ]
    }

    /// The number of an erasure that was committed, and of its rows.
    static func erasure(withToken token: RecordID) -> Statement {
        Statement(
            sql: "SELECT seq, count FROM erasures WHERE token = $1", parameters: [.id(token)])
    }

    /// Removes the rows that match a condition, with their share of the counts; returns their number.
    ///
    /// `datingInboxes` has to follow, unless the same rows are inserted again in the transaction.
    ///
    /// - Parameter note: a statement that reads the removed rows as `gone`.
    static func removal(
        where condition: String, _ parameters: [Parameter], noting note: String? = nil
    ) -> Statement {
        Statement(
            sql: """
                WITH gone AS (
                    DELETE FROM results WHERE \(condition)
                    RETURNING facet, inbox, idempotency, seq, place,
                        octet_length(tail) AS size),
                \(Self.uncounting), unclean_days AS (
                    INSERT INTO unclean (day, seq)
                    SELECT DISTINCT
                        (place >> \(Place.numberBits)) / \(Day.milliseconds), head.seq
                    FROM gone CROSS JOIN head
                    ON CONFLICT (day) DO UPDATE SET seq = excluded.seq)
                \(note.map { ", noted AS (\($0))" } ?? "")
                SELECT count(*) FROM gone
                """, parameters: parameters)
    }

    /// Takes the rows of `gone` out of the counts, as parts of a statement.
    static let uncounting = """
        keys AS (
            DELETE FROM idempotency USING gone
            WHERE hash = gone.idempotency AND idempotency.seq = gone.seq),
        facet_counts AS (
            UPDATE facets SET count = count - c.number
            FROM (SELECT facet, count(*) AS number FROM gone GROUP BY 1) AS c
            WHERE facets.id = c.facet),
        inbox_counts AS (
            UPDATE inbox_kinds SET \(takingOut)
            FROM (SELECT inbox, facets.kind, count(*) AS number, sum(size) AS bytes,
                    max(place) >> \(Place.numberBits) AS last_at
                FROM gone JOIN facets ON facets.id = gone.facet GROUP BY 1, 2) AS c
            WHERE inbox_kinds.inbox = c.inbox AND inbox_kinds.kind = c.kind)
        """

    /// Takes what `c` has counted out of a row of `inbox_kinds`.
    ///
    /// The time of its newest record becomes -1 if that record is among them.
    static let takingOut = """
        count = inbox_kinds.count - c.number, bytes = inbox_kinds.bytes - c.bytes,
        last_at = CASE WHEN c.last_at < inbox_kinds.last_at THEN inbox_kinds.last_at ELSE -1 END
        """

    /// Sets the time of the newest record of inboxes that have lost it.
    ///
    /// Under the lock of all writers, so it reads an inbox from its newest record to the first one
    /// of the kind.
    static let datingInboxes = Statement(
        sql: """
            UPDATE inbox_kinds AS k SET last_at = CASE count WHEN 0 THEN 0 ELSE coalesce((
                SELECT place >> \(Place.numberBits) FROM results WHERE inbox = k.inbox
                AND facet = ANY (ARRAY(SELECT id FROM facets WHERE kind = k.kind))
                ORDER BY place DESC LIMIT 1), 0) END
            WHERE last_at = -1
            """, isKept: true)

    /// The rows that an erasure covers, as SQL.
    private func condition(
        of scope: Erasure.Scope, from place: Int64, after number: Int
    ) -> (text: String, parameters: [Parameter]) {
        var sql = ConditionSQL(columns)
        func rows(upTo bound: Erasure.Bound) -> String {
            let last = sql.bind(.integer(bound.sequence))
            guard let moment = bound.receivedAt else { return "seq <= \(last)" }
            return "place < \(sql.bind(.integer(Place.end(moment)))) AND "
                + "(place < \(sql.bind(.integer(Place.start(moment)))) OR seq <= \(last))"
        }
        func inbox(_ name: String, _ through: Erasure.Bound) -> String {
            sql.text(of: .compare(.inbox, .equal, .text(name))) + " AND " + rows(upTo: through)
        }
        var text: String
        switch scope {
        case .record(let id): text = sql.id(id)
        case .inbox(let name, let through): text = inbox(name, through)
        case .unmatched(let name, let through):
            let verdict = sql.bind(.text(Erasure.unmatchedVerdict))
            text =
                inbox(name, through)
                + " AND facet = ANY (ARRAY(SELECT id FROM facets WHERE verdict = \(verdict)))"
        case .deliveries(let name, let through):
            let kind = RecordKind.delivery.number
            text =
                inbox(name, through)
                + " AND facet = ANY (ARRAY(SELECT id FROM facets WHERE kind = \(kind)))"
        case .strays(let through):
            text = Self.isStray + " AND " + rows(upTo: through)
        case .receivedBefore(let moment):
            text = "place < \(sql.bind(.integer(Place.start(moment))))"
        }
        if place > .min {
            let places = "place >= \(sql.bind(.integer(place)))"
            // Both have an index. Without a bound, all rows of the scope would be read.
            text +=
                number == .max
                ? " AND \(places)" : " AND (\(places) OR seq > \(sql.bind(.integer(number))))"
        }
        return (text, sql.parameters)
    }

    /// Whether a record is a request that no route took, as SQL.
    static let isStray =
        "facet = ANY (ARRAY(SELECT id FROM facets WHERE kind = \(RecordKind.stray.number)))"
}

/// Records that are stored in one transaction.
struct WriteBatch: Sendable {
    var records: [PreparedRecord]
    /// Of all records, new ones too.
    var ids: [RecordID]
    /// The numbers of their facets.
    var facets: [Int64] = []
    /// The places of the records that they replace; empty if none does.
    var places: [Int64?] = []

    init(_ records: [PreparedRecord]) {
        self.records = records
        ids = records.map { $0.id ?? RecordID(at: $0.facts.receivedAt) }
    }

    /// The batch with only some of its records, in the order of `kept`.
    func keeping(_ kept: [Int]) -> WriteBatch {
        var batch = self
        batch.records = kept.map { records[$0] }
        batch.ids = kept.map { ids[$0] }
        batch.facets = facets.isEmpty ? [] : kept.map { facets[$0] }
        batch.places = places.isEmpty ? [] : kept.map { places[$0] }
        return batch
    }

    /// The indices of records with the same claim of an idempotency key as one before them.
    var repeatedClaims: [Int] {
        var claims: Set<[Int64]> = []
        return records.indices.filter { index in
            guard let hash = records[index].idempotency, let claim = records[index].keyClaim else {
                return false
            }
            return !claims.insert([hash, Int64(claim.follows), Int64(claim.part)]).inserted
        }
    }

    /// Bytes of the lines.
    var bytes: Int { records.reduce(0) { $0 + $1.tail.count } }
}
