// Limits the memory that requests and responses in flight hold together. A connection that needs
// much memory takes it from here first, so that many peers can't use up the machine's memory.
//
// Invariant: the budget is never exceeded, except by a single holder that wants more than all of it
// and gets it alone. Waiters are served in order of arrival. Left out: small requests and responses
// that don't wait for their peer; they are never counted.

import Synchronization

/// Bytes of memory that all connections of a process share.
package final class MemoryBudget: Sendable {
    private struct Waiter {
        let id: Int
        let bytes: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var used = 0
        var nextID = 0
        /// In order of arrival; the first is served next.
        var waiters: [Waiter] = []
    }

    /// Size of the budget.
    private let bytes: Int

    private let state = Mutex(State())

    /// Whether more than three quarters are taken.
    private let short = Atomic<Bool>(false)

    package init(bytes: Int) {
        self.bytes = bytes
    }

    /// Whether more than three quarters are taken: slow peers then get less time.
    var isShort: Bool { short.load(ordering: .relaxed) }

    /// Bytes taken.
    package var used: Int { state.withLock { $0.used } }

    /// Number of waiters.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Takes bytes if they are available and there are no waiters; returns whether it took them.
    func take(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.waiters.isEmpty, fits(count, state) else { return false }
            add(count, &state)
            return true
        }
    }

    /// Takes bytes, waiting for them if necessary.
    ///
    /// - Parameter milliseconds: maximum time to wait.
    /// - Returns: whether it took them; false if the time is over or the task is cancelled.
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

    /// Takes bytes until the permit is released, waiting for them if necessary; nil if the time is
    /// over.
    package func permit(
        for count: Int, within milliseconds: UInt64 = Limits.memoryMilliseconds
    ) async -> MemoryPermit? {
        await take(count, within: milliseconds) ? MemoryPermit(count, of: self) : nil
    }

    /// Gives taken bytes back to the budget.
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

    /// Removes a waiter, and lets the next ones continue.
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

/// Bytes of a budget that are held until the last reference is released.
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

    /// Gives back all but `bytes`; does nothing if it holds less.
    package func shrink(to bytes: Int) {
        let before = held.load(ordering: .relaxed)
        guard bytes < before else { return }
        held.store(bytes, ordering: .relaxed)
        budget.give(before - bytes)
    }
}

/// One connection's share of a budget; given back when the value is destroyed.
struct MemoryShare: ~Copyable {
    private let budget: MemoryBudget

    /// Bytes held.
    private(set) var bytes = 0

    init(of budget: MemoryBudget) {
        self.budget = budget
    }

    deinit {
        if bytes > 0 { budget.give(bytes) }
    }

    /// Takes more if `total` exceeds the share; returns whether it now holds that much.
    mutating func grow(to total: Int) -> Bool {
        guard total > bytes else { return true }
        guard budget.take(total - bytes) else { return false }
        bytes = total
        return true
    }

    /// Takes more, waiting for it if necessary; see `grow(to:)`.
    mutating func grow(to total: Int, within milliseconds: UInt64) async -> Bool {
        guard total > bytes else { return true }
        guard await budget.take(total - bytes, within: milliseconds) else { return false }
        bytes = total
        return true
    }

    /// Gives back all but `total`.
    mutating func shrink(to total: Int = 0) {
        guard bytes > total else { return }
        budget.give(bytes - total)
        bytes = total
    }
}
