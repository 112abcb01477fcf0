// What one client waits for, and what has come of it.
//
// Invariant: memory is bounded. Of what does not fit, who follows everything is told a gap, and who
// waits for the first so many gets the facts and reads the lines himself; of records that do not
// match only the nearest few are kept.

import Synchronization

/// One client's place at the feed.
package final class Subscription: Sendable {
    /// What has come since the last look.
    package struct Arrival: Sendable {
        /// Records that match, in order.
        package var records: [FeedRecord] = []
        /// Records behind these that match too, whose lines were too large to be kept.
        package var others: [RecordFacts] = []
        /// The number up to which every record that matches was told, now or before.
        package var through = 0
        /// The first and the last number of matching records that were dropped before `records`,
        /// because they were not fetched in time.
        package var gap: ClosedRange<Int>?
    }

    /// A record that does not match, by the number of conditions that it fails.
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
        /// How many records whoever waits waits for.
        var wanted = 1
        /// Whether one more has come than is wanted: it and what follows are not told.
        var isFull = false

        var matchCount: Int { arrival.records.count + arrival.others.count }
        var isSatisfied: Bool { matchCount >= wanted || arrival.gap != nil }
    }

    /// How many matching records have come since the last look.
    package var matchCount: Int { state.withLock { $0.matchCount } }

    /// Who subscribes, and so what is kept when more comes than is fetched.
    package enum Purpose: Sendable, Equatable {
        /// The first so many are wanted; what follows is not, but near misses are.
        case first(Int)
        /// All are wanted as they come; of a client that is slow, the last so many are kept.
        case all(keeping: Int)
    }

    private let matcher: Matcher
    private let purpose: Purpose
    private let state = Mutex(State())

    init(_ matcher: Matcher, _ purpose: Purpose) {
        self.matcher = matcher
        self.purpose = purpose
    }

    func begin(after sequence: Int) {
        state.withLock { state in
            state.begin = sequence
            state.arrival.through = sequence
        }
    }

    /// The number behind which records are collected; the index knows of those up to it.
    package var startSequence: Int { state.withLock { $0.begin } }

    /// How many records have come, those that don't match among them.
    package var seenRecords: Int { state.withLock { $0.seen } }

    /// The records that were nearest to matching, the nearest first.
    package var nearMisses: [NearMiss] {
        state.withLock { $0.nearMisses }.map { near in
            NearMiss(facts: near.facts, misses: matcher.misses(near.facts))
        }
    }

    /// Considers a record that is known from elsewhere as a near miss.
    package func consider(_ facts: RecordFacts) {
        state.withLock { note(facts, &$0) }
    }

    /// Returns when so many records that match have come, or a gap; or when the subscription or the
    /// task has ended, or `interrupt` was called.
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

    /// What has come since the last look.
    package func take() -> Arrival {
        state.withLock { state in
            defer {
                state.arrival = Arrival(through: state.arrival.through)
                state.bytes = 0
            }
            return state.arrival
        }
    }

    /// Whether nothing more will come.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Ends the waiting.
    func end() {
        state.withLock { $0.isEnded = true }
        interrupt()
    }

    /// Lets whoever waits go on.
    package func interrupt() {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    /// Hears of records and erasures, in their order; runs on the feed's thread.
    ///
    /// - Parameter bytes: of lines that may be kept.
    func take(
        _ records: [FeedRecord], _ erasures: [Erasure],
        keeping bytes: Int = Limits.subscriptionBytes
    ) {
        let isReady = state.withLock { state in
            for record in records where record.facts.sequence > state.begin {
                state.seen += 1
                if matcher.matches(record.facts) {
                    add(record, keeping: bytes, &state)
                } else if case .first = purpose {
                    note(record.facts, &state)
                }
                if !state.isFull { state.arrival.through = record.facts.sequence }
            }
            for erasure in erasures {
                state.arrival.records.removeAll { erasure.concerns($0.facts) }
                state.arrival.others.removeAll { erasure.concerns($0) }
                state.nearMisses.removeAll { erasure.concerns($0.facts) }
            }
            if !erasures.isEmpty {
                state.bytes = state.arrival.records.reduce(0) { $0 + $1.line.size }
            }
            return state.isSatisfied
        }
        if isReady { interrupt() }
    }

    private func add(_ record: FeedRecord, keeping bytes: Int, _ state: inout State) {
        let capacity: Int
        switch purpose {
        case .first(let count):
            // None that follows may be told once one was left out.
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

    /// Keeps a record when it is among the nearest; of equally near ones the later is kept.
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
    /// Whether a record that came before is one of those that are erased.
    func concerns(_ facts: RecordFacts) -> Bool {
        guard facts.sequence < sequence else { return false }
        return switch scope {
        case .record(let id): facts.id == id
        case .inbox(let name, let through): facts.inbox == name && facts.sequence <= through
        case .unmatched(let name, let through):
            facts.inbox == name && facts.sequence <= through
                && facts.verdict == Self.unmatchedVerdict
        case .strays(let through): facts.kind == .stray && facts.sequence <= through
        case .receivedBefore(let moment): facts.receivedAt < moment
        }
    }
}
