// The partner's id of each registered person: `partner_entity_id` of the token that registered an
// entity (vendor document 4.1). A login token of the entity must name the same person.
//
// Invariant: bounded; the entities registered first are forgotten first, and a forgotten or never
// registered entity is bound to no person. Nothing survives a restart, like the sandbox's orders.

import Synchronization

/// The persons that entities are bound to, in memory.
package final class RezolvePersons: Sendable {
    private struct Bindings {
        var persons: [String: String] = [:]
        /// Entities in the order of their registration.
        var order: [String] = []
    }

    /// Maximum entities that are remembered.
    package static let limit = 10_000

    private let bindings = Mutex(Bindings())

    package init() {}

    /// Binds an entity to a person; false if it is bound to another one.
    package func bind(_ entity: String, to person: String) -> Bool {
        bindings.withLock { bindings in
            if let bound = bindings.persons[entity] { return bound == person }
            bindings.persons[entity] = person
            bindings.order.append(entity)
            // Drops many at once, because removing from the front costs as much as the array is
            // long.
            guard bindings.order.count > Self.limit else { return true }
            for entity in bindings.order.prefix(Self.limit / 10) {
                bindings.persons.removeValue(forKey: entity)
            }
            bindings.order.removeFirst(Self.limit / 10)
            return true
        }
    }

    /// The person that an entity is bound to; nil for none.
    package func person(of entity: String) -> String? {
        bindings.withLock { $0.persons[entity] }
    }
}
