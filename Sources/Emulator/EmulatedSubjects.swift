// What launches at the emulators began, such as Ailet's visits: a later launch that asks about an
// unknown one fails as in the vendor's app, and one about a known one gets the same values.
//
// Invariant: bounded, the oldest is dropped first; in memory only.

import Synchronization
import Vendors

/// The subjects of all emulated launches.
package final class EmulatedSubjects: Sendable {
    /// What its values follow from.
    package struct Origin: Sendable {
        let seed: UInt64
        /// When it began, in seconds since 1970.
        let time: Int64
    }

    private struct Key: Hashable {
        let contract: Contract
        let id: String
    }

    /// Maximum number of subjects.
    package static let most = 4096

    private let state = Mutex((origins: [Key: Origin](), order: [Key]()))

    package init() {}

    /// What a subject's values follow from; nil if no launch began it.
    package subscript(contract: Contract, id: String) -> Origin? {
        state.withLock { $0.origins[Key(contract: contract, id: id)] }
    }

    /// Remembers what a planned launch begins, unless the app fails.
    package func remember(_ plan: EmulationPlan) {
        guard let app = plan.app, let subject = app.subject, subject.isNew,
            let scenario = plan.opened.scenario, scenario.name != Scenario.error(code: nil).name
        else { return }
        let key = Key(contract: plan.opened.contract, id: subject.id)
        state.withLock { state in
            if state.origins.updateValue(Origin(seed: app.seed, time: app.time), forKey: key) == nil
            {
                state.order.append(key)
            }
            guard state.order.count > Self.most else { return }
            for old in state.order.prefix(Self.most / 4) { state.origins[old] = nil }
            state.order.removeFirst(Self.most / 4)
        }
    }
}
