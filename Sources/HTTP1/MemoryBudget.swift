// Bytes that requests and responses in flight may hold together. Who holds many takes them here
// first, so that many peers can't take all of the machine's memory.
//
// Invariant: never more than the budget is given out, but for a single holder that wants more than
// all of it, which gets it alone. Those that wait get theirs in the order in which they came. Left
// out: what is small and doesn't wait for its peer; it is never counted.

import Synchronization

/// Bytes of memory that are shared by all connections of a process.
package final class MemoryBudget: Sendable {
    private struct Waiter {
        let id: Int
        let bytes: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var used = 0
        var nextID = 0
        /// The first is the next.
        var waiters: [Waiter] = []
    }

    /// The most bytes that are given out.
    private let bytes: Int

    private let state = Mutex(State())

    /// Whether little is left: more than three quarters of it.
    private let short = Atomic<Bool>(false)

    package init(bytes: Int) {
        self.bytes = bytes
    }

    /// Whether more than three quarters are taken: those that make others wait get less patience.
    var isShort: Bool { short.load(ordering: .relaxed) }

    /// Bytes that are taken.
    package var used: Int { state.withLock { $0.used } }

    /// How many wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Takes bytes where they are left and nobody waits; whether it did.
    func take(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.waiters.isEmpty, fits(count, state) else { return false }
            add(count, &state)
            return true
        }
    }

    /// Takes bytes, and waits for them.
    ///
    /// - Parameter milliseconds: for how long.
    /// - Returns: whether it did; false when the time is over or the task is cancelled.
    func take(_ count: Int, within milliseconds: UInt64) async -> Bool {
        if take(count) { return true }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let alarm = Task {
            try? await Task.sleep(for: .milliseconds(milliseconds))
            self.dismiss(id)
        }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTaken: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    guard state.waiters.isEmpty, fits(count, state) else {
                        state.waiters.append(
                            Waiter(id: id, bytes: count, continuation: continuation))
                        return nil
                    }
                    add(count, &state)
                    return true
                }
                if let isTaken { continuation.resume(returning: isTaken) }
            }
        } onCancel: {
            dismiss(id)
        }
    }

    /// Takes bytes until the permit ends, and waits for them; nil when they didn't come in time.
    package func permit(
        for count: Int, within milliseconds: UInt64 = Limits.memoryMilliseconds
    ) async -> MemoryPermit? {
        await take(count, within: milliseconds) ? MemoryPermit(count, of: self) : nil
    }

    /// Gives bytes back that were taken.
    func give(_ count: Int) {
        let served = state.withLock { state in
            add(-count, &state)
            return admitNext(&state)
        }
        for waiter in served { waiter.continuation.resume(returning: true) }
    }

    private func fits(_ count: Int, _ state: borrowing State) -> Bool {
        state.used == 0 || count <= bytes - state.used
    }

    private func add(_ count: Int, _ state: inout State) {
        state.used += count
        short.store(state.used > bytes / 4 * 3, ordering: .relaxed)
    }

    private func admitNext(_ state: inout State) -> [Waiter] {
        var served: [Waiter] = []
        while let next = state.waiters.first, fits(next.bytes, state) {
            add(next.bytes, &state)
            served.append(next)
            state.waiters.removeFirst()
        }
        return served
    }

    /// Ends the waiting of one, and lets those behind it go on.
    private func dismiss(_ id: Int) {
        let (dismissed, served): (Waiter?, [Waiter]) = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                return (nil, [])
            }
            return (state.waiters.remove(at: index), admitNext(&state))
        }
        dismissed?.continuation.resume(returning: false)
        for waiter in served { waiter.continuation.resume(returning: true) }
    }
}

/// Bytes of a budget that are held until the last reference goes.
package final class MemoryPermit: Sendable {
    private let held: Atomic<Int>
    private let budget: MemoryBudget

    fileprivate init(_ bytes: Int, of budget: MemoryBudget) {
        held = Atomic(bytes)
        self.budget = budget
    }

    deinit {
        shrink(to: 0)
    }

    /// Gives all but `bytes` back; nothing when it holds less.
    package func shrink(to bytes: Int) {
        let before = held.load(ordering: .relaxed)
        guard bytes < before else { return }
        held.store(bytes, ordering: .relaxed)
        budget.give(before - bytes)
    }
}

/// What one connection holds of a budget; given back when the value ends.
struct MemoryShare: ~Copyable {
    private let budget: MemoryBudget

    /// Bytes that are held.
    private(set) var bytes = 0

    init(of budget: MemoryBudget) {
        self.budget = budget
    }

    deinit {
        if bytes > 0 { budget.give(bytes) }
    }

    /// Takes more where `total` is more than is held; whether that much is held now.
    mutating func grow(to total: Int) -> Bool {
        guard total > bytes else { return true }
        guard budget.take(total - bytes) else { return false }
        bytes = total
        return true
    }

    /// Takes more, and waits for it; see `grow(to:)`.
    mutating func grow(to total: Int, within milliseconds: UInt64) async -> Bool {
        guard total > bytes else { return true }
        guard await budget.take(total - bytes, within: milliseconds) else { return false }
        bytes = total
        return true
    }

    /// Gives all but `total` back.
    mutating func shrink(to total: Int = 0) {
        guard bytes > total else { return }
        budget.give(bytes - total)
        bytes = total
    }
}
