// Stores what waited in the spool.

import Clocks
import JSON
import ResultStore

/// What repetitions of a request have in common.
private struct RepeatedRequest: Hashable {
    var texts: [ArraySlice<UInt8>] = []
    /// The record's position in the list that was sent; nil if it came alone.
    var part: Int?
}

/// A record of the spool.
private struct SpooledRecord {
    let record: PreparedRecord
    /// Nil if it was refused.
    let request: RepeatedRequest?

    /// The hash of the key that it claims; nil for none.
    var claimed: Int64? { request == nil ? nil : record.idempotency }
}

/// What repetitions of requests have in common, by the hashes of their keys.
private typealias KnownRequests = [Int64: Set<RepeatedRequest>]

extension PostgreSQLStorage {
    /// Stores lines of the spool whose ids are not there yet, in their order; returns their number.
    ///
    /// A request that repeats an earlier one, with the same key, could not be compared with it; it
    /// is left out if it is equal. A refused delivery is always stored, and nothing repeats it.
    func store(spooled lines: [StoredLine]) async throws(StoreError) -> Int {
        var records: [SpooledRecord] = []
        for line in lines {
            guard let record = PreparedRecord(line, keepingNumber: false, catalog: catalog) else {
                throw .unreadable
            }
            records.append(SpooledRecord(record: record, request: Self.repeatable(line)))
        }
        var (count, known, rest) = (0, KnownRequests(), records[...])
        while !rest.isEmpty {
            let round = rest.prefix(Self.roundSize(of: rest))
            count += try await store(round, &known)
            rest = rest.dropFirst(round.count)
        }
        return count
    }

    /// The number of records up to the first one that claims the same key as one before it, for the
    /// same position in a list.
    private static func roundSize(of records: ArraySlice<SpooledRecord>) -> Int {
        var claimed: Set<[Int64]> = []
        let repeated = records.firstIndex { record in
            guard let hash = record.claimed else { return false }
            return !claimed.insert([hash, Int64(record.request?.part ?? 0)]).inserted
        }
        return (repeated ?? records.endIndex) - records.startIndex
    }

    /// Stores records with different claims; looks again if another server takes a key meanwhile.
    private func store(
        _ records: ArraySlice<SpooledRecord>, _ known: inout KnownRequests
    ) async throws(StoreError) -> Int {
        var tries = 0
        while true {
            tries += 1
            do throws(StoreError) {
                let count = try await storeOnce(records, &known)
                for record in records {
                    guard let hash = record.claimed, let request = record.request else { continue }
                    known[hash, default: []].insert(request)
                }
                return count
            } catch {
                guard error == .keyTaken, tries < Limits.batchTries else { throw error }
            }
        }
    }

    /// Throws `keyTaken` if another server has stored a record with one of the keys since they were
    /// looked up; other records are stored then.
    private func storeOnce(
        _ records: ArraySlice<SpooledRecord>, _ known: inout KnownRequests
    ) async throws(StoreError) -> Int {
        var newest: [Int64: Int] = [:]
        var parts: [Int64: [Int: Int]] = [:]
        for hash in Set(records.compactMap(\.claimed)) {
            // First, so that what is stored meanwhile has the claim.
            parts[hash] = try await newestParts(idempotency: hash)
            let places = try await knownLocations(
                idempotency: hash, limit: Limits.comparedRepetitions)
            newest[hash] = places.first?.sequence
            let lines = try await lines(at: places).lines
            known[hash, default: []].formUnion(lines.compactMap(Self.repeatable))
        }
        // What an earlier attempt has stored is not a repetition of itself.
        let ids = Set(try await present(records.compactMap(\.record.id)))
        var rest: [PreparedRecord] = []
        for spooled in records {
            var record = spooled.record
            if let hash = spooled.claimed, let request = spooled.request {
                let isThere = record.id.map { ids.contains($0) } ?? false
                if !isThere, known[hash]?.contains(request) == true { continue }
                record.keyClaim =
                    if let part = request.part {
                        KeyClaim(follows: parts[hash]?[part] ?? 0, part: part)
                    } else {
                        KeyClaim(follows: newest[hash] ?? 0)
                    }
            }
            rest.append(record)
        }
        return try await writer.write(rest, mayBeThere: true).count { !$0.wasThere }
    }

    /// The numbers of the newest records that have claimed a key, by their position in a list.
    private func newestParts(
        idempotency hash: Int64
    ) async throws(StoreError) -> [Int: Int] {
        try await pool.ask { (connection) throws(DatabaseError) in
            let statement = Statement(
                sql: """
                    SELECT part, max(seq) FROM idempotency
                    WHERE hash = $1 AND predecessor >= 0 GROUP BY part
                    """, parameters: [.integer(hash)], isKept: true)
            let reply = try connection.run(statement, within: Limits.queryMilliseconds)
            return Dictionary(
                reply.rows.map { ($0.int(0), $0.int(1)) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// What repetitions of a stored request have in common; nil if it was refused.
    private static func repeatable(_ line: StoredLine) -> RepeatedRequest? {
        guard let root = try? JSONDocument(parsing: line.text).root,
            let request = root["request"]
        else { return RepeatedRequest() }
        if RecordDiagnostics.isRefused(root) { return nil }
        let texts = RecordRequest.identityTexts(of: request)
        let same = request["delivery"] == nil ? texts : RecordRequest.signedTexts(of: texts)
        return RepeatedRequest(
            texts: same.map { ArraySlice(Array($0)) }, part: request["batch"]?["index"]?.int)
    }

    /// The ids that are in the database, of some.
    private func present(_ ids: [RecordID]) async throws(StoreError) -> [RecordID] {
        let places = ids.map { Timestamp(unixMilliseconds: $0.milliseconds) }
        return try await pool.ask { (connection) throws(DatabaseError) in
            let statement = Statement(
                sql: """
                    SELECT results.id
                    FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS w (id, first, next)
                        JOIN results ON place >= w.first AND place < w.next AND results.id = w.id
                    """,
                parameters: [
                    .ids(ids), .integers(places.map { Int64?(Place.start($0)) }),
                    .integers(places.map { Int64?(Place.end($0)) }),
                ])
            return try connection.run(statement, within: Limits.queryMilliseconds).rows
                .compactMap { $0.id(0) }
        }
    }
}
