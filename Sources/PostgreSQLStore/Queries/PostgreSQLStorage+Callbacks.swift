// What a callback has to know before it is stored: the news of flows, and earlier requests with its
// idempotency key.
//
// Invariant: the news of flows have a connection of their own, so that no other query holds them
// back. Earlier requests are asked for with all other queries, because one that is found waits
// until a standby has confirmed it.

import ResultStore

extension PostgreSQLStorage {
    /// One turn, of a few rows: nearly every callback asks for it.
    func flowNews(after sequence: Int) async throws(StoreError) -> FlowNews? {
        let retreats = follower.retreats
        let after = [Parameter.integer(sequence)]
        let news = Statement(
            sql: """
                SELECT seq, place FROM flow_news WHERE seq > $1 ORDER BY seq
                LIMIT \(Limits.followedRecords)
                """, parameters: after, isKept: true)
        let erasures = Statement(
            sql: "SELECT scope FROM erasures WHERE seq > $1", parameters: after, isKept: true)
        let (places, scopes, newest) = try await newsPool.ask {
            (connection) throws(DatabaseError) in
            // The number first: what is committed later is read again next time.
            let replies = try connection.run(
                [Head.newest, news, erasures], within: Limits.newsMilliseconds)
            let places = replies[1].rows.map { ($0.int(0), $0.integer(1) ?? 0) }
            let scopes = replies[2].rows.compactMap { Erasure.scope(of: $0.octets(0)) }
            return (places, scopes, replies[0].first?.int(0) ?? sequence)
        }
        let names = scopes.compactMap { scope -> String? in
            // Flows outlast the expiry of old results.
            guard case .inbox(let name, let through) = scope, through.receivedAt == nil else {
                return nil
            }
            return name
        }
        let ids = scopes.compactMap { scope -> RecordID? in
            if case .record(let id) = scope { id } else { nil }
        }
        let isWhole = places.count < Limits.followedRecords
        let found = places.map {
            ResultLocation(place: $0.1, sequence: $0.0, size: 0, value: nil)
        }
        return FlowNews(
            through: isWhole ? newest : places.last?.0 ?? newest, isWhole: isWhole,
            lines: try await lines(at: found, newsPool).lines, erasedInboxes: names,
            erasedRecords: ids, retreats: retreats)
    }

    func locations(
        idempotency hash: Int64, limit: Int
    ) async throws(StoreError) -> [ResultLocation] {
        // In an outage, each query could wait until connecting fails. The record will be compared
        // when it leaves the spool.
        if spool?.isOut == true { return [] }
        do throws(StoreError) {
            return try await knownLocations(idempotency: hash, limit: limit)
        } catch {
            guard spools, case .database = error else { throw error }
            return []
        }
    }

    /// As `locations(idempotency:limit:)`, but throws in an outage too.
    func knownLocations(
        idempotency hash: Int64, limit: Int
    ) async throws(StoreError) -> [ResultLocation] {
        try await pool.ask { (connection) throws(DatabaseError) in
            let statement = Statement(
                sql: """
                    SELECT results.place, results.seq, octet_length(tail), redecoded_at
                    FROM idempotency JOIN results ON results.place = idempotency.place
                    WHERE hash = $1 ORDER BY results.seq DESC LIMIT $2
                    """, parameters: [.integer(hash), .integer(limit)], isKept: true)
            let reply = try connection.run(statement, within: Limits.queryMilliseconds)
            // What no standby has confirmed can be seen, and may still be lost: a repeated request
            // is answered for it only afterwards.
            if reply.count > 0 {
                try connection.run(
                    [Head.confirmation], within: Limits.batchMilliseconds)
            }
            return reply.rows.map { Self.location($0, nil) }
        }
    }
}
