// What happens to a store while its segments are rewritten, and indexes that missed it.

import Clocks
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ResultStore

@Suite struct RewritingTests {
    /// A store on a simulated disk, with some records of the first day.
    private func fill(
        _ folder: TemporaryFolder, _ ledger: Ledger, _ count: Int
    ) async throws -> (disk: SimulatedDisk, store: ResultStore) {
        let disk = SimulatedDisk(root: folder.path)
        let store = try await FaultTrial.open(disk, FaultScenario.append.settings)
        for number in 1...count {
            await ledger.append(number, at: FaultScenario.day(0, number), to: store)
        }
        return (disk, store)
    }

    private func sequences(_ store: ResultStore) async throws -> [Int] {
        let query = ResultQuery(by: .seq, isDescending: false)
        let page = try await store.page(of: query, limit: ResultStore.pageLimit)
        #expect(page.damage.isEmpty)
        return page.lines.map(\.sequence)
    }

    @Test func aRecordThatIsErasedWhileItsSegmentIsRewrittenLeavesTheDiskNextTime() async throws {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        let (disk, store) = try await fill(folder, ledger, 6)
        let entries = ledger.current.acknowledged
        try await store.journal.erase(.record(entries[1].id))
        let hasErased = Mutex(false)
        let late = [entries[0].id, entries[3].id]
        disk.watch { kind, path in
            guard kind == .append, path.hasSuffix(".unfinished"),
                !hasErased.withLock({ hasErased in
                    defer { hasErased = true }
                    return hasErased
                })
            else { return }
            let isDone = DispatchSemaphore(value: 0)
            Task {
                for id in late { try? await store.journal.erase(.record(id)) }
                try? await store.index.catchUp()
                isDone.signal()
            }
            isDone.wait()
        }
        #expect(try await store.keeper.work().removedLines == 1)
        disk.watch(nil)
        #expect(hasErased.withLock { $0 })
        #expect(try await sequences(store) == [3, 5, 6])
        #expect(try await store.keeper.work().removedLines == 2)
        #expect(try await sequences(store) == [3, 5, 6])
        for entry in [entries[0], entries[1], entries[3]] {
            for (name, bytes) in disk.files {
                #expect(Data(bytes).range(of: Data(entry.word.utf8)) == nil, "\(name)")
            }
        }
        await store.close()
        let verified = try StoreVerification.run(
            folder: folder.path, on: disk, catalog: Ledger.catalog)
        #expect(verified.findings.isEmpty)
    }

    @Test func whatIsAppendedAfterASegmentWasEndedIsInAnother() async throws {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        let (_, store) = try await fill(folder, ledger, 2)
        // Of a day that is over: an erasure goes on with that day.
        try await store.index.catchUp()
        let open = try #require(store.journal.endSegment(before: "2020-01-01"))
        #expect(try store.index.segments().map { open.contains($0.name) } == [false])
        let ended = try #require(store.journal.endSegment(before: "2026-01-01"))
        try await store.journal.erase(.record(ledger.current.acknowledged[0].id))
        try await store.index.catchUp()
        #expect(try store.index.segments().map { ended.contains($0.name) } == [true, false])
        await store.close()
    }

    @Test func afterAFailedSyncNoSegmentIsEnded() async throws {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        let (disk, store) = try await fill(folder, ledger, 2)
        disk.arm(.init(number: 2, fault: .fails))
        await ledger.append(3, at: FaultScenario.day(0), to: store)
        #expect(ledger.current.failures.count == 1)
        #expect(store.journal.endSegment(before: nil) == nil)
        await store.close()
    }

    @Test func anIndexOlderThanARewritingIsMadeAnewThoughTheSegmentHasGrownAgain() async throws {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        var (disk, store) = try await fill(folder, ledger, 5)
        // The last line is an erasure, behind a record that is erased and still on the disk.
        try await store.journal.erase(.record(ledger.current.acknowledged[4].id))
        await store.close()
        let older = try TemporaryFolder()
        FaultTrial.copyIndex(folder, to: older)
        store = try await FaultTrial.open(disk, FaultScenario.append.settings)
        #expect(try await store.keeper.work().removedLines == 1)
        await store.close()
        store = try await FaultTrial.open(disk, FaultScenario.append.settings)
        for number in 11...14 { await ledger.append(number, at: FaultScenario.day(0), to: store) }
        #expect(disk.files.keys.count { $0.hasSuffix(".jsonl") } == 1)
        await store.close()
        FaultTrial.copyIndex(older, to: folder)
        store = try await FaultTrial.open(disk, FaultScenario.append.settings)
        #expect(store.recovery.rebuildReason == "2020-01-01.jsonl has been rewritten")
        #expect(try await sequences(store) == [1, 2, 3, 4, 7, 8, 9, 10])
        _ = try await store.keeper.work()
        #expect(try await sequences(store) == [1, 2, 3, 4, 7, 8, 9, 10])
        await store.close()
    }

