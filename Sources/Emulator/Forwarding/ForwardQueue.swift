// What one target of a forwarding rule still has to get, as a value without clock, socket or file.
//
// Invariant: every record up to `through` is delivered, dropped, or an entry here; an entry that is
// in flight is still saved as pending. In an ordered queue only the first entry is ever taken. Left
// out: which records match, and how they are sent (`Forwarder`).

import ResultStore

/// The queue of one target; all times are milliseconds since 1970-01-01T00:00:00Z.
package struct ForwardQueue: Sendable, Equatable {
    /// A record that has not been delivered.
    package struct Entry: Sendable, Equatable {
        /// The record's `seq` when it was queued.
        package let sequence: Int
        package let id: RecordID
        /// When it was queued, or when a person asked for another round.
        package var since: Int64
        package var dueAt: Int64
        /// Attempts that have failed.
        package var attempts = 0
        /// The delays and pauses between these attempts.
        ///
        /// Only they count as time of trying: neither a stop of the server nor a leap of the clock
        /// may end it.
        package var tried: Int64 = 0
        /// The last response's status; nil without a response.
        package var status: Int?

        package init(_ sequence: Int, _ id: RecordID, at now: Int64) {
            self.sequence = sequence
            self.id = id
            since = now
            dueAt = now
        }
    }

    /// How a target wants its records.
    package struct Rules: Sendable, Equatable {
        /// Whether a record waits until the earlier ones are delivered or dead.
        package var isOrdered: Bool
        /// Delay after the first failure; each further one doubles it.
        var firstDelay: Int64
        /// Time of trying after which a failure makes a record a dead letter.
        var patience: Int64
        /// Maximum attempts at the same time.
        package var inFlight: Int

        /// - Parameter inFlight: without order; an ordered target gets one attempt at a time.
        package init(
            isOrdered: Bool, firstDelay: Int64 = 500, patience: Int64 = 86_400_000,
            inFlight: Int = Limits.forwardsInFlight
        ) {
            self.isOrdered = isOrdered
            self.firstDelay = firstDelay
            self.patience = patience
            self.inFlight = isOrdered ? 1 : inFlight
        }
    }

    /// What an attempt led to.
    package enum Outcome: String, Sendable, CaseIterable {
        case delivered
        /// Another attempt follows.
        case failed
        /// It was the last attempt.
        case dead
    }

    /// The field that numbers attempts; a callback that has it is not forwarded again, so that two
    /// servers that forward to each other don't send it forever.
    static let attemptField = "Landfall-Attempt"

    /// The field by which a target can tell what it has: the id of the callback's record.
    static let keyField = "Idempotency-Key"

    /// The fields that an attempt adds.
    static let fields = [keyField, attemptField]

    /// Maximum pending and dead entries, and attempts at the same time; and the memory that all
    /// forwarders share.
    static let limits = (
        pending: Limits.forwardPending, dead: Limits.forwardDead, inFlight: Limits.forwardsInFlight,
        readBytes: Limits.forwardReadBytes, sendBytes: Limits.forwardSendBytes
    )

    let rules: Rules
    /// The number up to which the journal has been read.
    package var through: Int
    /// A number up to which nothing that matches was left to read.
    ///
    /// A record whose first line has no higher number was read by then, or did not match, also if
    /// it is decoded again later.
    package var settled: Int

    /// Sorted; the next one is last.
    private var waiting: [Entry] = []
    private var inFlight: [RecordID: Entry] = [:]
    /// In the order in which they died.
    package private(set) var dead: [Entry] = []
    /// Failures that count towards a pause, since the target last answered as one that works.
    package private(set) var failures = 0
    /// When it last answered so.
    private var workedAt: Int64?
    /// No attempt begins before this time.
    package private(set) var pausedUntil: Int64 = 0

    package init(_ rules: Rules, through: Int) {
        self.rules = rules
        self.through = through
        settled = through
    }

    /// What is pending, in the order of `seq`.
    package var pending: [Entry] {
        (waiting + inFlight.values).sorted { $0.sequence < $1.sequence }
    }

    package var pendingCount: Int { waiting.count + inFlight.count }

    /// How long the oldest pending entry has waited; 0 without one.
    package func oldestAge(at now: Int64) -> Int64 {
        let oldest = (waiting.map(\.since) + inFlight.values.map(\.since)).min()
        return oldest.map { max(0, now - $0) } ?? 0
    }

    /// How many entries may be added.
    package var room: Int { max(0, Limits.forwardPending - pendingCount) }

    /// Whether too many failures in a row say that the target is down; then only one attempt at a
    /// time is made.
    package var isOpen: Bool { failures >= Limits.forwardFailures }

    // MARK: Coming and going

    /// Adds an entry.
    ///
    /// O(pending).
    package mutating func add(_ entry: Entry) {
        var low = 0
        var high = waiting.count
        while low < high {
            let middle = low + (high - low) / 2
            if precedes(entry, waiting[middle]) { low = middle + 1 } else { high = middle }
        }
        waiting.insert(entry, at: low)
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        rules.isOrdered
            ? left.sequence < right.sequence
            : (left.dueAt, left.sequence) < (right.dueAt, right.sequence)
    }

    /// When the next attempt is due; nil if none waits, or if one has to end first.
    ///
    /// A time further away than the longest delay was written by a clock that has since been set
    /// back, so it is now.
    package func nextDue(at now: Int64) -> Int64? {
        let places = isOpen ? 1 : rules.inFlight
        guard inFlight.count < places, let next = next(at: now) else { return nil }
        let due = Self.plausible(waiting[next].dueAt, at: now)
        return max(due, Self.plausible(pausedUntil, at: now))
    }

    /// The earliest time of an entry's next attempt: after a pause, and in an ordered queue not
    /// before the first entry's.
    package func nextAttempt(of entry: Entry) -> Int64 {
        let first = rules.isOrdered ? waiting.last?.dueAt : nil
        return max(entry.dueAt, pausedUntil, first ?? 0)
    }

    /// The entry that is next; nil if none waits.
    ///
    /// While one attempt at a time is made, one that is due for the first time goes first, in turn
    /// the newest and the oldest: those that fail whatever the target does must not hold it up, and
    /// they may be many that came together.
    ///
    /// O(pending).
    private func next(at now: Int64) -> Int? {
        guard isOpen, !rules.isOrdered else { return waiting.indices.last }
        func isUntried(_ entry: Entry) -> Bool {
            entry.attempts == 0 && Self.plausible(entry.dueAt, at: now) <= now
        }
        let untried =
            failures.isMultiple(of: 2)
            ? waiting.firstIndex(where: isUntried) : waiting.lastIndex(where: isUntried)
        return untried ?? waiting.indices.last
    }

    private static func plausible(_ due: Int64, at now: Int64) -> Int64 {
        due - now > Limits.longestForwardDelay ? now : due
    }

    /// The next due entry; `end` or `giveBack` must follow.
    package mutating func take(at now: Int64) -> Entry? {
        guard let due = nextDue(at: now), due <= now, let next = next(at: now) else { return nil }
        let entry = waiting.remove(at: next)
        inFlight[entry.id] = entry
        return entry
    }

    /// What a response, or its absence, leads to, and the delay until the next attempt.
    ///
    /// - Parameter jitter: a random number from 0 to 1, so that entries that failed together don't
    ///   come back together.
    package func outcome(
        of entry: Entry, status: Int?, jitter: Double
    ) -> (outcome: Outcome, delay: Int64) {
        if let status, 200...299 ~= status { return (.delivered, 0) }
        if entry.tried >= rules.patience { return (.dead, 0) }
        return (.failed, delay(after: entry.attempts + 1, jitter))
    }

    /// From half of the doubled delay to all of it.
    private func delay(after failures: Int, _ jitter: Double) -> Int64 {
        let doubled = rules.firstDelay << Int64(min(max(failures - 1, 0), 20))
        let full = min(doubled, Limits.longestForwardDelay)
        return max(1, full / 2 + Int64(Double(full / 2) * jitter))
    }

    /// Ends an attempt.
    ///
    /// - Returns: a dead letter that was dropped because there are too many.
    @discardableResult
    package mutating func end(
        _ entry: Entry, _ outcome: Outcome, status: Int?, delay: Int64, at now: Int64
    ) -> Entry? {
        guard inFlight.removeValue(forKey: entry.id) != nil else { return nil }
        var entry = entry
        entry.attempts += 1
        entry.status = status
        if outcome == .delivered || isRefusal(status) {
            failures = 0
            pausedUntil = 0
            workedAt = now
        } else if now >= Self.plausible(pausedUntil, at: now),
            isOverload(status) || !hasJustWorked(at: now)
        {
            // Attempts that were under way when the pause began say nothing about its end.
            failures += 1
            if isOpen {
                pausedUntil = now + self.delay(after: failures - Limits.forwardFailures + 1, 1)
            }
        }
        if outcome == .delivered { return nil }
        if outcome == .failed {
            entry.dueAt = now + delay
            let pause = min(pausedUntil - now, Limits.longestForwardDelay)
            entry.tried += max(delay, pause)
            add(entry)
            return nil
        }
        dead.append(entry)
        return dead.count > Limits.forwardDead ? dead.removeFirst() : nil
    }

    /// Whether a status shows a target that works and refuses this record (RFC 9110 §15.5).
    ///
    /// Any other 4xx is about what all records have in common, such as credentials, address and
    /// load. In an ordered queue nothing passes the record, so it counts like every failure.
    private func isRefusal(_ status: Int?) -> Bool {
        guard let status, !rules.isOrdered else { return false }
        return Self.refusals.contains(status)
    }

    private static let refusals: Set<Int> = [400, 409, 413, 414, 415, 422, 431]

    /// Whether a status asks for fewer requests, whatever they hold (RFC 6585 §4, RFC 9110 §15.6.4).
    private func isOverload(_ status: Int?) -> Bool { status == 429 || status == 503 }

    /// Whether the target has answered as one that works a short time ago, so that a failure says
    /// nothing about other records.
    private func hasJustWorked(at now: Int64) -> Bool {
        guard let workedAt, !rules.isOrdered else { return false }
        return 0..<Limits.forwardTrustMilliseconds ~= now - workedAt
    }

    /// Removes an entry whose record was erased, or needs no delivery.
    ///
    /// O(dead).
    mutating func drop(_ entry: Entry) {
        inFlight[entry.id] = nil
        dead.removeAll { $0.id == entry.id }
    }

    /// Lets an entry wait that could not be tried, without counting an attempt.
    mutating func giveBack(_ entry: Entry, until due: Int64) {
        guard var entry = inFlight.removeValue(forKey: entry.id) else { return }
        entry.dueAt = due
        add(entry)
    }

    /// Makes dead letters pending again, and ends the delay and the pause in which others wait: the
    /// target was repaired.
    ///
    /// In an ordered queue, the first entry is due also if the id is that of a later one.
    ///
    /// O(pending · log(pending) + dead).
    ///
    /// - Parameter id: of one record; nil for all.
    /// - Returns: how many records are tried again.
    package mutating func retryDead(_ id: RecordID?, at now: Int64) -> Int {
        let retried = dead.filter { id == nil || $0.id == id }
        let delayed = waiting.count(where: { entry in
            (id == nil || entry.id == id) && (isOpen || nextAttempt(of: entry) > now)
        })
        let count = retried.count + delayed
        if id != nil, count == 0 { return 0 }
        dead.removeAll { id == nil || $0.id == id }
        for index in waiting.indices
        where id == nil || rules.isOrdered || waiting[index].id == id {
            waiting[index].dueAt = min(waiting[index].dueAt, now)
        }
        waiting = waiting.sorted { precedes($1, $0) }
        for var entry in retried {
            (entry.since, entry.dueAt, entry.attempts, entry.tried) = (now, now, 0, 0)
            add(entry)
        }
        (failures, pausedUntil) = (0, 0)
        return count
    }

    /// Goes on after an earlier number, because no record has a later one any more.
    ///
    /// What is pending stays: it is dropped when it is due, if its record doesn't exist.
    mutating func goBack(to last: Int) {
        through = min(through, last)
        settled = min(settled, last)
        dead.removeAll { $0.sequence > last }
    }

    /// The queue as its file would hold it: nothing is in flight.
    var stopped: ForwardQueue {
        var queue = ForwardQueue(rules, through: through)
        queue.settled = settled
        queue.restore(pending: pending, dead: dead)
        return queue
    }

    /// Restores what was saved.
    mutating func restore(pending: [Entry], dead: [Entry]) {
        self.dead = dead
        waiting = []
        for entry in pending { add(entry) }
    }
}
