// What the next launches of a vendor's emulator do, when their links don't say it: a sequence that
// was set beforehand, one scenario a launch.
//
// Invariant: in memory; a server that starts again begins with `completed`.

import JSON
import Problems
import Synchronization
import Vendors

/// The sequence of one vendor's emulator.
package struct ScenarioPlan: Sendable, Equatable {
    /// What is still to come, the next first.
    package var scenarios: [Scenario]
    /// Whether a scenario goes to the end of the sequence when it was used.
    package var repeats = false
    /// The seed of the next launch's values, from which later ones count up; nil takes one at random.
    package var seed: UInt64?

    package init(
        scenarios: [Scenario],
        repeats: Bool = false,
        seed: UInt64? = nil
    ) {
        self.scenarios = scenarios
        self.repeats = repeats
        self.seed = seed
    }

    /// Scenarios of one sequence.
    package static let most = 100

    /// Takes what the next launch does, and its seed.
    ///
    /// Throws what `check` throws for the scenario, which then stays for the launch after this one.
    package mutating func next(
        _ check: (Scenario) throws(Problem) -> Void
    ) throws(Problem) -> (scenario: Scenario?, seed: UInt64?) {
        if let scenario = scenarios.first { try check(scenario) }
        let current = seed
        seed = seed.map { $0 &+ 1 }
        guard !scenarios.isEmpty else { return (nil, current) }
        let scenario = scenarios.removeFirst()
        if repeats { scenarios.append(scenario) }
        return (scenario, current)
    }

    /// Writes the sequence as one object.
    package func write(to json: inout JSONWriter, of vendor: Vendor) {
        json.object { json in
            json.member("vendor", vendor.rawValue)
            json.key("scenarios")
            json.array { json in for scenario in scenarios { json.value(scenario.description) } }
            json.member("repeat", repeats)
            json.member("seed", seed.map { "\($0)" })
        }
    }
}

/// The sequences of all vendors' emulators.
package final class ScenarioPlans: Sendable {
    private let plans = Mutex<[Vendor: ScenarioPlan]>([:])

    package init() {}

    /// The sequence of a vendor.
    package subscript(vendor: Vendor) -> ScenarioPlan {
        get { plans.withLock { $0[vendor] ?? ScenarioPlan(scenarios: []) } }
        set { plans.withLock { $0[vendor] = newValue } }
    }

    /// Takes what the next launch of a vendor's emulator does.
    ///
    /// Throws what `check` throws for the scenario.
    package func next(
        of vendor: Vendor, _ check: (Scenario) throws(Problem) -> Void
    ) throws(Problem) -> (scenario: Scenario?, seed: UInt64?) {
        try plans.withLock { plans throws(Problem) in
            try plans[vendor]?.next(check) ?? (nil, nil)
        }
    }
}
