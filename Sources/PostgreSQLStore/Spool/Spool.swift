// Keeps records on the disk while the database can't be used, and stores them in the database when
// it can.
//
// Invariant: a record has its id before it is sent to the database, and is stored from the spool only
// if its id is not there, so an outage neither loses nor doubles it. Each outage has a folder of its
// own, which is removed when all of its records are in the database. One with a damaged record is put
// aside, for people to look at.

import Foundation
import ResultStore
import Synchronization

/// The records that wait for the database.
final class Spool: Sendable {
    private struct State {
        /// Whether the database can't be used, as far as is known.
        var isOut = false
        /// The store that takes records, and the number of its folder.
        var open: (store: ResultStore, number: Int)?
        /// Records that are not in the database yet, by the number of their folder.
        ///
        /// Those of an earlier run count once they are being stored.
        var waiting: [Int: Int] = [:]
        /// Why the last record could not wait; nil if it could, or if the outage is over.
        var failure: StoreError?
        var isClosing = false
        var drain: Task<Void, Never>?
    }

    /// Holds the folders of outages, `1`, `2` and so on, and the address that was reached last.
    private let folder: String
    /// Whether records wait here while the database can't be used; what is here is stored anyway.
    private let takesRecords: Bool
    private let catalog: FieldCatalog
    private let onEvent: @Sendable (StoreEvent) -> Void
    private let state = Mutex(State())

    init(
        _ folder: String, takesRecords: Bool, catalog: FieldCatalog,
        onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        self.folder = folder
        self.takesRecords = takesRecords
        self.catalog = catalog
        self.onEvent = onEvent
    }

    /// Whether the database can't be used, as far as is known.
    var isOut: Bool { state.withLock { $0.isOut } }

    /// Number of records that wait.
    var waiting: Int { state.withLock { $0.waiting.values.reduce(0, +) } }

    /// Why the last record could not wait; nil if it could.
    var failure: StoreError? { state.withLock { $0.failure } }

    // MARK: The address

    private var addressFile: String { folder + "/reached" }

    /// Whether a database was reached at this address before, so that it is known to be right.
    func hasReached(_ address: DatabaseAddress) -> Bool {
        FileManager.default.contents(atPath: addressFile) == Data(address.text.utf8)
    }

    /// Notes that a database was reached.
    ///
    /// Without the note a server only can't start while the database is away.
    func noteReached(_ address: DatabaseAddress) {
        if hasReached(address) { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(address.text.utf8).write(to: URL(filePath: addressFile), options: .atomic)
        } catch {
            onEvent(.addressNotNoted(reason: "\(error.localizedDescription)"))
        }
    }

    // MARK: Storing

    /// Stores records in the database, or in the spool while the database can't be used; returns
    /// when they are durable.
    func append(
        _ records: [NewRecord],
        orElse toDatabase: ([NewRecord]) async throws(StoreError) -> [Receipt]
    ) async throws(StoreError) -> [Receipt] {
        var records = records
        for index in records.indices where records[index].id == nil {
            records[index].id = RecordID(at: records[index].receivedAt)
        }
        // What is decoded again is in the database, and will be read there again.
        if records.contains(where: { $0.redecodedAt != nil }) {
            return try await toDatabase(records)
        }
        if !state.withLock({ $0.isOut }) {
            do throws(StoreError) {
                return try await toDatabase(records)
            } catch {
                guard case .database = error else { throw error }
                noteOutage(error)
            }
        }
        let count = records.count
        while true {
            var number: Int?
            do throws(StoreError) {
                let open = try opened()
                number = open.number
                // Counted before they are stored, since they may be drained at once.
                state.withLock { $0.waiting[open.number, default: 0] += count }
                let receipts = try await open.store.append(records)
                state.withLock { $0.failure = nil }
                return receipts.map { Receipt(id: $0.id, sequence: 0) }
            } catch {
                if let number { state.withLock { $0.waiting[number, default: count] -= count } }
                // That outage is over; another one takes them.
                if error == .closed, !state.withLock({ $0.isClosing }) { continue }
                // That is the record's own fault.
                if error != .unreadable { state.withLock { $0.failure = error } }
                throw error
            }
        }
    }

    /// Notes that the database can't be used, and reports it if that is new.
    private func noteOutage(_ reason: StoreError) {
        guard takesRecords else { return }
        let isNew = state.withLock { state in
            defer { state.isOut = true }
            return !state.isOut
        }
        if isNew { onEvent(.spoolBegun(reason)) }
    }

