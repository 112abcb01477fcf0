// One fault in one scenario, and what must be true of what is left.

import Clocks
import Foundation
import Gzip
import Testing

@testable import ResultStore

/// A store that was prepared once, to be spoiled often.
struct PreparedStore {
    let scenario: FaultScenario
    let disk: SimulatedDisk
    let folder: TemporaryFolder
    let book: Ledger.Book
    /// How many operations opening it takes.
    let openingOperations: Int

    init(_ scenario: FaultScenario) async throws {
        self.scenario = scenario
        folder = try TemporaryFolder()
        disk = SimulatedDisk(root: folder.path)
        let ledger = Ledger()
        // The first opening of all is to be seen by the faults.
        if scenario != .first {
            let store = try await FaultTrial.open(disk, scenario.settings)
            await scenario.prepare(store, ledger)
            await store.close()
        }
        scenario.spoil(disk)
        book = ledger.current
        #expect(book.failures.isEmpty)
        let copy = try TemporaryFolder()
        FaultTrial.copyIndex(folder, to: copy)
        let opened = disk.afterPowerCut(.everything, root: copy.path)
        opened.arm(.init(number: .max, fault: .fails))
        let again = try await FaultTrial.open(opened, scenario.settings)
        openingOperations = opened.count
        await again.close()
    }
}

/// Which index there is when the store is opened again.
enum IndexVariant: CaseIterable, Sendable {
    /// As the process left it: newer than the files, when a power cut took some of these back.
    case kept
    case deleted
    /// From before the scenario.
    case older
}

/// One run of a scenario.
struct FaultTrial {
    let prepared: PreparedStore
    let label: String

    static func open(
        _ disk: SimulatedDisk, _ settings: StoreSettings
    ) async throws(StoreError) -> ResultStore {
        try ResultStore(
            folder: StoreFolder(disk.root, on: disk), catalog: Ledger.catalog, settings: settings)
    }

    /// What a run has left.
    struct Outcome {
        let disk: SimulatedDisk
        /// With the index.
        let folder: TemporaryFolder
        let ledger: Ledger
        /// The operation that went wrong.
        let hit: SimulatedDisk.Kind
    }

    /// Runs the scenario with a fault; nil when the fault's operation never came.
    func run(_ plan: SimulatedDisk.Plan) async throws -> Outcome? {
        let folder = try TemporaryFolder()
        Self.copyIndex(prepared.folder, to: folder)
        let disk = prepared.disk.afterPowerCut(.everything, root: folder.path)
        let ledger = Ledger(prepared.book)
        disk.arm(plan)
        let atHit = try TemporaryFolder()
        if plan.fault == .powerIsCut {
            // The index as it was at that moment; SQLite's log says which part of it is complete.
            let path = atHit.path
            let source = folder.path
            disk.onHit { Self.copyIndex(source, to: path, ["", "-wal"]) }
        }
        defer { disk.onHit(nil) }
        do throws(StoreError) {
            let store = try await Self.open(disk, prepared.scenario.settings)
            await prepared.scenario.run(store, ledger)
            let hit = disk.hit
            disk.arm(nil)
            if plan.fault != .powerIsCut { await goOn(store, ledger) }
            await store.close()
            let left = plan.fault == .powerIsCut ? atHit : folder
            return hit.map { Outcome(disk: disk, folder: left, ledger: ledger, hit: $0) }
        } catch {
            // Opening failed: nothing was acknowledged.
            let hit = try #require(disk.hit, "\(label): \(error)")
            disk.arm(nil)
            return Outcome(disk: disk, folder: folder, ledger: ledger, hit: hit)
        }
    }

