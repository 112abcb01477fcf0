// What one client waits for, and what has arrived.
//
// Invariant: memory is bounded. When lines exceed it, a client that follows everything gets a gap,
// and a client that waits for a number of results gets only their facts and reads the lines itself.
// Of records that don't match, only the nearest few are kept.

import Synchronization

/// One client's subscription to the feed.
package final class Subscription: Sendable {
    /// What has arrived since the last `take`.
    package struct Arrival: Sendable {
        /// Records that match, in order.
        package var records: [FeedRecord] = []
        /// Later records that match too, whose lines were too large to be kept.
        package var others: [RecordFacts] = []
        /// The number up to which all matching records have been delivered, now or before.
        package var through = 0
        /// The first and the last number of matching records that were dropped before `records`,
        /// because they were not fetched in time.
        package var gap: ClosedRange<Int>?
        /// Whether records up to `through` may be missing for a waiter: the index has them.
        package var isIncomplete = false
        /// For a client that follows all: the number after which everything comes again, because a
        /// database has lost the last records.
        package var retreat: Int?

        /// For a client that follows all: the number up to which all matching records were
        /// delivered before.
        package var former: Int {
            (gap?.lowerBound ?? records.first?.facts.sequence).map { $0 - 1 } ?? through
        }

        /// Whether no matching record arrived since the last `take`; for a waiter.
        package var isEmpty: Bool { records.isEmpty && others.isEmpty && !isIncomplete }
    }

    /// A record that doesn't match, and the number of conditions that it fails.
    package struct NearMiss: Sendable {
        package let facts: RecordFacts
        package let misses: [Miss]
    }

    private struct State {
        var arrival = Arrival()
        var bytes = 0
        var nearMisses: [(count: Int, facts: RecordFacts)] = []
        var seen = 0
        var isEnded = false
        var continuation: CheckedContinuation<Void, Never>?
        var begin = 0
        /// The number of the last record or erasure that came, also of records that were left out.
        var last = 0
        /// Number of records the waiter needs.
        var wanted = 1
        /// Whether more records have arrived than are wanted.
        ///
        /// The surplus is not delivered.
        var isFull = false
        /// Whether the waiter knows which records it missed.
        var hasResumed = false

        var matchCount: Int { arrival.records.count + arrival.others.count }
        var isSatisfied: Bool {
            matchCount >= wanted || arrival.gap != nil || arrival.retreat != nil
                || (arrival.isIncomplete && !hasResumed)
        }
    }

    /// Number of matching records since the last `take`.
    package var matchCount: Int { state.withLock { $0.matchCount } }

    /// What the client needs, which decides what is kept when it fetches too slowly.
    package enum Purpose: Sendable, Equatable {
        /// The first `n` records are wanted, and the near misses; later records are not.
        case first(Int)
        /// All records are wanted as they come; for a slow client, the last `keeping` are kept.
        case all(keeping: Int)
    }

    private let matcher: Matcher
    /// The inbox that a record must have to match; nil for any.
    private let inbox: String?
    private let purpose: Purpose
    private let state = Mutex(State())

    /// Whether it ends with a number of records.
    var isWaiting: Bool {
        if case .first = purpose { true } else { false }
    }

    init(_ matcher: Matcher, _ purpose: Purpose) {
        self.matcher = matcher
        inbox = matcher.inbox
        self.purpose = purpose
    }

    func begin(after sequence: Int) {
        state.withLock { state in
            state.begin = sequence
            state.last = sequence
            state.arrival.through = sequence
        }
    }

    /// Goes back to a number: what came after it is lost or comes again; runs on the feed's thread.
    func retreat(to sequence: Int) {
        if !isWaiting {
            state.withLock { state in
                state.arrival.retreat = min(state.arrival.retreat ?? sequence, sequence)
            }
            interrupt()
        }
        state.withLock { state in
            state.begin = min(state.begin, sequence)
            state.last = min(state.last, sequence)
            guard state.arrival.through > sequence else { return }
            state.arrival.through = sequence
            state.arrival.records.removeAll { $0.facts.sequence > sequence }
            state.arrival.others.removeAll { $0.sequence > sequence }
            state.bytes = state.arrival.records.reduce(0) { $0 + $1.line.size }
            state.nearMisses.removeAll { $0.facts.sequence > sequence }
            state.arrival.gap = state.arrival.gap.flatMap { gap in
                gap.lowerBound > sequence ? nil : gap.lowerBound...min(gap.upperBound, sequence)
            }
            state.isFull = false
        }
    }

    /// The number after which records are collected; the index contains those up to it.
    package var startSequence: Int { state.withLock { $0.begin } }

    /// The number up to which all matching records have been delivered.
    package var through: Int { state.withLock { $0.arrival.through } }

    /// Number of records that have arrived, including those that don't match.
    package var seenRecords: Int { state.withLock { $0.seen } }

    /// The records that were nearest to matching, nearest first.
    package var nearMisses: [NearMiss] {
        state.withLock { $0.nearMisses }.map { near in
            NearMiss(facts: near.facts, misses: matcher.misses(near.facts))
        }
    }

    /// Considers a record from another source as a near miss.
    package func consider(_ facts: RecordFacts) {
        state.withLock { note(facts, &$0) }
    }

    /// Returns when this many matching records have arrived, or a gap; or when the subscription or
    /// the task has ended, or `interrupt` was called.
    package func wait(for count: Int = 1) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    state.wanted = count
                    let isReady = state.isSatisfied || state.isEnded || Task.isCancelled
                    if !isReady { state.continuation = continuation }
                    return isReady
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            interrupt()
        }
    }

    /// For a waiter that missed records: the number up to which the index has to be asked instead;
    /// nil if nothing was missed since the last call.
    ///
    /// Everything that arrives later has a higher number. `take` still says that records are missing.
    package func resumeAfterMissed() -> Int? {
        state.withLock { state in
            guard state.arrival.isIncomplete, !state.hasResumed else { return nil }
            state.hasResumed = true
            // What arrived since is in the index too, and must not count twice.
            (state.arrival.records, state.arrival.others, state.bytes) = ([], [], 0)
            return state.arrival.through
        }
    }

    /// Makes a waiter ask the index, because some of what arrived doesn't count: later records may
    /// have been left out.
    package func reopen() {
        state.withLock { reopen(&$0) }
    }

    private func reopen(_ state: inout State) {
        state.isFull = false
        state.arrival.isIncomplete = true
        state.hasResumed = false
        state.arrival.through = max(state.arrival.through, state.last)
    }

    /// Takes the gap alone, for a client that reads from the index what was dropped; nil if nothing
    /// was.
    package func takeGap() -> ClosedRange<Int>? {
        state.withLock { $0.arrival.gap.take() }
    }

    /// Takes what has arrived since the last call.
    package func take() -> Arrival {
        state.withLock { state in
            defer {
                state.arrival = Arrival(through: state.arrival.through)
                state.bytes = 0
            }
            return state.arrival
        }
    }

    /// Whether no more records will arrive.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Ends the waiting.
    func end() {
        state.withLock { $0.isEnded = true }
        interrupt()
    }

    /// Resumes a waiting task.
    package func interrupt() {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    /// Takes records and erasures, in order; runs on the feed's thread.
    ///
    /// O(records of the wanted inbox), or O(records) without one. Near misses are sought among the
    /// batch's last records only: under load, batches are large, and each costs every waiter.
    ///
    /// - Parameters:
    ///   - inboxes: the batch's records by inbox, in order.
    ///   - bytes: how many bytes of lines may be kept.
    func take(
        _ batch: FeedBatch, of inboxes: [String: [FeedRecord]],
        keeping bytes: Int = Limits.subscriptionBytes
    ) {
        let isReady = state.withLock { state in
            let begin = state.begin
            state.seen += batch.count(after: begin)
            for record in inbox.map({ inboxes[$0] ?? [] }) ?? batch.records
            where record.facts.sequence > begin && matcher.matches(record.facts) {
                add(record, keeping: bytes, &state)
                if state.isFull { break }
                state.arrival.through = record.facts.sequence
            }
            if case .first = purpose {
                for record in batch.records.suffix(Limits.notedRecords)
                where record.facts.sequence > begin && !matcher.matches(record.facts) {
                    note(record.facts, &state)
                }
            }
            if !state.isFull, let last = batch.records.last, last.facts.sequence > begin {
                state.arrival.through = last.facts.sequence
            }
            let numbers = [batch.records.last?.facts.sequence, batch.erasures.last?.sequence]
            state.last = numbers.compactMap(\.self).reduce(state.last, max)
            for erasure in batch.erasures {
                state.arrival.records.removeAll { erasure.concerns($0.facts) }
                state.arrival.others.removeAll { erasure.concerns($0) }
                state.nearMisses.removeAll { erasure.concerns($0.facts) }
            }
            if !batch.erasures.isEmpty {
                state.bytes = state.arrival.records.reduce(0) { $0 + $1.line.size }
                // Later records were left out, and erasures left too few.
                if case .first(let count) = purpose, state.isFull, state.matchCount < count {
                    reopen(&state)
                }
            }
            return state.isSatisfied
        }
        if isReady { interrupt() }
    }

    /// Notes that records were dropped before they were taken; runs on the feed's thread.
    func skip(_ numbers: ClosedRange<Int>) {
        let isReady = state.withLock { state in
            state.last = max(state.last, numbers.upperBound)
            guard numbers.upperBound > state.begin, !state.isFull else { return false }
            switch purpose {
            case .all:
                // The client has to fetch everything from the first dropped record on.
                let first = state.arrival.records.first?.facts.sequence ?? numbers.lowerBound
                let lower = state.arrival.gap?.lowerBound ?? min(first, numbers.lowerBound)
                state.arrival.gap = max(lower, state.begin + 1)...numbers.upperBound
                (state.arrival.records, state.bytes) = ([], 0)
            case .first:
                // The index has what arrived before, too.
                (state.arrival.records, state.arrival.others, state.bytes) = ([], [], 0)
                state.arrival.isIncomplete = true
                state.hasResumed = false
            }
            state.arrival.through = numbers.upperBound
            return state.isSatisfied
        }
        if isReady { interrupt() }
    }

    private func add(_ record: FeedRecord, keeping bytes: Int, _ state: inout State) {
        let capacity: Int
        switch purpose {
        case .first(let count):
            // Once a record was left out, no later one may be delivered.
            if state.matchCount >= count { state.isFull = true }
            if !state.isFull { addFirst(record, keeping: bytes, &state) }
            return
        case .all(let keeping): capacity = keeping
        }
        state.arrival.records.append(record)
        state.bytes += record.line.size
        while state.arrival.records.count > capacity || state.bytes > bytes,
            let first = state.arrival.records.first, state.arrival.records.count > 1
        {
            let number = first.facts.sequence
            state.arrival.gap = (state.arrival.gap?.lowerBound ?? number)...number
            state.bytes -= first.line.size
            state.arrival.records.removeFirst()
        }
    }

    private func addFirst(
        _ record: FeedRecord, keeping bytes: Int, _ state: inout State
    ) {
        let total = state.bytes + record.line.size
        if state.arrival.others.isEmpty, total <= bytes {
            state.arrival.records.append(record)
            state.bytes = total
        } else {
            state.arrival.others.append(record.facts)
        }
    }

    /// Keeps a record if it is among the nearest; of equally near ones, the later is kept.
    private func note(_ facts: RecordFacts, _ state: inout State) {
        let count = matcher.missCount(facts)
        let index =
            state.nearMisses.firstIndex {
                ($0.count, facts.sequence) >= (count, $0.facts.sequence)
            } ?? state.nearMisses.count
        guard index < Limits.nearMisses else { return }
        state.nearMisses.insert((count, facts), at: index)
        if state.nearMisses.count > Limits.nearMisses { state.nearMisses.removeLast() }
    }
}

extension Erasure {
    /// Whether this erasure covers a record that arrived before.
    func concerns(_ facts: RecordFacts) -> Bool {
        guard facts.sequence < sequence else { return false }
        return switch scope {
        case .record(let id): facts.id == id
        case .inbox(let name, let through):
            facts.inbox == name && through.covers(receivedAt: facts.receivedAt, facts.sequence)
        case .unmatched(let name, let through):
            facts.inbox == name && through.covers(receivedAt: facts.receivedAt, facts.sequence)
                && facts.verdict == Self.unmatchedVerdict
        case .deliveries(let name, let through):
            facts.inbox == name && through.covers(receivedAt: facts.receivedAt, facts.sequence)
                && facts.kind == .delivery
        case .strays(let through):
            facts.kind == .stray && through.covers(receivedAt: facts.receivedAt, facts.sequence)
        case .receivedBefore(let moment): facts.receivedAt < moment
        }
    }
}
