// Erases results and maintains what keeps them.

extension ResultStore {
    /// Erases a result, even if its line is damaged, as long as its id can be read; false if the id
    /// is unknown.
    ///
    /// When this returns, no query returns the result any more, even after a crash. The next
    /// compaction removes it from the disk.
    ///
    /// Throws as `append` does, and `index`.
    package func erase(_ id: RecordID) async throws(StoreError) -> Bool {
        try await storage.erase(id)
    }

    /// Erases all results of an inbox that are stored before the erasure is; returns the number of
    /// those that were acknowledged before this call, 0 if there is no such inbox.
    ///
    /// O(inboxes). Throws as `append` does, and `index`.
    package func erase(inbox name: String) async throws(StoreError) -> Int {
        try await storage.erase(inbox: name)
    }

    /// Whether a record that was read a moment ago has been erased since.
    ///
    /// O(1) in files unless anything was erased since its number.
    ///
    /// Throws `index` and `database`.
    package func wasErased(
        _ id: RecordID, since sequence: Int
    ) async throws(StoreError) -> Bool {
        guard try await storage.hasErased(after: sequence) else { return false }
        return try await storage.location(of: id) == nil
    }

    /// Erases records that name what another one held, such as its inbox, if that one was erased
    /// since; while that fails, tries again until the task is cancelled.
    ///
    /// - Parameters:
    ///   - id: of the record that may have been erased.
    ///   - sequence: the number of its line that was read.
    ///   - onFailure: called with each error but `closed`.
    package func erase(
        _ records: [RecordID], ifErased id: RecordID, since sequence: Int,
        onFailure: (StoreError) -> Void
    ) async {
        repeat {
            do throws(StoreError) {
                guard try await wasErased(id, since: sequence) else { return }
                for record in records { _ = try await erase(record) }
                return
            } catch {
                if error == .closed { return }
                onFailure(error)
            }
        } while (try? await Task.sleep(for: .milliseconds(Limits.erasePauseMilliseconds))) != nil
    }

    /// The files in which opening the store has found damage, by their paths in the data folder,
    /// sorted; none in a database.
    ///
    /// Throws `index` and `rebuilding`.
    package func damagedFiles() async throws(StoreError) -> [String] {
        try await storage.damagedFiles()
    }

    /// Reads everything and reports what is wrong; no segment is rewritten during the call.
    ///
    /// O(bytes · log(records)).
    ///
    /// Throws `file` if the folder can't be listed, and `closed`.
    package func verify() async throws(StoreError) -> VerificationReport {
        try await storage.verify()
    }

    /// Starts to compress, compact and expire in the background, and checks the index's pages once.
    package func startMaintenance(
        onReport: @escaping @Sendable (MaintenanceReport) -> Void
    ) {
        storage.startMaintenance(onReport: onReport)
    }

    /// Compresses, compacts and expires now; returns when that is done.
    ///
    /// O(bytes of the segments concerned).
    ///
    /// Throws `index`, `closed`, `full` or `file`.
    package func compact() async throws(StoreError) -> MaintenanceReport {
        try await storage.compact()
    }
}