    @Test func whatARestartBuildsUponIsDurable() async throws {
        for number in 1...50 {
            let folder = try TemporaryFolder()
            let ledger = Ledger()
            let (disk, store) = try await fill(folder, ledger, 3)
            try await store.journal.erase(.record(ledger.current.acknowledged[1].id))
            disk.arm(.init(number: number, fault: .powerIsCut))
            _ = try? await store.keeper.work()
            await store.close()
            // The process is killed: the new file has its name, which may not be durable.
            let killed = try TemporaryFolder()
            let left = disk.afterPowerCut(.everything, root: killed.path)
            let again = try await FaultTrial.open(left, FaultScenario.append.settings)
            await ledger.append(11, at: FaultScenario.day(0), to: again)
            await again.close()
            let cut = try TemporaryFolder()
            let last = try await FaultTrial.open(
                left.afterPowerCut(.nothing, root: cut.path), FaultScenario.append.settings)
            #expect(try await sequences(last) == [1, 3, 5], "cut at \(number)")
            await last.close()
            if disk.hit == nil { return }
        }
    }

    @Test func whatAFailedWriteHasLeftDoesNotComeBackBesideItsSuccessor() async throws {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        let (disk, store) = try await fill(folder, ledger, 2)
        disk.arm(.init(number: 1, fault: .failsLate))
        await ledger.append(3, at: FaultScenario.day(0), to: store)
        #expect(ledger.current.failures == [.full])
        // The next record goes elsewhere, with the number that the failed one had.
        await ledger.append(4, at: FaultScenario.day(1), to: store)
        #expect(ledger.current.lastSequence == 3)
        await store.close()
        // Without an index, the older line would be taken for the record of that number.
        let other = try TemporaryFolder()
        let left = disk.afterPowerCut(.init(bytes: .allButLast, names: .all), root: other.path)
        let again = try await FaultTrial.open(left, FaultScenario.append.settings)
        #expect(again.recovery.damage.isEmpty)
        let line = try #require(await again.page(of: ResultQuery(by: .seq), limit: 1).lines.first)
        #expect(line.stored == ledger.current.acknowledged.last?.line)
        #expect(try await sequences(again) == [1, 2, 3])
        await again.close()
    }

    @Test func aCopiedLineDoesNotKeepAStoreFromOpening() async throws {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        let (disk, store) = try await fill(folder, ledger, 3)
        await store.close()
        disk.append(
            ledger.current.acknowledged[1].line + [UInt8(ascii: "\n")],
            to: "results/2020-01-01.jsonl")
        let again = try await FaultTrial.open(disk, FaultScenario.append.settings)
        #expect(try await sequences(again) == [1, 2, 3])
        await again.close()
    }

    @Test(arguments: ["an id of another time", "a time before 1970", "a line end"])
    func whatCouldNotBeReadBackIsNotAccepted(kind: String) async throws {
        let folder = try TemporaryFolder()
        let ledger = Ledger()
        let (_, store) = try await fill(folder, ledger, 1)
        var record = NewRecord(
            receivedAt: FaultScenario.day(0), inbox: "default", vendor: "raw", contract: nil,
            outcome: nil, verdict: "decoded", request: Array("{}".utf8), result: nil,
            diagnostics: Array("[]".utf8))
        switch kind {
        case "an id of another time": record.id = ledger.current.acknowledged[0].id
        case "a time before 1970": record.receivedAt = Timestamp(unixMilliseconds: -1)
        default: record.request = try #require(RecordRequest(json: Array("{\n}".utf8)))
        }
        await #expect(throws: StoreError.unreadable) { _ = try await store.append(record) }
        await store.close()
    }
}
