// Planned scenarios for the next launches of a vendor's emulator, one scenario for each launch
// whose link names none.
//
// Invariant: in memory only; a restart removes the plans.

import JSON
import Problems
import Synchronization
import Vendors

/// The planned sequence of one vendor's emulator.
package struct ScenarioPlan: Sendable, Equatable {
    /// The remaining scenarios, next first.
    var scenarios: [Scenario]
    /// Whether a used scenario returns to the end of the sequence.
    var repeats = false
    /// The seed of the next launch; later launches count up.
    ///
    /// Nil picks one at random.
    package var seed: UInt64?

    package init(
        scenarios: [Scenario], repeats: Bool = false, seed: UInt64? = nil
    ) {
        self.scenarios = scenarios
        self.repeats = repeats
        self.seed = seed
    }

    /// Maximum scenarios in a sequence.
    package static let most = 100

    /// Takes the scenario and the seed of the next launch.
    ///
    /// Throws the error of `check`; the scenario then stays for the following launch.
    mutating func next(
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
    ///
    /// - Parameter possible: what can be planned; common scenarios are written first.
    package func write(
        to json: inout JSONWriter, of vendor: Vendor, possible: [ScenarioEntry]
    ) {
        let entries = possible.filter(\.isCommon) + possible.filter { !$0.isCommon }
        json.object { json in
            json.member("vendor", vendor.rawValue)
            json.array("scenarios") { json in
                for scenario in scenarios { json.value(scenario.description) }
            }
            json.member("repeat", repeats)
            json.member("seed", seed.map { "\($0)" })
            json.objects("possible", of: entries) { json, entry in
                json.member("form", entry.form)
                json.member("summary", entry.summary)
                json.member("common", entry.isCommon)
                json.array("choices") { json in
                    for choice in entry.choices { json.value(choice.description) }
                }
            }
        }
    }
}

/// The sequences of all vendors' emulators.
package final class ScenarioPlans: Sendable {
    private let plans = Mutex<[Vendor: ScenarioPlan]>([:])

    package init() {}

    /// The sequence of a vendor.
    package subscript(vendor: Vendor) -> ScenarioPlan {
        plans.withLock { $0[vendor] ?? ScenarioPlan(scenarios: []) }
    }

    /// Sets the sequence of a vendor.
    ///
    /// - Parameter check: gets the present sequence, which stays until the new one is set.
    ///
    /// Throws the error of `check`.
    package func set(
        _ plan: ScenarioPlan, of vendor: Vendor, if check: (ScenarioPlan) throws(Problem) -> Void
    ) throws(Problem) {
        try plans.withLock { plans throws(Problem) in
            try check(plans[vendor] ?? ScenarioPlan(scenarios: []))
            plans[vendor] = plan
        }
    }

    /// Takes the scenario and the seed of the next launch at a vendor's emulator.
    ///
    /// Throws the error of `check`.
    package func next(
        of vendor: Vendor, _ check: (Scenario) throws(Problem) -> Void
    ) throws(Problem) -> (scenario: Scenario?, seed: UInt64?) {
        try plans.withLock { plans throws(Problem) in
            try plans[vendor]?.next(check) ?? (nil, nil)
        }
    }
}
