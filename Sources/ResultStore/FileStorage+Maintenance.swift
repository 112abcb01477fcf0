// Erases results and maintains the files.

extension FileStorage {
    func erase(_ id: RecordID) async throws(StoreError) -> Bool {
        if try await index.location(of: id) == nil {
            guard try await keeper.damagedLines(.record(id)) > 0 else { return false }
        }
        try await erase(.record(id), count: 1)
        return true
    }

    func erase(inbox name: String) async throws(StoreError) -> Int {
        // Everything that is durable when the erasure's turn comes.
        let scope = Erasure.Scope.inbox(name, through: Erasure.Bound(.max))
        var count = try await index.inboxes().first { $0.name == name }?.count ?? 0
        if count == 0 {
            count = try await keeper.damagedLines(scope)
            if count == 0 { return 0 }
        }
        try await erase(scope, count: count)
        return count
    }

    /// Makes the erasure of `count` records durable; throws `full` if the index has no room for it.
    private func erase(_ scope: Erasure.Scope, count: Int) async throws(StoreError) {
        let reserve = folder.reserve
        let hasRoom = try await index.readers.run { _ in
            .success(reserve.hasRoomToErase(count))
        }.get()
        if !hasRoom { throw .full }
        try await reserve.whenFull { () async throws(StoreError) in
            try await journal.erase(scope)
        }
        keeper.noteErasure()
    }

    func hasErased(after sequence: Int) -> Bool { feed.lastErasure > sequence }

    /// Throws `full` while the reserve is needed for erasing.
    ///
    /// Takes it back on a query's thread, because that writes megabytes.
    ///
    /// Throws `locked` or `file` if that can't be done in the folder that has the name now.
    private func refuseWithoutReserve() async throws(StoreError) {
        let folder = folder
        guard folder.reserve.isMissing else { return }
        let isTaken = try await index.readers.run { _ -> Result<Bool, StoreError> in
            do throws(StoreError) {
                try folder.followLock()
                return .success(folder.reserve.take())
            } catch {
                return .failure(error)
            }
        }.get()
        if !isTaken { throw .full }
    }

    func append(_ record: NewRecord) async throws(StoreError) -> Receipt {
        try await refuseWithoutReserve()
        return try await journal.append(record)
    }

    func append(_ records: [NewRecord]) async throws(StoreError) -> [Receipt] {
        try await refuseWithoutReserve()
        return try await journal.append(records)
    }

    func appendMissing(_ records: [NewRecord]) async throws(StoreError) -> Int {
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
        return try await append(missing).count
    }

    func copy(
        _ lines: [StoredLine], keepingNumbers keepsNumbers: Bool
    ) async throws(StoreError) -> Int {
        try await refuseWithoutReserve()
        var missing: [QueuedRecord] = []
        for line in lines {
            guard
                let record = QueuedRecord(
                    line, keepingNumber: keepsNumbers, catalog: index.catalog)
            else { throw .unreadable }
            if !keepsNumbers, try await index.location(of: record.facts.id) != nil { continue }
            missing.append(record)
        }
        if keepsNumbers, let first = missing.first?.number, first <= newestSequence() {
            throw .numberTaken(first)
        }
        return try await journal.append(missing).count
    }

    func damagedFiles() throws(StoreError) -> [String] {
        try index.damagedSegments().map { "results/\($0.fileName)" }.sorted()
    }

    func verify() async throws(StoreError) -> VerificationReport {
        try await keeper.verify()
    }

    func startMaintenance(onReport: @escaping @Sendable (MaintenanceReport) -> Void) {
        keeper.start(onReport: onReport)
        room.start { [weak self] in self?.lookForRoom() }
        let index = index
        Task(priority: .background) { await index.checkForDamage() }
    }

    /// Takes the reserve back, and forgets a failure to write, if there is room now.
    func lookForRoom() {
        let mayRecover = journal.failure?.isPassing == true
        guard folder.reserve.isMissing || mayRecover else { return }
        // Another process may use the folder that has the name now.
        guard (try? folder.followLock()) != nil else { return }
        if folder.reserve.isMissing { folder.reserve.take() }
        if mayRecover, folder.reserve.hasRoom() { journal.forgetFailure() }
    }

    func compact() async throws(StoreError) -> MaintenanceReport {
        try await keeper.work()
    }
}
