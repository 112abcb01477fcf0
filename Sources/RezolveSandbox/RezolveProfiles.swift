// The profiles of the sandbox's customers, in memory: the entries of their building blocks.
//
// Invariant: bounded. A customer has the starter entries until the first change; the customers whose
// first change is oldest are dropped first. An id is given once. Nothing survives a restart, like
// the sandbox's orders.

import Synchronization

/// The profiles of the sandbox's customers.
package final class RezolveProfiles: Sendable {
    /// A partner's customer.
    package struct Owner: Sendable, Hashable {
        let partner: String
        let entity: String
    }

    /// An address, a phone and so on.
    package struct Entry: Sendable {
        let id: String
        let members: [Member]
    }

    package typealias Member = (name: String, value: String)

    /// The id of each starter entry.
    static let starterID = "1"

    private struct State {
        var customers: [Owner: [ProfileBlock: [Entry]]] = [:]
        /// In the order of their first change.
        var order: [Owner] = []
        var lastNumber = 1
    }

    private let state = Mutex(State())

    package func entries(of block: ProfileBlock, for owner: Owner) -> [Entry] {
        state.withLock { $0.customers[owner]?[block] } ?? Self.starters(of: block)
    }

    /// Adds an entry, or replaces the entry of a single block; nil if the block is full.
    func add(
        _ members: [Member], to block: ProfileBlock, for owner: Owner
    ) -> Entry? {
        change(block, for: owner) { entries, id in
            if block.shape.isSingle { entries = [] }
            guard entries.count < RezolveSandbox.Limits.entries else { return nil }
            let entry = Entry(id: id, members: members)
            entries.append(entry)
            return entry
        }
    }

    /// Replaces the members of an entry; nil if the id is unknown.
    func replace(
        _ id: String, by members: [Member], in block: ProfileBlock, for owner: Owner
    ) -> Entry? {
        change(block, for: owner) { entries, _ in
            guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
            entries[index] = Entry(id: id, members: members)
            return entries[index]
        }
    }

    /// Removes an entry, and returns it; nil if the id is unknown.
    package func remove(_ id: String, from block: ProfileBlock, for owner: Owner) -> Entry? {
        change(block, for: owner) { entries, _ in
            entries.firstIndex { $0.id == id }.map { entries.remove(at: $0) }
        }
    }

    /// Changes the entries of a block; a change that returns nil is not kept.
    private func change(
        _ block: ProfileBlock, for owner: Owner,
        _ change: (inout [Entry], _ newID: String) -> Entry?
    ) -> Entry? {
        state.withLock { state in
            var entries = state.customers[owner]?[block] ?? Self.starters(of: block)
            guard let entry = change(&entries, String(state.lastNumber + 1)) else { return nil }
            state.lastNumber += 1
            if state.customers[owner] == nil {
                state.order.append(owner)
                if state.order.count > RezolveSandbox.Limits.customers {
                    state.customers.removeValue(forKey: state.order.removeFirst())
                }
            }
            state.customers[owner, default: [:]][block] = entries
            return entry
        }
    }

    private static func starters(of block: ProfileBlock) -> [Entry] {
        [Entry(id: starterID, members: block.shape.starter.map { ($0.key, $0.value) })]
    }
}
