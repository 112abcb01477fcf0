// Erasing, and keeping the files tidy.

extension ResultStore {
    /// Erases a result; false when there is none of that id.
    ///
    /// When this returns, no query gives it out any more, also after a crash. It leaves the disk
    /// with the next compaction.
    ///
    /// Throws as `append` does, and `index`.
    package func erase(_ id: RecordID) async throws(StoreError) -> Bool {
        guard try await index.location(of: id) != nil else { return false }
        try await journal.erase(.record(id))
        keeper.noteErasure()
        return true
    }

    /// Erases all results of an inbox that were acknowledged before this call, and returns how many
    /// there were; 0 when there is no such inbox.
    ///
    /// O(inboxes). Throws as `append` does, and `index`.
    package func erase(inbox name: String) async throws(StoreError) -> Int {
        let through = feed.lastSequence
        let count = try await index.inboxes().first { $0.name == name }?.count ?? 0
        if count == 0 { return 0 }
        try await journal.erase(.inbox(name, through: through))
        keeper.noteErasure()
        return count
    }

    /// Reads everything and says what is wrong; no segment is rewritten meanwhile.
    ///
    /// O(bytes · log(records)).
    ///
    /// Throws `file` when the folder can't be listed, and `closed`.
    package func verify() async throws(StoreError) -> VerificationReport {
        try await keeper.verify()
    }

    /// Begins to compress, compact and expire in the background, and looks at the index's pages once.
    package func startMaintenance(
        onReport: @escaping @Sendable (MaintenanceReport) -> Void
    ) {
        keeper.start(onReport: onReport)
        let index = index
        Task(priority: .background) { await index.lookForDamage() }
    }

    /// Compresses, compacts and expires now; returns when it is done.
    ///
    /// O(bytes of the segments concerned).
    ///
    /// Throws `index`, `closed`, `full` or `file`.
    package func compact() async throws(StoreError) -> MaintenanceReport {
        try await keeper.work()
    }
}
