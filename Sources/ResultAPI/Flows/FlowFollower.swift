// Keeps the open flows of one server complete: restores them once the store can be read, and adds
// what other servers on the same database store: launches, and callbacks that end a flow. What
// others erase is taken back.
//
// Invariant: when `catchUp` returns, the flows know everything that was acknowledged before it was
// called, if the store can be read. Callers that come while a read is going on share the next one.

import Clocks
import Logging
import ResultStore
import Synchronization

/// Keeps the open flows of a server up to date with the store.
package final class FlowFollower: Sendable {
    /// How long news are sure to be complete, in milliseconds; half of the hour for which a database
    /// keeps erasures for other servers.
    static let newsMilliseconds: UInt64 = 1_800_000

    private struct State {
        /// The number up to which the flows know everything; nil until they have been restored.
        var through: Int?
        /// `FlowNews.retreats` when they were restored.
        var retreats = 0
        var isReading = false
        /// When the flows were last read, or restored.
        var readAt = Clock.bootMilliseconds
        /// Callers that need a read which begins after now.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let flows: OpenFlows
    private let store: ResultStore
    private let isShared: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isShared: whether other servers store in the store.
    ///   - sequence: the number up to which `flows` know everything; nil if they were not restored.
    fileprivate init(
        _ flows: OpenFlows, of store: ResultStore, isShared: Bool, from sequence: Int?
    ) {
        self.flows = flows
        self.store = store
        self.isShared = isShared
        state = Mutex(State(through: sequence))
    }

    /// Reads new records; returns at once if the flows are restored and no other server uses the
    /// store.
    ///
    /// If the store can't be read, the flows stay as they are.
    package func catchUp() async { await catchUp(at: Clock.bootMilliseconds) }

    /// The same at a time of `Clock.bootMilliseconds`.
    func catchUp(at now: UInt64) async {
        if !isShared, state.withLock({ $0.through != nil }) { return }
        await withCheckedContinuation { continuation in
            let mustRead = state.withLock { state in
                state.waiting.append(continuation)
                defer { state.isReading = true }
                return !state.isReading
            }
            if mustRead { Task { await read(at: now) } }
        }
    }

    private func read(at now: UInt64) async {
        while true {
            let (callers, through, retreats, readAt) = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isReading = false }
                return (state.waiting, state.through, state.retreats, state.readAt)
            }
            if callers.isEmpty { return }
            let isLate = now > readAt + Self.newsMilliseconds
            if let last = try? await readAll(after: through, retreats, isLate: isLate) {
                state.withLock { state in
                    state.through = last.through
                    state.retreats = last.retreats
                    state.readAt = now
                }
            }
            for caller in callers { caller.resume() }
        }
    }

    private func readAll(
        after sequence: Int?, _ retreats: Int, isLate: Bool
    ) async throws(StoreError) -> (through: Int, retreats: Int) {
        guard var through = sequence else { return (try await restore(), retreats) }
        // The store may have forgotten some of the news, if there were any.
        if isLate, try await store.newestSequence() != through {
            return (try await restore(replacing: true), retreats)
        }
        while let news = try await store.flowNews(after: through) {
            // A standby has taken over that lacks the last records, and gives their numbers again.
            if news.through < through || news.retreats != retreats {
                return (try await restore(replacing: true), news.retreats)
            }
            for name in news.erasedInboxes { flows.forget(inbox: name) }
            for line in news.lines { flows.note(line, in: store) }
            for flow in flows.flows(of: news.erasedRecords) {
                try await flows.readAgain(flow, from: store)
            }
            through = news.through
            if news.isWhole { break }
        }
        return (through, retreats)
    }

    /// Reads everything; returns the number up to which the flows know it.
    ///
    /// - Parameter replacing: whether launches that the store lacks are dropped.
    private func restore(replacing: Bool = false) async throws(StoreError) -> Int {
        let newest = try await store.newestSequence()
        try await flows.restore(from: store, replacing: replacing)
        return newest
    }
}

extension OpenFlows {
    /// Restores the open flows from a store; returns what keeps them up to date, nil if nothing has
    /// to.
    ///
    /// If the store can't be read, the follower restores them later; logs the reason unless the
    /// index is being rebuilt.
    ///
    /// - Parameter isShared: whether other servers store in the store.
    package func restore(
        from store: ResultStore, isShared: Bool, _ log: Logger
    ) async -> FlowFollower? {
        do throws(StoreError) {
            let known = try await store.newestSequence()
            try await restore(from: store)
            return isShared ? FlowFollower(self, of: store, isShared: true, from: known) : nil
        } catch {
            if case .rebuilding = error {} else { logFailure(error, log) }
            return FlowFollower(self, of: store, isShared: isShared, from: nil)
        }
    }
}
