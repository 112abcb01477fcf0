// Hands records to subscriptions as soon as they are durable. It has its own thread, so that many
// subscriptions don't slow down the writer or the index.
//
// Invariant: a subscription receives every record after its start number, in order and once; the
// index contains the records up to that number.

import Synchronization

/// Delivers new records to subscriptions.
final class Feed: Sendable {
    private struct Mailbox: Sendable {
        var subscriptions: [ObjectIdentifier: Subscription] = [:]
        var waiting: [(records: [FeedRecord], erasures: [Erasure])] = []
        var isClosed = false
        var lastSequence: Int
    }

    private let worker: Worker<Mailbox>
    private let catalog: FieldCatalog

    init(catalog: FieldCatalog, lastSequence: Int) {
        self.catalog = catalog
        worker = Worker(name: "feed", Mailbox(lastSequence: lastSequence))
        worker.start { [weak self] in self?.drain() }
    }

    deinit { worker.abandon() }

    /// Takes a durable batch; returns at once, and costs nothing while there are no subscriptions.
    func submit(_ batch: CommittedBatch) {
        guard let last = batch.changes.last else { return }
        let hasListeners = worker.access { mailbox, _ in
            mailbox.lastSequence = last.sequence
            return !mailbox.subscriptions.isEmpty
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
        worker.access { [records, erasures] mailbox, alarm in
            mailbox.waiting.append((records, erasures))
            alarm.ring()
        }
    }

    /// Starts to collect matching records after the last one that is durable now.
    func subscribe(
        to condition: Condition, _ purpose: Subscription.Purpose
    ) -> Subscription {
        let subscription = Subscription(Matcher(condition, catalog: catalog), purpose)
        let isClosed = worker.access { mailbox, _ in
            subscription.begin(after: mailbox.lastSequence)
            mailbox.subscriptions[ObjectIdentifier(subscription)] = subscription
            return mailbox.isClosed
        }
        if isClosed { subscription.end() }
        return subscription
    }

    /// Removes a subscription.
    func cancel(_ subscription: Subscription) {
        worker.access { mailbox, _ in
            mailbox.subscriptions[ObjectIdentifier(subscription)] = nil
        }
        subscription.end()
    }

    /// The number of the last durable line.
    var lastSequence: Int { worker.access { mailbox, _ in mailbox.lastSequence } }

    /// Number of subscriptions that wait for some records, and of those that follow all.
    var subscriptionCounts: (waiting: Int, following: Int) {
        worker.access { mailbox, _ in
            let waiting = mailbox.subscriptions.values.count { $0.isWaiting }
            return (waiting, mailbox.subscriptions.count - waiting)
        }
    }

    /// Ends all subscriptions, including future ones.
    func endAll() {
        let subscriptions = worker.access { mailbox, _ in
            mailbox.isClosed = true
            defer { mailbox.subscriptions = [:] }
            return mailbox.subscriptions
        }
        for subscription in subscriptions.values { subscription.end() }
    }

    /// Ends all subscriptions and the thread.
    func close() async {
        endAll()
        await worker.stop()
    }

    /// Delivers queued batches to subscriptions; runs on the worker's thread.
    private func drain() {
        while true {
            let (batches, subscriptions) = worker.access { mailbox, _ in
                defer { mailbox.waiting = [] }
                return (mailbox.waiting, mailbox.subscriptions)
            }
            if batches.isEmpty { return }
            let bytes = min(
                Limits.subscriptionBytes, Limits.feedBytes / max(1, subscriptions.count))
            for (records, erasures) in batches {
                for subscription in subscriptions.values {
                    subscription.take(records, erasures, keeping: bytes)
                }
            }
        }
    }
}

/// A record that has just become durable, shared by all subscriptions.
package final class FeedRecord: Sendable {
    package let facts: RecordFacts
    package let line: StoredLine

    init(facts: RecordFacts, line: StoredLine) {
        self.facts = facts
        self.line = line
    }
}
