// Hands records to subscriptions as soon as they are durable. It has its own thread, so that many
// subscriptions don't slow down the writer or the index.
//
// Invariant: a subscription receives every record after its start number, in order and once, or
// learns which ones it didn't; the index contains the records up to that number. If a database has
// lost the last records, subscriptions go back, and may receive some twice. One that follows
// all also receives those that were decoded again. Memory is bounded: of batches that wait too long,
// only the erasures are kept.

import Synchronization

/// Delivers new records to subscriptions.
package final class Feed: Sendable {
    private struct Mailbox: Sendable {
        var subscriptions: [ObjectIdentifier: Subscription] = [:]
        var waiting: [FeedBatch] = []
        /// Bytes of the lines in `waiting`.
        var bytes = 0
        /// The numbers of the records that were dropped from the beginning of `waiting`.
        var dropped: ClosedRange<Int>?
        /// The number to which subscriptions go back before they get what is in `waiting`.
        var retreat: Int?
        var isClosed = false
        /// Nil until it is known.
        var lastSequence: Int? {
            didSet { firstSequence = firstSequence ?? lastSequence }
        }
        /// What `lastSequence` was at first.
        var firstSequence: Int?
        /// The number of the last erasure that was submitted.
        var lastErasure = 0

        /// Forgets everything after a number.
        mutating func goBack(to sequence: Int) {
            waiting = waiting.map { $0.keeping(through: sequence) }
            bytes = waiting.reduce(0) { $0 + $1.bytes }
            dropped = dropped.flatMap { numbers in
                numbers.lowerBound > sequence
                    ? nil : numbers.lowerBound...min(numbers.upperBound, sequence)
            }
            retreat = min(retreat ?? sequence, sequence)
            lastSequence = lastSequence.map { min($0, sequence) }
            firstSequence = firstSequence.map { min($0, sequence) }
            lastErasure = min(lastErasure, sequence)
        }

        /// Queues a batch; drops the records of the oldest ones if there are too many.
        mutating func add(_ batch: FeedBatch) {
            waiting.append(batch)
            bytes += batch.bytes
            var oldest = waiting.startIndex
            while bytes > Limits.feedQueueBytes, oldest < waiting.endIndex - 1 {
                bytes -= waiting[oldest].bytes
                if let numbers = waiting[oldest].dropRecords() {
                    dropped = (dropped?.lowerBound ?? numbers.lowerBound)...numbers.upperBound
                }
                oldest += 1
            }
        }
    }

    private let worker: Worker<Mailbox>
    private let catalog: FieldCatalog

    /// Makes a feed that begins after the last durable line's number; nil if that is not known
    /// before `advance` is called.
    package init(catalog: FieldCatalog, lastSequence: Int? = nil) {
        self.catalog = catalog
        worker = Worker(
            name: "feed", Mailbox(lastSequence: lastSequence, firstSequence: lastSequence))
        worker.start { [weak self] in self?.drain() }
    }

    deinit { worker.abandon() }

    /// Takes a durable batch; returns at once.
    ///
    /// O(changes); nothing is copied while there are no subscriptions.
    func submit(_ batch: CommittedBatch) {
        guard let last = batch.changes.last else { return }
        let lastErasure = batch.changes.last { $0.isErasure }?.sequence
        let hasListeners = worker.access { mailbox, _ in
            mailbox.lastSequence = last.sequence
            mailbox.lastErasure = lastErasure ?? mailbox.lastErasure
            return !mailbox.subscriptions.isEmpty
        }
        guard hasListeners else { return }
        var records: [FeedRecord] = []
        var erasures: [Erasure] = []
        for change in batch.changes {
            switch change {
            case .record(let entry):
                let line = StoredLine(batch.line(of: entry), entry.facts.sequence)
                records.append(
                    FeedRecord(
                        facts: entry.facts, line: line, isDecodedAgain: entry.isDecodedAgain))
            case .erasure(let erasure, _, _): erasures.append(erasure)
            }
        }
        let waiting = FeedBatch(records: records, erasures: erasures)
        worker.access { mailbox, alarm in
            mailbox.add(waiting)
            alarm.ring()
        }
    }

    /// Notes that everything up to a number is durable; false if nobody needs the records.
    package func advance(to sequence: Int) -> Bool {
        worker.access { mailbox, _ in
            mailbox.lastSequence = max(mailbox.lastSequence ?? 0, sequence)
            return !mailbox.subscriptions.isEmpty
        }
    }

    /// Goes back, because a database has lost what came after a number and gives its numbers again;
    /// returns at once.
    ///
    /// Subscriptions receive what is delivered afterwards, even if they began later.
    package func retreat(to sequence: Int) {
        worker.access { mailbox, alarm in
            mailbox.goBack(to: sequence)
            alarm.ring()
        }
    }

    /// Takes records and erasures, in order, after `advance`; returns at once.
    package func deliver(_ records: [FeedRecord], _ erasures: [Erasure]) {
        worker.access { mailbox, alarm in
            mailbox.add(FeedBatch(records: records, erasures: erasures))
            alarm.ring()
        }
    }

    /// Starts to collect matching records after the last one that is durable now.
    func subscribe(
        to condition: Condition, _ purpose: Subscription.Purpose
    ) -> Subscription {
        let subscription = Subscription(Matcher(condition, catalog: catalog), purpose)
        let isClosed = worker.access { mailbox, _ in
            subscription.begin(after: mailbox.lastSequence ?? 0)
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

    /// The number of the last durable line; nil if it is not known yet.
    var lastSequence: Int? { worker.access { mailbox, _ in mailbox.lastSequence } }

    /// The number of the last durable line when that became known; nil before.
    var firstSequence: Int? { worker.access { mailbox, _ in mailbox.firstSequence } }

    /// The number of the last erasure that `submit` took since the start; 0 for none.
    var lastErasure: Int { worker.access { mailbox, _ in mailbox.lastErasure } }

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
            let (batches, dropped, retreat, subscriptions) = worker.access { mailbox, _ in
                defer {
                    (mailbox.waiting, mailbox.bytes) = ([], 0)
                    (mailbox.dropped, mailbox.retreat) = (nil, nil)
                }
                return (mailbox.waiting, mailbox.dropped, mailbox.retreat, mailbox.subscriptions)
            }
            if let retreat {
                for subscription in subscriptions.values { subscription.retreat(to: retreat) }
            }
            if batches.isEmpty { return }
            if let dropped {
                for subscription in subscriptions.values { subscription.skip(dropped) }
            }
            let bytes = min(
                Limits.subscriptionBytes, Limits.feedBytes / max(1, subscriptions.count))
            let batch = FeedBatch(merging: batches)
            deliver(batch, to: subscriptions.values.filter { !$0.isWaiting }, keeping: bytes)
            deliver(
                batch.newRecords, to: subscriptions.values.filter(\.isWaiting), keeping: bytes)
        }
    }

    private func deliver(
        _ batch: FeedBatch, to subscriptions: [Subscription], keeping bytes: Int
    ) {
        if subscriptions.isEmpty { return }
        let inboxes = Dictionary(grouping: batch.records, by: \.facts.inbox)
        for subscription in subscriptions {
            subscription.take(batch, of: inboxes, keeping: bytes)
        }
    }
}