    /// The store that takes records, and the number of its folder; opens it first if necessary.
    private func opened() throws(StoreError) -> (store: ResultStore, number: Int) {
        typealias Opening = Result<(store: ResultStore, number: Int), StoreError>
        let result = state.withLock { state -> Opening in
            if let open = state.open { return .success(open) }
            if state.isClosing { return .failure(.closed) }
            do throws(StoreError) {
                let number = (try Self.numbers(names()).max() ?? 0) + 1
                let path = "\(folder)/\(number)"
                do {
                    try FileManager.default.createDirectory(
                        atPath: path, withIntermediateDirectories: true)
                } catch {
                    throw StoreError.file(
                        path: path, operation: "create", reason: error.localizedDescription)
                }
                // Draining needs space for the index, also on a disk that records have filled.
                var settings = StoreSettings()
                settings.reserveBytes = StoreSettings.servedReserveBytes
                let store = try ResultStore(folder: path, catalog: catalog, settings: settings)
                state.open = (store, number)
                return .success((store, number))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The numbers of the outages that left records, in order.
    private func numbers() throws(StoreError) -> [Int] {
        try names().compactMap { Int($0) }.sorted()
    }

    /// The numbers of names, also of folders that were put aside.
    private static func numbers(_ names: [String]) -> [Int] {
        names.compactMap { Int($0.prefix(while: \.isNumber)) }
    }

    private func names() throws(StoreError) -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .file(path: folder, operation: "list", reason: error.localizedDescription)
        }
    }

    // MARK: Draining

    /// Starts to store what waits, also from earlier runs, as soon as the database can be used.
    func start(into database: PostgreSQLStorage) {
        let drain = Task { [weak self, weak database] in
            while !Task.isCancelled {
                if let database { await self?.drain(into: database) }
                try? await Task.sleep(for: .milliseconds(Limits.drainMilliseconds))
            }
        }
        state.withLock { $0.drain = drain }
    }

    private func drain(into database: PostgreSQLStorage) async {
        do throws(StoreError) {
            let numbers = try numbers()
            guard state.withLock({ $0.isOut }) || !numbers.isEmpty else { return }
            _ = try await database.newestSequence()
            var count = 0
            // A database that can be read may still be unable to store. What an earlier outage has
            // left shows that, so that no further folder is begun for nothing.
            let current = state.withLock { $0.open?.number }
            for number in numbers where number != current {
                count += try await drainIfReadable(number, into: database)
            }
            await endOutage()
            if let current { count += try await drain(current, into: database) }
            if count > 0 { onEvent(.spoolDrained(records: count)) }
        } catch {
            switch error {
            case .database: noteOutage(error)
            // The process from which this one takes over still has it.
            case .locked, .closed: break
            default: onEvent(.spoolNotDrained(error))
            }
        }
    }

    /// Notes that the database stores again: new records go to it.
    private func endOutage() async {
        let open = state.withLock { state in
            (state.isOut, state.failure) = (false, nil)
            return state.open.take()
        }
        await open?.store.close()
    }

    /// Stores the records of one outage; if they can't be read, reports it, so that those of other
    /// outages, and new ones, needn't wait for them.
    private func drainIfReadable(
        _ number: Int, into database: PostgreSQLStorage
    ) async throws(StoreError) -> Int {
        do throws(StoreError) {
            return try await drain(number, into: database)
        } catch {
            switch error {
            case .database, .locked, .closed: throw error
            default:
                onEvent(.spoolNotDrained(error))
                return 0
            }
        }
    }

    /// Stores the records of one outage, and removes its folder, or puts it aside if it has a damaged
    /// record; returns the number of records.
    private func drain(
        _ number: Int, into database: PostgreSQLStorage
    ) async throws(StoreError) -> Int {
        let path = "\(folder)/\(number)"
        // Releases the reserve.
        let spool = try ResultStore(folder: path, catalog: catalog)
        let result: Result<(count: Int, damage: String?), StoreError>
        do throws(StoreError) {
            result = .success(try await copy(spool, number, into: database))
        } catch {
            result = .failure(error)
        }
        await spool.close()
        let (count, damage) = try result.get()
        // Before a later outage can use the number.
        state.withLock { $0.waiting[number] = nil }
        let aside = path + ".damaged"
        do {
            if damage == nil {
                try FileManager.default.removeItem(atPath: path)
            } else {
                try FileManager.default.moveItem(atPath: path, toPath: aside)
            }
        } catch {
            throw .file(path: path, operation: "remove", reason: error.localizedDescription)
        }
        if let damage { onEvent(.spoolDamaged(folder: aside, reason: damage)) }
        return count
    }

    /// Returns the number of records, and what can't be read; nil if everything was.
    private func copy(
        _ spool: ResultStore, _ number: Int, into database: PostgreSQLStorage
    ) async throws(StoreError) -> (count: Int, damage: String?) {
        var (count, parts) = (0, spool.export(.everything, by: .seq).makeAsyncIterator())
        var damage: String?
        var left = try await spool.counts().reduce(0) { $0 + $1.count }
        while let outline = try await parts.nextOutline() {
            // The next start goes on: what is there already is left out.
            if state.withLock({ $0.isClosing }) { throw .closed }
            // An earlier attempt may have come further.
            state.withLock { $0.waiting[number] = min($0.waiting[number] ?? left, left) }
            let (lines, damaged) = try await spool.lines(of: outline, 0..<outline.count)
            damage = damage ?? damaged.first.map { "\($0)" }
            count += try await database.store(spooled: lines)
            left -= outline.count
            await endOutage()
        }
        if damage == nil {
            // The index may lack a damaged record.
            damage = try await spool.verify().findings.first.map { "\($0.file): \($0.sentence)" }
        }
        return (count, damage)
    }

    /// Ends draining; what waits stays on the disk.
    func close() async {
        let (drain, open) = state.withLock { state in
            state.isClosing = true
            return (state.drain, state.open.take())
        }
        drain?.cancel()
        await drain?.value
        await open?.store.close()
    }
}
