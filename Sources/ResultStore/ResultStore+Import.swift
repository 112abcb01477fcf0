// Records that have been stored elsewhere before.

extension StoredLine {
    /// Whether a line, without its end, has the checksum that it names.
    ///
    /// O(size).
    package static func isIntact(_ line: [UInt8]) -> Bool {
        RecordLine.isIntact(line[...])
    }
}

extension ResultStore {
    /// Stores those of some records with ids that are not here yet, with few waits for the disk, and
    /// returns how many these were.
    ///
    /// Records that others store at the same time are not noticed: only one may import.
    ///
    /// Throws as `append` does; some may be stored then.
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
                // Each hands its record in before the next one begins, so their order is kept.
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
