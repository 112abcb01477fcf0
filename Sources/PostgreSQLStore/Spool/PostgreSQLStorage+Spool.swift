// Stores what waited in the spool.

import Clocks
import JSON
import ResultStore

extension PostgreSQLStorage {
    /// Stores lines of the spool whose ids are not there yet, in their order; returns their number.
    ///
    /// A request that repeats an earlier one, with the same key, could not be compared with it; it
    /// is left out if it is equal. A refused delivery is always stored, and nothing repeats it.
    func store(spooled lines: [StoredLine]) async throws(StoreError) -> Int {
        var records: [(record: PreparedRecord, request: [ArraySlice<UInt8>]?)] = []
        for line in lines {
            guard let record = PreparedRecord(line, keepingNumber: false, catalog: catalog) else {
                throw .unreadable
            }
            records.append((record, Self.repeatable(line)))
        }
        let hashes = Set(records.compactMap(\.record.idempotency))
        var known: [Int64: Set<[ArraySlice<UInt8>]>] = [:]
        for hash in hashes {
            let places = try await knownLocations(
                idempotency: hash, limit: Limits.comparedRepetitions)
            known[hash] = Set(try await self.lines(at: places).lines.compactMap(Self.repeatable))
        }
        // What an earlier attempt has stored is not a repetition of itself.
        let ids = Set(try await present(records.compactMap(\.record.id)))
        var rest: [PreparedRecord] = []
        for (record, request) in records {
            if let hash = record.idempotency, let request,
                record.id.map({ !ids.contains($0) }) ?? true,
                known[hash, default: []].insert(request).inserted == false
            {
                continue
            }
            rest.append(record)
        }
        return try await writer.write(rest, mayBeThere: true).count { !$0.wasThere }
    }

    /// What repetitions of a stored request have in common; nil if it was refused.
    private static func repeatable(_ line: StoredLine) -> [ArraySlice<UInt8>]? {
        guard let root = try? JSONDocument(parsing: line.text).root,
            let request = root["request"]
        else { return [] }
        if RecordDiagnostics.isRefused(root) { return nil }
        return RecordRequest.identityTexts(of: request).map { ArraySlice(Array($0)) }
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
            return try connection.run(statement, within: Limits.questionMilliseconds).rows
                .compactMap { $0.id(0) }
        }
    }
}
