// Imports records that were stored elsewhere.

extension StoredLine {
    /// Whether a line, without its newline, matches the checksum in it.
    ///
    /// O(size).
    package static func isIntact(_ line: [UInt8]) -> Bool {
        RecordLine.isIntact(line[...])
    }
}

extension ResultStore {
    /// Stores the records whose ids are not in the store yet, with few waits for the disk; returns
    /// their number.
    ///
    /// It doesn't notice records that others store at the same time, so only one import may run.
    ///
    /// Throws as `append` does; some records may then be stored.
    package func appendMissing(_ records: [NewRecord]) async throws(StoreError) -> Int {
        try refuseWithoutReserve()
        var seen: Set<RecordID> = []
        var missing: [NewRecord] = []
        for record in records {
            if let id = record.id {
                guard seen.insert(id).inserted, try await index.location(of: id) == nil else {
                    continue
                }
            }
            missing.append(record)
        }
        let results = await withTaskGroup(of: StoreError?.self) { group in
            for record in missing {
                // Each task submits its record before the next one begins, so their order is kept.
                group.addImmediateTask { [journal] in
                    do throws(StoreError) {
                        _ = try await journal.append(record)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        if let error = results.compactMap({ $0 }).first { throw error }
        return missing.count
    }
}