    /// After a fault that was not the end of the machine: what can go on, goes on.
    private func goOn(_ store: ResultStore, _ ledger: Ledger) async {
        let failures = ledger.current.failures
        let hasStopped = failures.contains { if case .syncFailed = $0 { true } else { false } }
        await ledger.append(21, at: FaultScenario.day(4), to: store)
        let isStored = ledger.current.failures.count == failures.count
        // A sync that failed elsewhere than in the journal leaves both open.
        if !hasStopped { #expect(isStored, "\(label): \(ledger.current.failures)") }
        if let first = failures.first, case .syncFailed = first,
            [.append, .roll].contains(prepared.scenario)
        {
            #expect(!isStored, "\(label): appended after \(first)")
        }
        // Another round of retention would erase what was kept.
        if hasStopped || prepared.scenario == .retention { return }
        do throws(StoreError) {
            let report = try await store.keeper.work()
            #expect(report.failures.isEmpty, "\(label): tidied again")
        } catch {
            guard case .syncFailed = error else {
                Issue.record("\(label): tidied again: \(error)")
                return
            }
        }
        _ = try? await store.keeper.work()
    }

    static func copyIndex(_ source: TemporaryFolder, to target: TemporaryFolder) {
        copyIndex(source.path, to: target.path, ["", "-wal", "-shm"])
    }

    static func copyIndex(_ source: String, to target: String, _ suffixes: [String]) {
        for suffix in suffixes {
            let name = "/index.sqlite" + suffix
            try? FileManager.default.removeItem(atPath: target + name)
            try? FileManager.default.copyItem(atPath: source + name, toPath: target + name)
        }
    }

    /// Opens what a run has left, and checks everything.
    func examine(
        _ outcome: Outcome, _ remains: SimulatedDisk.Remains, _ variant: IndexVariant
    ) async throws {
        let label = "\(label), \(remains), index \(variant)"
        let ledger = Ledger(outcome.ledger.current)
        let newFolder = try TemporaryFolder()
        switch variant {
        case .kept: Self.copyIndex(outcome.folder, to: newFolder)
        case .deleted: break
        case .older: Self.copyIndex(prepared.folder, to: newFolder)
        }
        let left = outcome.disk.afterPowerCut(remains, root: newFolder.path)
        var store: ResultStore
        do {
            store = try await Self.open(left, prepared.scenario.laterSettings)
        } catch {
            Issue.record("\(label): can't be opened: \(error)")
            return
        }
        try await check(store, ledger, label)
        let report = try await store.keeper.work()
        #expect(report.failures.isEmpty, "\(label)")
        try await check(store, ledger, label + ", tidied")
        try await store.index.catchUp()
        checkBytes(left, newFolder, ledger, label)
        let before = ledger.current
        for number in 31...32 {
            await ledger.append(number, at: FaultScenario.day(4), to: store)
        }
        let after = ledger.current
        #expect(after.failures.count == before.failures.count, "\(label): \(after.failures)")
        let new = after.acknowledged.suffix(2).map(\.sequence)
        #expect(new.allSatisfy { $0 > before.lastSequence }, "\(label): \(new)")
        await store.close()
        let verified = try StoreVerification.run(
            folder: left.root, on: left, catalog: Ledger.catalog)
        #expect(verified.findings.isEmpty, "\(label)")
        // What was accepted above must not stand on anything that isn't durable.
        let again = left.afterPowerCut(.nothing, root: newFolder.path)
        store = try await Self.open(again, prepared.scenario.laterSettings)
        #expect(store.recovery.rebuildReason == nil, "\(label)")
        try await check(store, ledger, label + ", again")
        await store.close()
    }

    /// Compares answers with what was told.
    private func check(_ store: ResultStore, _ ledger: Ledger, _ label: String) async throws {
        let page = try await store.page(of: ResultQuery(by: .seq), limit: ResultStore.pageLimit)
        #expect(page.damage.isEmpty, "\(label)")
        #expect(store.recovery.damage.isEmpty, "\(label): \(store.recovery.damage)")
        let book = ledger.current
        let expected = Dictionary(uniqueKeysWithValues: book.acknowledged.map { ($0.id, $0) })
        var found: Set<RecordID> = []
        for line in page.lines {
            guard
                case .record(let facts, _, _)? = StoredContent(
                    line.stored[...], catalog: Ledger.catalog)
            else {
                Issue.record("\(label): an answer is no record")
                continue
            }
            #expect(found.insert(facts.id).inserted, "\(label): twice: \(facts.sequence)")
            if let entry = expected[facts.id] {
                #expect(line.stored == entry.line, "\(label)")
                #expect(!book.erased.contains(facts.id), "\(label): revived: \(facts.sequence)")
            } else {
                // Written, but never acknowledged.
                let word = facts.words.split(separator: " ").last.map(String.init) ?? ""
                #expect(book.tried.contains(word), "\(label)")
            }
        }
        let sequences = page.lines.map(\.sequence)
        #expect(Set(sequences).count == sequences.count, "\(label)")
        for entry in book.acknowledged
        where !book.erased.contains(entry.id) && !book.doubtful.contains(entry.id) {
            #expect(found.contains(entry.id), "\(label): lost: \(entry.sequence)")
        }
        ledger.book.withLock { $0.lastSequence = max($0.lastSequence, sequences.max() ?? 0) }
    }

    /// Looks for erased words in all files.
    private func checkBytes(
        _ disk: SimulatedDisk, _ folder: TemporaryFolder, _ ledger: Ledger, _ label: String
    ) {
        let book = ledger.current
        let words = book.acknowledged.filter { book.erased.contains($0.id) }.map(\.word)
        if words.isEmpty { return }
        for (name, bytes) in disk.files {
            #expect(!name.hasSuffix(".unfinished"), "\(label): \(name)")
            var content = bytes
            if name.hasSuffix(".gz") {
                content = []
                var inflater = Inflater(limit: .max, ratio: .max)
                #expect(throws: Never.self) { try inflater.inflate(bytes, into: &content) }
            }
            for word in words {
                let isThere = Data(content).range(of: Data(word.utf8)) != nil
                #expect(!isThere, "\(label): erased, but in \(name)")
            }
        }
        for suffix in ["", "-wal"] {
            guard let bytes = try? folder.bytes(of: "index.sqlite" + suffix) else { continue }
            for word in words {
                let isThere = Data(bytes).range(of: Data(word.suffix(9).utf8)) != nil
                #expect(!isThere, "\(label): erased, but in index.sqlite\(suffix)")
            }
        }
    }
}
