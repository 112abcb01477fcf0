// The keeper's turns and tasks: a failed sync ends them, waiting for one costs nothing, and what
// has ended is forgotten.

import Dispatch
import Foundation
import Testing

@testable import ResultStore

@Suite struct KeeperTests {
    @Test func afterAFailedSyncNothingIsRewrittenAnyMore() async throws {
        var failures = 0
        for number in 1...60 {
            let folder = try TemporaryFolder()
            let disk = SimulatedDisk(root: folder.path)
            let store = try await FaultTrial.open(disk, FaultScenario.append.settings)
            let ledger = Ledger()
            for record in 1...3 {
                await ledger.append(record, at: FaultScenario.day(0, record), to: store)
            }
            try await store.journal.erase(.record(ledger.current.acknowledged[1].id))
            disk.arm(.init(number: number, fault: .fails))
            let first = await Self.work(store)
            let hit = disk.hit
            disk.arm(nil)
            if hit == .sync {
                failures += 1
                // It is reported as itself, not as one segment's failure.
                guard case .syncFailed = first else {
                    Issue.record("operation \(number): \(String(describing: first))")
                    continue
                }
                let files = disk.files
                #expect(await Self.work(store) == first)
                #expect(disk.files == files)
            }
            await store.close()
            if hit == nil { break }
        }
        #expect(failures >= 2)
    }

    private static func work(_ store: ResultStore) async -> StoreError? {
        do throws(StoreError) {
            _ = try await store.keeper.work()
            return nil
        } catch {
            return error
        }
    }

    @Test func theCurrentSegmentGoesOnWhileNoFileCanBeMade() async throws {
        let folder = try TemporaryFolder()
        let lacksInodes = Flag()
        let disk = HookedDisk(onWrite: { path throws(StoreError) in
            if lacksInodes.isSet, !FileManager.default.fileExists(atPath: path) { throw .full }
        })
        let store = try ResultStore(
            folder: StoreFolder(folder.path, on: disk), catalog: sampleCatalog,
            settings: StoreSettings())
        let id = try await store.append(sampleRecord(1, at: .now)).id
        _ = try await store.append(sampleRecord(2, at: .now))
        #expect(try await store.erase(id))
        lacksInodes.set()
        #expect(try await store.compact().failures == [.full])
        _ = try await store.append(sampleRecord(3, at: .now))
        #expect(try await store.numbers() == [3, 2])
        await store.close()
    }

    @Test func aCancelledCallerWaitsForItsTurnWithoutSpinning() async throws {
        let before = Self.keepers()
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        // A thread gets its name when it runs.
        try await Task.sleep(for: .milliseconds(100))
        let threads = Self.keepers().subtracting(before)
        #expect(!threads.isEmpty)
        // While its writer is held up, the index doesn't catch up, and a round that has begun waits.
        let isHeld = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let index = store.index
        Thread.detachNewThread {
            try? index.write { _, _ in
                isHeld.signal()
                mayGoOn.wait()
            }
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                isHeld.wait()
                continuation.resume()
            }
        }
        _ = try await store.append(sampleRecord(1))
        let round = Task { _ = try? await store.compact() }
        try await Task.sleep(for: .milliseconds(100))
        let waiting = Task { _ = try? await store.compact() }
        waiting.cancel()
        let ticks = Self.ticks(of: threads)
        try await Task.sleep(for: .milliseconds(1000))
        // A hundred of them are a second.
        #expect(Self.ticks(of: threads) - ticks < 20)
        mayGoOn.signal()
        await round.value
        await waiting.value
        await store.close()
    }

    @Test func ofTwoRoundsThatMeetEachGetsItsTurn() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        let end = Flag()
        // A third round would give a turn on that was lost, so both end before the next begins.
        Task {
            for number in 1...50 {
                _ = try? await store.append(sampleRecord(number))
                let other = Task { _ = try? await store.compact() }
                _ = try? await store.compact()
                await other.value
            }
            end.set()
        }
        for _ in 1...6000 where !end.isSet { try await Task.sleep(for: .milliseconds(10)) }
        try #require(end.isSet)
        await store.close()
    }

    @Test func backgroundTasksThatHaveEndedAreForgotten() async throws {
        let folder = try TemporaryFolder()
        let store = try ResultStore(folder)
        _ = try await store.append(sampleRecord(1))
        for _ in 1...3 {
            store.keeper.checkForLostSegments()
            store.keeper.repairIndex()
            for task in store.keeper.runningTasks { await task.value }
            #expect(store.keeper.runningTasks.isEmpty)
        }
        await store.close()
    }

    /// The threads of keepers.
    private static func keepers() -> Set<String> {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return Set(
            tasks.filter { task in
                let name = try? String(
                    contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                return name == "keeper\n"
            })
    }

    /// Hundredths of a second that threads have computed.
    private static func ticks(of threads: Set<String>) -> Int {
        threads.reduce(0) { sum, thread in
            let path = "/proc/self/task/\(thread)/stat"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            // Those after the name, which ends with a parenthesis, are the third and following.
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12 else { return sum }
            return sum + (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
        }
    }
}
