// Keeps the open flows of one server complete: restores them once the store can be read, and adds
// what other servers on the same database store: launches, and callbacks that end a flow. What
// others erase is taken back.
//
// Invariant: when `catchUp` returns, the flows know everything that was acknowledged before it was
// called, if the store can be read. Callers that come while a read is going on share the next one.

import Logging
import ResultStore
import Synchronization

/// Keeps the open flows of a server up to date with the store.
package final class FlowFollower: Sendable {
    private struct State {
        /// The number up to which the flows know everything; nil until they have been restored.
        var through: Int?
        /// `FlowNews.retreats` when they were restored.
        var retreats = 0
        var isReading = false
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
    package func catchUp() async {
        if !isShared, state.withLock({ $0.through != nil }) { return }
        await withCheckedContinuation { continuation in
            let mustRead = state.withLock { state in
                state.waiting.append(continuation)
                defer { state.isReading = true }
                return !state.isReading
            }
            if mustRead { Task { await read() } }
        }
    }

    private func read() async {
        while true {
            let (callers, through, retreats) = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isReading = false }
                return (state.waiting, state.through, state.retreats)
            }
            if callers.isEmpty { return }
            if let last = try? await readAll(after: through, retreats) {
                state.withLock { state in
                    state.through = last.through
                    state.retreats = last.retreats
                }
            }
            for caller in callers { caller.resume() }
        }
    }

    private func readAll(
        after sequence: Int?, _ retreats: Int
    ) async throws(StoreError) -> (through: Int, retreats: Int) {
        guard var through = sequence else { return (try await restore(), retreats) }
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