/// Records and erasures that became durable together.
struct FeedBatch: Sendable {
    private(set) var records: [FeedRecord]
    let erasures: [Erasure]
    /// Bytes of the lines.
    private(set) var bytes: Int

    init(records: [FeedRecord], erasures: [Erasure]) {
        self.records = records
        self.erasures = erasures
        bytes = records.reduce(0) { $0 + $1.line.size }
    }

    /// Merges batches, without the records that a later erasure among them concerns: these must not
    /// take the place of others that a client waits for.
    ///
    /// O(records · erasures).
    init(merging batches: [FeedBatch]) {
        let erasures = batches.flatMap(\.erasures)
        var records = batches.flatMap(\.records)
        if !erasures.isEmpty {
            records.removeAll { record in erasures.contains { $0.concerns(record.facts) } }
        }
        self.init(records: records, erasures: erasures)
    }

    /// The batch without records that were only decoded again, because waiting clients want new
    /// results.
    var newRecords: FeedBatch {
        guard records.contains(where: \.isDecodedAgain) else { return self }
        return FeedBatch(records: records.filter { !$0.isDecodedAgain }, erasures: erasures)
    }

    /// Number of records after a number.
    ///
    /// O(1) if that number is before the batch.
    func count(after number: Int) -> Int {
        guard let first = records.first, first.facts.sequence <= number else {
            return records.count
        }
        return records.count { $0.facts.sequence > number }
    }

    /// The batch without what came after a number.
    func keeping(through sequence: Int) -> FeedBatch {
        FeedBatch(
            records: records.filter { $0.facts.sequence <= sequence },
            erasures: erasures.filter { $0.sequence <= sequence })
    }

    /// Removes the records; returns their first and last number.
    mutating func dropRecords() -> ClosedRange<Int>? {
        defer { (records, bytes) = ([], 0) }
        guard let first = records.first, let last = records.last else { return nil }
        return first.facts.sequence...last.facts.sequence
    }
}

/// A record that has just become durable, shared by all subscriptions.
package final class FeedRecord: Sendable {
    package let facts: RecordFacts
    package let line: StoredLine
    /// Whether the record had been stored before, and was decoded again.
    let isDecodedAgain: Bool

    package init(facts: RecordFacts, line: StoredLine, isDecodedAgain: Bool) {
        self.facts = facts
        self.line = line
        self.isDecodedAgain = isDecodedAgain
    }
}
