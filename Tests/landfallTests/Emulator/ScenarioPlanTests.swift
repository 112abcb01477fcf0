// Plans of emulators: bodies that are too long, and changes of several clients at once.

import Emulator
import Foundation
import HTTP1
import Testing
import Vendors

@testable import Problems
@testable import Server

@Suite struct ScenarioPlanTests {
    @Test func ofManyThatRequireTheSameStateOneSetsThePlan() async {
        let plans = ScenarioPlans()
        let changes = await withTaskGroup(of: Bool.self) { group in
            for seed in 1...16 {
                group.addTask {
                    let plan = ScenarioPlan(scenarios: [], seed: UInt64(seed))
                    let changed: Void? = try? plans.set(plan, of: .dimmy) {
                        former throws(Problem) in
                        guard former.seed == nil else {
                            throw Problem(status: .conflict, kind: "test", detail: "")
                        }
                        // Meanwhile the others check their condition, if they can.
                        Thread.sleep(forTimeInterval: 0.02)
                    }
                    return changed != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(changes == 1)
    }

    @Test func aSequenceThatIsTooLongIsRefusedBeforeItsScenariosAreRead() {
        let texts = Array(repeating: "\"nothing\"", count: ScenarioPlan.most + 1)
        let error = #expect(throws: Problem.self) {
            try ScenarioPlan(
                Array("{\"scenarios\":[\(texts.joined(separator: ","))]}".utf8), of: .welltory)
        }
        #expect(error?.findings.map(\.detail) == ["Expected at most \(ScenarioPlan.most)."])
    }
}
