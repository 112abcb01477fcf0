// Tells the open flows of one server what other servers on the same database have done: launches, and
// callbacks that ended a flow.
//
// Invariant: when `catchUp` returns, the flows know everything that was acknowledged before it was
// called. Callers that come while a read is going on share the next one.

import Logging
import ResultStore
import Synchronization

/// Keeps the open flows of a server up to date with a shared store.
package final class FlowFollower: Sendable {
    private struct State {
        /// The number up to which the flows know everything.
        var through: Int
        var isReading = false
        /// Callers that need a read which begins after now.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let flows: OpenFlows
    private let store: ResultStore
    private let state: Mutex<State>

    /// - Parameter sequence: the number up to which `flows` know everything.
    fileprivate init(_ flows: OpenFlows, of store: ResultStore, from sequence: Int) {
        self.flows = flows
        self.store = store
        state = Mutex(State(through: sequence))
    }

    /// Reads what is new; returns at once if nobody else stores in the store.
    ///
    /// If the store can't be read, the flows stay as they are.
    package func catchUp() async {
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
            let (callers, through) = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isReading = false }
                return (state.waiting, state.through)
            }
            if callers.isEmpty { return }
            if let last = try? await readAll(after: through) {
                state.withLock { $0.through = last }
            }
            for caller in callers { caller.resume() }
        }
    }

    private func readAll(after sequence: Int) async throws(StoreError) -> Int {
        var through = sequence
        while let news = try await store.flowNews(after: through) {
            for name in news.erasedInboxes { flows.forget(inbox: name) }
            for line in news.lines { flows.note(line, in: store) }
            through = news.through
            if news.isWhole { break }
        }
        return through
    }
}

extension OpenFlows {
    /// Restores the open flows from a store; returns what keeps them up to date, nil if nobody else
    /// stores in it.
    ///
    /// Logs if the store can't be read.
    package func restore(
        from store: ResultStore, isShared: Bool, _ log: Logger
    ) async -> FlowFollower? {
        // A database that is away can be read later: all of its news then.
        let known = isShared ? (try? await store.newestSequence()) ?? 0 : 0
        await restore(from: store, log)
        return isShared ? FlowFollower(self, of: store, from: known) : nil
    }
}
