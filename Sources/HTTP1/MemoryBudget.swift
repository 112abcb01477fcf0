// Limits the memory that requests and responses in flight hold together. A connection that needs
// much memory takes it from here first, so that many peers can't use up the machine's memory.
//
// Invariant: the budget is never exceeded, except by a single holder that wants more than all of it
// and gets it alone. Waiters are served in order of arrival. Content that is finished and waits for
// its peer has a budget of its own while that has room: peers that read slowly then don't take the
// memory that others need to work. Left out: small requests and responses that don't wait for their
// peer; they are never counted.

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

    /// The budget of finished content; nil if it counts here.
    fileprivate let finished: MemoryBudget?

    private let state = Mutex(State())

    /// Whether more than three quarters are taken.
    private let short = Atomic<Bool>(false)

    /// - Parameter finishedBytes: size of the budget of finished content; nil counts it here.
    package init(bytes: Int, finishedBytes: Int? = nil) {
        self.bytes = bytes
        finished = finishedBytes.map { MemoryBudget(bytes: $0) }
    }

    /// Whether more than three quarters are taken, of this budget or of that of finished content:
    /// slow peers then get less time.
    var isShort: Bool { short.load(ordering: .relaxed) || finished?.isShort == true }

    /// Bytes taken.
    package var used: Int { state.withLock { $0.used } }

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
    private let budget: MemoryBudget

    /// Bytes held of the budget.
    private let working: Atomic<Int>

    /// Bytes held of the budget of finished content.
    private let finished = Atomic<Int>(0)

    fileprivate init(_ bytes: Int, of budget: MemoryBudget) {
        working = Atomic(bytes)
        self.budget = budget
    }

    deinit {
        release()
    }

    /// Gives back all bytes.
    package func release() {
        keep(0, in: working, of: budget)
        if let finishedContent = budget.finished { keep(0, in: finished, of: finishedContent) }
    }

    /// Ends the work: from now on it holds content of `bytes` bytes, which waits for the peer.
    ///
    /// Holds them of the budget of finished content if that has room, otherwise of the other one.
    /// Does nothing if the work had ended before.
    package func finish(holding bytes: Int) {
        guard working.load(ordering: .relaxed) > 0, finished.load(ordering: .relaxed) == 0 else {
            return
        }
        if let finishedContent = budget.finished, finishedContent.take(bytes) {
            finished.store(bytes, ordering: .relaxed)
            keep(0, in: working, of: budget)
        } else {
            keep(bytes, in: working, of: budget)
        }
    }

    /// Gives back all but `bytes`; does nothing if fewer are held.
    private func keep(_ bytes: Int, in held: borrowing Atomic<Int>, of budget: MemoryBudget) {
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
