// Erases results and maintains the files.

extension FileStorage {
    func erase(_ id: RecordID) async throws(StoreError) -> Bool {
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

    func erase(inbox name: String) async throws(StoreError) -> Int {
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
    private func refuseWithoutReserve() throws(StoreError) {
        if folder.reserve.isMissing, !folder.reserve.take() { throw .full }
    }

    func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        try refuseWithoutReserve()
        return try await journal.append(record)
    }

    func append(_ records: [NewRecord]) async throws(StoreError) -> [Receipt] {
        try refuseWithoutReserve()
        let results = await withTaskGroup(of: (Int, Result<Receipt, StoreError>).self) { group in
            for (index, record) in records.enumerated() {
                // Each task submits its record before the next one begins, so their order is kept.
                group.addImmediateTask { [journal] in
                    do throws(StoreError) {
                        return (index, .success(try await journal.append(record)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var receipts: [Receipt] = []
        for result in results.sorted(by: { $0.0 < $1.0 }) { receipts.append(try result.1.get()) }
        return receipts
    }

    func verify() async throws(StoreError) -> VerificationReport {
        try await keeper.verify()
    }

    func startMaintenance(onReport: @escaping @Sendable (MaintenanceReport) -> Void) {
        keeper.start(onReport: onReport)
        let index = index
        Task(priority: .background) { await index.checkForDamage() }
    }

    func compact() async throws(StoreError) -> MaintenanceReport {
        try await keeper.work()
    }
}
