// Tells those who wait of records as soon as they are durable, on a thread of its own, so that many
// who wait cost neither the writer nor the index anything.
//
// Invariant: a subscription hears of every record that follows the number it began at, in order and
// once; of those up to that number the index knows.

import Synchronization

/// Where records are waited for.
actor Feed {
    private struct State {
        var subscriptions: [ObjectIdentifier: Subscription] = [:]
        var waiting: [(records: [FeedRecord], erasures: [Erasure])] = []
        var isScheduled = false
        var isClosed = false
        var lastSequence: Int
    }

    private let thread = SerialThread(name: "feed")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // SAFETY: the actor owns the thread, so the reference lives as long as the actor.
        unsafe thread.asUnownedSerialExecutor()
    }

    private let state: Mutex<State>
    private let catalog: FieldCatalog

    init(catalog: FieldCatalog, lastSequence: Int) {
        self.catalog = catalog
        state = Mutex(State(lastSequence: lastSequence))
    }

    /// Hears of a durable batch; returns at once, and at no cost while nobody waits.
    nonisolated func submit(_ batch: CommittedBatch) {
        guard let last = batch.changes.last else { return }
        let hasListeners = state.withLock { state in
            state.lastSequence = last.sequence
            return !state.subscriptions.isEmpty
        }
        guard hasListeners else { return }
        var records: [FeedRecord] = []
        var erasures: [Erasure] = []
        for change in batch.changes {
            switch change {
            case .record(let entry):
                let line = StoredLine(batch.line(of: entry), entry.facts.sequence)
                records.append(FeedRecord(facts: entry.facts, line: line))
            case .erasure(let erasure, _, _): erasures.append(erasure)
            }
        }
        let mustSchedule = state.withLock { state in
            state.waiting.append((records, erasures))
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { Task { await drain() } }
    }

    /// Begins to collect records that match, behind the last one that is durable now.
    nonisolated func subscribe(
        to condition: Condition, _ purpose: Subscription.Purpose
    ) -> Subscription {
        let subscription = Subscription(Matcher(condition, catalog: catalog), purpose)
        let isClosed = state.withLock { state in
            subscription.begin(after: state.lastSequence)
            state.subscriptions[ObjectIdentifier(subscription)] = subscription
            return state.isClosed
        }
        if isClosed { subscription.end() }
        return subscription
    }

    /// Forgets a subscription.
    nonisolated func cancel(_ subscription: Subscription) {
        state.withLock { $0.subscriptions[ObjectIdentifier(subscription)] = nil }
        subscription.end()
    }

    /// The number of the last line that is durable.
    nonisolated var lastSequence: Int { state.withLock { $0.lastSequence } }

    /// Ends all subscriptions, also those that are still to be made.
    nonisolated func endAll() {
        let subscriptions = state.withLock { state in
            state.isClosed = true
            defer { state.subscriptions = [:] }
            return state.subscriptions
        }
        for subscription in subscriptions.values { subscription.end() }
    }

    /// Ends all subscriptions and the thread.
    nonisolated func close() {
        endAll()
        thread.stop()
    }

    private func drain() {
        while true {
            let (batches, subscriptions) = state.withLock { state in
                let batches = state.waiting
                state.waiting = []
                if batches.isEmpty { state.isScheduled = false }
                return (batches, state.subscriptions)
            }
            if batches.isEmpty { return }
            for (records, erasures) in batches {
                for subscription in subscriptions.values {
                    subscription.take(records, erasures)
                }
            }
        }
    }
}
