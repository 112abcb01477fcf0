// Stores several records at once: a list of callbacks, and records that were stored elsewhere.

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
        var seen: Set<RecordID> = []
        var missing: [NewRecord] = []
        for record in records {
            if let id = record.id {
                guard seen.insert(id).inserted, try await storage.location(of: id) == nil else {
                    continue
                }
            }
            missing.append(record)
        }
        return try await append(missing).count
    }

    /// Stores records in their order, with few waits for the disk; returns when all are durable.
    ///
    /// Throws as `append` does for one; some records may then be stored.
    package func append(_ records: [NewRecord]) async throws(StoreError) -> [Receipt] {
        try await storage.append(records)
    }
}
