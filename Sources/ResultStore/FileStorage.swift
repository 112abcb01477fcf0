// The store in files. See `Journal` for how a record becomes durable, `ResultIndex` for how it is
// found, `Recovery` for opening, `Keeper` for what happens to segments later.

import Clocks

/// The records of one data folder.
final class FileStorage: ResultStorage {
    let index: ResultIndex
    let files: SegmentFiles
    let journal: Journal
    let keeper: Keeper
    let feed: Feed
    let folder: StoreFolder
    let room = RoomWatch()

    /// What opening found and did.
    let recovery: RecoveryReport

    /// Opens the folder's files; see `ResultStore.init`.
    init(
        folder: StoreFolder, catalog: FieldCatalog, settings: StoreSettings, rebuilds: Bool,
        onEvent: @escaping @Sendable (StoreEvent) -> Void,
        onCommit: @escaping @Sendable (StoreCommit) -> Void,
        onProgress: (_ bytes: Int64, _ of: Int64) -> Void
    ) throws(StoreError) {
        var recovery = Recovery(
            folder: folder, catalog: catalog, rebuilds: rebuilds,
            awaitedBytes: settings.awaitedIndexBytes)
        let outcome = try recovery.run(onProgress: onProgress)
        let index = outcome.index
        let last = outcome.segments.last
        let writer = try JournalWriter(
            folder: folder, catalog: catalog, segments: outcome.segments.map(\.name),
            last: last.map { ($0.name, $0.form == .plain) }, sequence: outcome.sequence,
            segmentBytes: settings.segmentBytes)
        let feed = Feed(catalog: catalog, lastSequence: outcome.sequence)
        self.folder = folder
        self.index = index
        self.feed = feed
        self.recovery = recovery.report
        files = outcome.files
        journal = Journal(
            writer, catalog: catalog,
            onCommit: { batch in
                index.submit(batch.changes)
                feed.submit(batch)
                onCommit(StoreCommit(batch))
            },
            onLoss: { segment in
                onEvent(.segmentLost(segment.fileName))
                index.reportDamage("\(segment.fileName) was removed or changed")
            })
        let keeper = Keeper(
            folder: folder, files: files, index: index, journal: journal, settings: settings,
            onEvent: onEvent)
        self.keeper = keeper
        folder.alarm.set { onEvent(.diskFailed($0)) }
        let lacking = recovery.report.lackingBytes
        index.start(
            at: outcome.sequence, lacking: lacking,
            onDamage: { [weak keeper] reason in
                onEvent(.indexDamaged(reason: reason))
                keeper?.repairIndex()
            })
        if lacking > 0 { keeper.repairIndex(isIntact: true) }
        folder.reserve.keep(settings.reserveBytes)
    }

    func newestSequence() -> Int { feed.lastSequence ?? 0 }

    func locations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> [ResultLocation] {
        let lastErasure = feed.lastErasure
        return try await index.locations(of: query, after: cursor, limit: limit)
            .map { ResultLocation($0, lastErasure) }
    }

    func countedLocations(
        of query: ResultQuery, after cursor: PageCursor?, limit: Int
    ) async throws(StoreError) -> (locations: [ResultLocation], total: ResultTotal) {
        let lastErasure = feed.lastErasure
        let (locations, total) = try await index.countedLocations(
            of: query, after: cursor, limit: limit)
        return (locations.map { ResultLocation($0, lastErasure) }, total)
    }

    func location(of id: RecordID) async throws(StoreError) -> ResultLocation? {
        let lastErasure = feed.lastErasure
        return try await index.location(of: id).map { ResultLocation($0, lastErasure) }
    }

    /// Waits a limited time for an index that is being rebuilt, because without it a request could
    /// be stored twice.
    func locations(idempotency hash: Int64, limit: Int) async throws(StoreError) -> [ResultLocation]
    {
        await index.wait(for: Limits.rebuildingPatienceMilliseconds)
        let lastErasure = feed.lastErasure
        var found: [ResultIndex.Location]
        do throws(StoreError) {
            found = try await index.locations(idempotency: hash, limit: limit)
        } catch {
            // This query may be the one that found the index damaged.
            guard case .rebuilding = error else { throw error }
            await index.wait(for: Limits.rebuildingPatienceMilliseconds)
            found = try await index.locations(idempotency: hash, limit: limit)
        }
        return found.map { ResultLocation($0, lastErasure) }
    }

    /// What was erased after the lookup is still in the files until the next compaction.
    func lines(
        at locations: [ResultLocation]
    ) async throws(StoreError) -> (lines: [StoredLine], damage: [StoreError]) {
        var known = locations.compactMap(\.inFiles)
        let lastErasure = feed.lastErasure
        if locations.contains(where: { $0.lastErasure < lastErasure }) {
            known = try await index.present(known)
        }
        return try await lines(at: known)
    }

    func isDecodedAgain(_ location: ResultLocation) async throws(StoreError) -> Bool {
        guard let known = location.inFiles else { return false }
        if let isDecodedAgain = try isDecodedAgain(known) { return isDecodedAgain }
        let (lines, _) = try await lines(at: [location])
        return lines.first.map { RecordLine.isDecodedAgain($0.stored) } ?? false
    }

    func inboxes(
        of kinds: [RecordKind], after name: String?, limit: Int
    ) async throws(StoreError) -> [InboxSummary] {
        try await index.inboxes(of: kinds, after: name, limit: limit)
    }

    func flows(before name: String?, limit: Int) async throws(StoreError) -> [String] {
        try await index.flows(before: name, limit: limit)
    }

    func counts() async throws(StoreError) -> [ResultCount] {
        try await index.counts()
    }

    func flowNews(after sequence: Int) -> FlowNews? { nil }

    /// On a full disk, commands can't find the server; nothing else depends on it.
    func announce(addresses: [String]) {
        try? folder.announce(addresses)
    }

    var status: StoreStatus {
        StoreStatus(
            failure: journal.failure, rebuilding: index.rebuilding, lag: index.lag,
            indexFailure: index.writeFailure, isReserveMissing: folder.reserve.isMissing)
    }

    func storedBytes() throws(StoreError) -> Int64 {
        var bytes: Int64 = 0
        for name in try folder.disk.names(in: folder.results) where name.contains(".jsonl") {
            // A segment may be replaced or removed meanwhile.
            let file = try? folder.disk.openReadOnly("\(folder.results)/\(name)")
            bytes += (try? file?.size()) ?? 0
        }
        return bytes
    }

    func close() async {
        // First, because the keeper may be waiting for a large erasure.
        index.stopErasing()
        await room.stop()
        await keeper.close()
        await journal.close()
        await index.close()
        folder.unlock()
    }
}

extension ResultLocation {
    fileprivate init(_ location: ResultIndex.Location, _ lastErasure: Int) {
        self.init(
            place: location.place, sequence: location.sequence, size: location.size,
            value: location.value, inFiles: location, lastErasure: lastErasure)
    }
}
