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
    /// In files, it doesn't notice records that others store at the same time, so only one import may
    /// run.
    ///
    /// Throws as `append` does; some records may then be stored.
    package func appendMissing(_ records: [NewRecord]) async throws(StoreError) -> Int {
        try await storage.appendMissing(records)
    }

    /// Stores lines of another store in their order; returns their number.
    ///
    /// O(size). Throws as `append` does, `unreadable` for a line that can't be read, and
    /// `numberTaken`.
    ///
    /// - Parameter keepsNumbers: whether records keep their `seq`, which must then be higher than
    ///   that of all records here; a record that was decoded again then takes the place of the one
    ///   with its id. Otherwise, records whose ids are here are left out.
    package func copy(
        _ lines: [StoredLine], keepingNumbers keepsNumbers: Bool
    ) async throws(StoreError) -> Int {
        try await storage.copy(lines, keepingNumbers: keepsNumbers)
    }

    /// Stores records in their order, with few waits for the disk; returns when all are durable.
    ///
    /// Throws as `append` does for one; some records may then be stored.
    package func append(_ records: [NewRecord]) async throws(StoreError) -> [Receipt] {
        try await storage.append(records)
    }
}
