// What a writer knows to be in the database: partitions, facets, inboxes and origins. A database
// that was changed by another instance may lack some of it; a statement then fails, and everything
// is looked up again.

import Clocks
import ResultStore

/// Names that need not be looked up again.
struct KnownNames {
    private var days: Set<Day> = []
    private var facets: [[UInt8]: Int64] = [:]
    /// Keyed by bytes: different texts can be equal as `String`.
    private var inboxes: Set<[UInt8]> = []
    private var origins: Set<[UInt8]> = []

    /// Makes the partitions and facets that a batch needs, and sets its facets' numbers.
    mutating func prepare(
        _ batch: inout WriteBatch, _ connection: Connection
    ) throws(DatabaseError) {
        let days = Set(batch.records.map { Day($0.facts.receivedAt) }).subtracting(days)
        for day in days.sorted() {
            _ = try connection.run(day.begin, within: Limits.writingMilliseconds)
            self.days.insert(day)
        }
        let keys = batch.records.map { Self.key(of: $0.facts) }
        var missing: [[UInt8]: RecordFacts] = [:]
        for (key, record) in zip(keys, batch.records) where facets[key] == nil {
            missing[key] = record.facts
        }
        if !missing.isEmpty { try addFacets(Array(missing), connection) }
        batch.facets = keys.map { facets[$0] ?? 0 }
    }

    private mutating func addFacets(
        _ missing: [(key: [UInt8], value: RecordFacts)], _ connection: Connection
    ) throws(DatabaseError) {
        let keys = Parameter.octets(missing.map(\.key))
        let facts = missing.map(\.value)
        let replies = try connection.run(
            [
                Statement(
                    sql: """
                        INSERT INTO facets
                            (key, kind, vendor, contract, outcome, verdict, method)
                        SELECT sha256(key), kind, vendor, contract, outcome, verdict, method
                        FROM unnest($1::bytea[], $2::bigint[], $3::text[], $4::text[], $5::text[],
                            $6::text[], $7::text[])
                            AS f (key, kind, vendor, contract, outcome, verdict, method)
                        ORDER BY 1 ON CONFLICT DO NOTHING
                        """,
                    parameters: [
                        keys, .integers(facts.map(\.kind.number)), .texts(facts.map(\.vendor)),
                        .texts(facts.map(\.contract)), .texts(facts.map(\.outcome)),
                        .texts(facts.map(\.verdict)), .texts(facts.map(\.method)),
                    ]),
                Statement(
                    sql: """
                        SELECT k.number, facets.id
                        FROM unnest($1::bytea[]) WITH ORDINALITY AS k (key, number)
                            JOIN facets ON facets.key = sha256(k.key)
                        """, parameters: [keys]),
            ], within: Limits.writingMilliseconds)
        for row in replies.last.map({ Array($0.rows) }) ?? [] {
            facets[missing[row.int(0) - 1].key] = row.integer(1)
        }
    }

    /// Each value with its length before it, so that no two facets have the same key.
    private static func key(of facts: RecordFacts) -> [UInt8] {
        var key = [UInt8(truncatingIfNeeded: facts.kind.number)]
        for text in [facts.vendor, facts.contract, facts.outcome, facts.verdict, facts.method] {
            let octets = text.map { Array($0.utf8) }
            key += Array("\(octets.map { "\($0.count)" } ?? "-"):".utf8) + (octets ?? [])
        }
        return key
    }

    /// Statements that add the names of a batch which may be missing.
    func additions(for batch: WriteBatch) -> [Statement] {
        let facts = batch.records.map(\.facts)
        return WriteStatements.addNames(
            inboxes: facts.map(\.inbox).filter { !inboxes.contains(Array($0.utf8)) },
            origins: facts.filter { !origins.contains(Self.origin($0)) }
                .map { ($0.host, $0.path) })
    }

    /// Notes that a batch's names are in the database.
    mutating func note(_ batch: WriteBatch) {
        if inboxes.count + origins.count > Limits.rememberedNames { (inboxes, origins) = ([], []) }
        for record in batch.records {
            inboxes.insert(Array(record.facts.inbox.utf8))
            origins.insert(Self.origin(record.facts))
        }
    }

    private static func origin(_ facts: RecordFacts) -> [UInt8] {
        Array(facts.host.utf8) + [UInt8(ascii: "\n")] + Array(facts.path.utf8)
    }
}
