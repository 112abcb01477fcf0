// Every operation of every scenario fails once; the store keeps its promises each time.

import Foundation
import Testing

@testable import ResultStore

@Suite struct FaultTests {
    /// No scenario has more operations.
    private static let mostOperations = 300

    @Test(arguments: FaultScenario.allCases, [SimulatedDisk.Fault.fails, .isShortened])
    func afterAnyOperationThatFailsNothingAcknowledgedIsLost(
        scenario: FaultScenario, fault: SimulatedDisk.Fault
    ) async throws {
        try await tryAll(scenario, fault, [.everything, .nothing])
    }

    @Test(arguments: FaultScenario.allCases)
    func afterAPowerCutAtAnyOperationNothingAcknowledgedIsLost(
        scenario: FaultScenario
    ) async throws {
        try await tryAll(
            scenario, .powerIsCut,
            [
                .nothing, .everything, .init(bytes: .half, names: .all),
                .init(bytes: .all, names: .none), .init(bytes: .all, names: .removals),
            ])
    }

    /// Reading is tried where files are rewritten, and where an end is cut off.
    @Test(arguments: [FaultScenario.compact, .merge, .tornEnd])
    func afterAnyReadThatFailsNothingAcknowledgedIsLost(scenario: FaultScenario) async throws {
        let prepared = try await PreparedStore(scenario)
        for number in 1...Self.mostOperations {
            let trial = FaultTrial(prepared: prepared, label: "\(scenario) read \(number)")
            let plan = SimulatedDisk.Plan(number: number, fault: .fails, countsReads: true)
            guard let outcome = try await trial.run(plan) else { return }
            guard outcome.hit == .read, Self.isThorough || number % 5 == 0 else { continue }
            try await trial.examine(outcome, .everything, IndexVariant.allCases[number / 5 % 3])
        }
        Issue.record("\(scenario) reads more often than \(Self.mostOperations) times")
    }

    @Test(arguments: [FaultScenario.compress, .compact, .merge])
    func afterAnotherPowerCutWhileOpeningNothingAcknowledgedIsLost(
        scenario: FaultScenario
    ) async throws {
        let prepared = try await PreparedStore(scenario)
        var number = prepared.openingOperations
        while true {
            number += Self.isThorough ? 1 : 4
            let first = FaultTrial(prepared: prepared, label: "")
            guard let outcome = try await first.run(.init(number: number, fault: .powerIsCut))
            else { return }
            let folder = try TemporaryFolder()
            FaultTrial.copyIndex(outcome.folder, to: folder)
            let disk = outcome.disk.afterPowerCut(
                .init(bytes: .half, names: .all), root: folder.path)
            let second = number % prepared.openingOperations + 1
            disk.arm(.init(number: second, fault: .powerIsCut))
            let store = try? await FaultTrial.open(disk, scenario.laterSettings)
            await store?.close()
            let trial = FaultTrial(prepared: prepared, label: "\(scenario) \(number) \(second)")
            let again = FaultTrial.Outcome(
                disk: disk, folder: folder, ledger: outcome.ledger, hit: outcome.hit)
            try await trial.examine(
                again, number % 8 < 4 ? .nothing : .everything, IndexVariant.allCases[number % 3])
        }
    }

    /// The store's threads that there are now.
    private static func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { thread in
            let name = try? String(
                contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            return ["index\n", "feed\n", "journal\n", "keeper\n"].contains(name)
        }
    }

    @Test func anOpeningThatFailsLeavesNoThread() async throws {
        let prepared = try await PreparedStore(.append)
        let before = try Self.threads()
        for number in 1...prepared.openingOperations {
            let disk = prepared.disk.afterPowerCut(.everything, root: prepared.folder.path)
            disk.arm(.init(number: number, fault: .fails))
            await #expect(throws: StoreError.self) {
                try await FaultTrial.open(disk, prepared.scenario.settings)
            }
        }
        // Threads end a moment after they were told to.
        for _ in 0..<6000 where try Self.threads() > before {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try Self.threads() <= before)
    }

    private func tryAll(
        _ scenario: FaultScenario, _ fault: SimulatedDisk.Fault,
        _ remains: [SimulatedDisk.Remains]
    ) async throws {
        let prepared = try await PreparedStore(scenario)
        let cases = remains.flatMap { remains in IndexVariant.allCases.map { (remains, $0) } }
        // Opening is the same for all, but for an end that is torn.
        let opensLikeOthers = ![.first, .append, .tornEnd].contains(scenario)
        let first = opensLikeOthers && !Self.isThorough ? prepared.openingOperations + 1 : 1
        for number in first...Self.mostOperations {
            let trial = FaultTrial(prepared: prepared, label: "\(scenario) \(fault) \(number)")
            guard let outcome = try await trial.run(.init(number: number, fault: fault)) else {
                #expect(number > first + 2)
                return
            }
            // Steps without a common factor with the number of cases meet all of them in turn.
            let turns = fault == .powerIsCut ? [number * 4, number * 8 + 7] : [number * 5]
            for (turn, (remains, variant)) in cases.enumerated()
            where Self.isThorough || turns.contains(where: { $0 % cases.count == turn }) {
                try await trial.examine(outcome, remains, variant)
            }
        }
        Issue.record("\(scenario) has more operations than \(Self.mostOperations)")
    }

    /// Whether each fault meets each case, which takes minutes, instead of taking turns.
    private static let isThorough =
        ProcessInfo.processInfo.environment["LANDFALL_ALL_FAULTS"] != nil
}
