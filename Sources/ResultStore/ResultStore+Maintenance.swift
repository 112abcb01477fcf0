// Erases results and maintains the files.

extension ResultStore {
    /// Erases a result, even if its line is damaged, as long as its id can be read; false if the id
    /// is unknown.
    ///
    /// When this returns, no query returns the result any more, even after a crash. The next
    /// compaction removes it from the disk.
    ///
    /// Throws as `append` does, and `index`.
    package func erase(_ id: RecordID) async throws(StoreError) -> Bool {
        let location = try await withReserve { () async throws(StoreError) in
            try await index.location(of: id)
        }
        if location == nil {
            guard try await keeper.damagedLines(.record(id)) > 0 else { return false }
        }
        try await withReserve { () async throws(StoreError) in
            try await journal.erase(.record(id))
        }
        keeper.noteErasure()
        return true
    }

    /// Erases all results of an inbox that were acknowledged before this call; returns their
    /// number, 0 if there is no such inbox.
    ///
    /// O(inboxes). Throws as `append` does, and `index`.
    package func erase(inbox name: String) async throws(StoreError) -> Int {
        let through = feed.lastSequence
        let inboxes = try await withReserve { () async throws(StoreError) in
            try await index.inboxes()
        }
        var count = inboxes.first { $0.name == name }?.count ?? 0
        if count == 0 {
            count = try await keeper.damagedLines(.inbox(name, through: through))
            if count == 0 { return 0 }
        }
        try await withReserve { () async throws(StoreError) in
            try await journal.erase(.inbox(name, through: through))
        }
        keeper.noteErasure()
        return count
    }

    /// Runs `body`; if the disk is full, runs it again with the reserve released.
    ///
    /// Throws as `body` does.
    func withReserve<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            guard error.isFull, folder.reserve.giveUp() else { throw error }
            return try await body()
        }
    }

    /// Throws `full` while the reserve is needed for erasing.
    func refuseWithoutReserve() throws(StoreError) {
        if folder.reserve.isMissing, !folder.reserve.take() { throw .full }
    }

    /// Reads everything and reports what is wrong; no segment is rewritten during the call.
    ///
    /// O(bytes · log(records)).
    ///
    /// Throws `file` if the folder can't be listed, and `closed`.
    package func verify() async throws(StoreError) -> VerificationReport {
        try await keeper.verify()
    }

    /// Starts to compress, compact and expire in the background, and checks the index's pages once.
    package func startMaintenance(
        onReport: @escaping @Sendable (MaintenanceReport) -> Void
    ) {
        keeper.start(onReport: onReport)
        let index = index
        Task(priority: .background) { await index.checkForDamage() }
    }

    /// Compresses, compacts and expires now; returns when that is done.
    ///
    /// O(bytes of the segments concerned).
    ///
    /// Throws `index`, `closed`, `full` or `file`.
    package func compact() async throws(StoreError) -> MaintenanceReport {
        try await keeper.work()
    }
}
