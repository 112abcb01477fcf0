// The queue of a target by itself: order, delays, pauses, dead letters.

import ResultStore
import Testing

@testable import Emulator

@Suite struct ForwardQueueTests {
    /// A queue in a reference, because an expectation can't change a value.
    @dynamicMemberLookup private final class Held {
        private var queue: ForwardQueue

        /// A queue with some entries, of which the first has number 1, queued at time 0.
        init(_ count: Int, isOrdered: Bool = false) {
            queue = ForwardQueue(.init(isOrdered: isOrdered), through: count)
            for number in stride(from: count, to: 0, by: -1) {
                queue.add(ForwardQueue.Entry(number, RecordID(at: .now), at: 0))
            }
        }

        subscript<Value>(dynamicMember path: KeyPath<ForwardQueue, Value>) -> Value {
            queue[keyPath: path]
        }

        func nextDue(at now: Int64) -> Int64? { queue.nextDue(at: now) }

        func take(at now: Int64) -> ForwardQueue.Entry? { queue.take(at: now) }

        func outcome(
            of entry: ForwardQueue.Entry, status: Int?, jitter: Double
        ) -> (outcome: ForwardQueue.Outcome, delay: Int64) {
            queue.outcome(of: entry, status: status, jitter: jitter)
        }

        func nextAttempt(of entry: ForwardQueue.Entry) -> Int64 { queue.nextAttempt(of: entry) }

        func add(_ entry: ForwardQueue.Entry) { queue.add(entry) }

        func retryDead(_ id: RecordID?, at now: Int64) -> Int { queue.retryDead(id, at: now) }

        @discardableResult
        func end(
            _ entry: ForwardQueue.Entry, _ outcome: ForwardQueue.Outcome, status: Int?,
            delay: Int64, at now: Int64
        ) -> ForwardQueue.Entry? {
            queue.end(entry, outcome, status: status, delay: delay, at: now)
        }

        /// Takes the next entry and ends it; its number and what it led to.
        @discardableResult
        func turn(
            at now: Int64, status: Int?, jitter: Double = 1
        ) -> (number: Int, outcome: ForwardQueue.Outcome, delay: Int64)? {
            guard let entry = queue.take(at: now) else { return nil }
            let (outcome, delay) = queue.outcome(of: entry, status: status, jitter: jitter)
            queue.end(entry, outcome, status: status, delay: delay, at: now)
            return (entry.sequence, outcome, delay)
        }
    }

    @Test func anOrderedQueueNeverGoesPastItsFirstEntry() throws {
        let queue = Held(3, isOrdered: true)
        let first = try #require(queue.take(at: 0))
        #expect(first.sequence == 1)
        #expect(queue.take(at: .max / 2) == nil, "one is in flight")
        queue.end(first, .failed, status: 500, delay: 500, at: 0)
        #expect(queue.nextDue(at: 0) == 500)
        #expect(queue.take(at: 499) == nil)
        #expect(queue.turn(at: 500, status: 200)?.number == 1)
        #expect(queue.turn(at: 500, status: 200)?.number == 2)
        #expect(queue.turn(at: 500, status: 200)?.number == 3)
        #expect(queue.pendingCount == 0)
    }

    /// By seconds while the longest pause is in force, and by hours.
    @Test(arguments: [2000, 3_600_000] as [Int64])
    func aClockThatIsSetBackEndsNoPause(step: Int64) throws {
        let queue = Held(30)
        var now: Int64 = 10_000_000
        for _ in 1...40 {
            while queue.turn(at: now, status: nil) != nil {}
            now = try #require(queue.nextDue(at: now))
        }
        let pending = queue.pendingCount
        now -= step
        var turns = 0
        for second in 0..<60 {
            while queue.turn(at: now + Int64(second) * 1000, status: nil) != nil { turns += 1 }
        }
        #expect(turns <= 2)
        #expect(queue.pendingCount == pending)
    }

    @Test func anUnorderedQueueGoesPastWhatHasFailed() throws {
        let queue = Held(3)
        #expect(queue.turn(at: 0, status: 500)?.number == 1)
        #expect(queue.turn(at: 0, status: 200)?.number == 2)
        #expect(queue.turn(at: 0, status: 200)?.number == 3)
        #expect(queue.nextDue(at: 0) == 500)
        #expect(queue.turn(at: 500, status: 204)?.outcome == .delivered)
    }

    @Test func soManyAreInFlightAndNoMore() {
        let queue = Held(Limits.forwardsInFlight + 1)
        var taken: [ForwardQueue.Entry] = []
        while let entry = queue.take(at: 0) { taken.append(entry) }
        #expect(taken.count == Limits.forwardsInFlight)
        #expect(queue.pendingCount == taken.count + 1)
        queue.end(taken[0], .delivered, status: 200, delay: 0, at: 0)
        #expect(queue.take(at: 0) != nil)
    }

    @Test func manyTargetsShareFewDescriptorsAndEachGetsAnAttempt() {
        let counts = [(1, 64), (8, 256), (8, 1024), (9, 1024), (1000, 1024), (0, 1024)]
        #expect(
            counts.map { Forwarding.inFlight(targets: $0.0, descriptors: $0.1) }
                == [8, 4, 16, 14, 1, 16])
        #expect(ForwardQueue.Rules(isOrdered: true, inFlight: 16).inFlight == 1)
        #expect(ForwardQueue.Rules(isOrdered: false, inFlight: 3).inFlight == 3)
    }

    @Test(arguments: [0.0, 0.5, 1.0])
    func delaysDoubleUpToABoundAndTheirHalfIsChance(jitter: Double) throws {
        let queue = Held(1, isOrdered: true)
        var now: Int64 = 0
        var full: Int64 = 500
        for _ in 1...16 {
            let turn = try #require(queue.turn(at: now, status: nil, jitter: jitter))
            #expect(turn.outcome == .failed)
            #expect(turn.delay == full / 2 + Int64(Double(full / 2) * jitter))
            now += turn.delay
            full = min(full * 2, Limits.longestForwardDelay)
        }
    }

    @Test func whatHasBeenTriedForADayIsDeadAndCanBeTriedAgain() throws {
        let queue = Held(2, isOrdered: true)
        var now: Int64 = 0
        var tried: Int64 = 0
        while queue.dead.isEmpty {
            let turn = try #require(queue.turn(at: now, status: 500))
            #expect(turn.number == 1)
            #expect(turn.outcome == (tried < 86_400_000 ? .failed : .dead))
            let due = try #require(queue.nextDue(at: now))
            if turn.outcome == .failed { tried += due - now }
            now = due
        }
        #expect(86_400_000..<86_700_000 ~= tried)
        #expect(queue.dead.map(\.sequence) == [1])
        #expect(queue.dead[0].attempts > 288 && queue.dead[0].status == 500)
        // An ordered target goes on with the next.
        #expect(queue.turn(at: now, status: 200)?.number == 2)
        #expect(queue.retryDead(RecordID(at: .now), at: now) == 0)
        #expect(queue.retryDead(queue.dead[0].id, at: now) == 1)
        #expect(queue.turn(at: now, status: 500)?.outcome == .failed, "a day more")
        #expect(queue.pending.first?.attempts == 1)
    }

    @Test(arguments: [true, false])
    func noLeapOfTheClockAndNoStopMakesDeadLetters(isOrdered: Bool) throws {
        let queue = Held(3, isOrdered: isOrdered)
        // They wait for longer than they may be tried, before and after the first attempt.
        var now: Int64 = 90_000_000
        for _ in 1...3 {
            let turn = try #require(queue.turn(at: now, status: 500))
            #expect(turn.outcome == .failed)
            now += 90_000_000
        }
        #expect(queue.dead.isEmpty && queue.pendingCount == 3)
        #expect(queue.pending.allSatisfy { $0.tried < 10_000 })
    }

    @Test func deadLettersAreBounded() throws {
        let queue = Held(Limits.forwardDead + 1)
        var dropped: [Int] = []
        while let entry = queue.take(at: 0) {
            if let lost = queue.end(entry, .dead, status: 410, delay: 0, at: -3_600_000) {
                dropped.append(lost.sequence)
            }
        }
        #expect(queue.dead.count == Limits.forwardDead)
        #expect(dropped == [1])
    }

    @Test func aTargetThatIsDownGetsOneAttemptAtATimeUntilItSucceeds() throws {
        let queue = Held(100)
        for _ in 1...Limits.forwardFailures {
            #expect(queue.turn(at: 0, status: nil) != nil)
        }
        #expect(queue.isOpen)
        #expect(queue.take(at: 0) == nil)
        #expect(queue.nextDue(at: 0) == 500)
        let probe = try #require(queue.take(at: 500))
        #expect(queue.take(at: 500) == nil, "one probe")
        queue.end(probe, .failed, status: nil, delay: 500, at: 500)
        #expect(queue.nextDue(at: 500) == 1500, "the pause grows")
        #expect(queue.turn(at: 1500, status: 200)?.outcome == .delivered)
        #expect(!queue.isOpen && queue.failures == 0)
        #expect(queue.take(at: 1500) != nil && queue.take(at: 1500) != nil)
    }

    @Test(arguments: [400, 409, 413, 422])
    func callbacksThatATargetRefusesHoldNoOtherUp(status: Int) throws {
        let queue = Held(Limits.forwardFailures + 5)
        var now: Int64 = 0
        for _ in 1...40 {
            while queue.turn(at: now, status: status) != nil {}
            now = try #require(queue.nextDue(at: now))
            #expect(queue.failures == 0 && queue.pausedUntil == 0)
        }
        queue.add(ForwardQueue.Entry(99, RecordID(at: .now), at: now - 1))
        var numbers: [Int] = []
        while let entry = queue.take(at: now) { numbers.append(entry.sequence) }
        #expect(numbers.contains(99))
        // Each is given up after a day of its own delays.
        let refused = queue.pending.filter { $0.sequence != 99 }
        #expect(refused.allSatisfy { $0.tried < 12_000_000 && $0.attempts == 40 })
    }

    @Test(arguments: [nil, 302, 401, 403, 404, 408, 410, 429, 500, 503] as [Int?])
    func otherFailuresCountAsATargetThatIsDown(status: Int?) {
        let queue = Held(100)
        for _ in 1...Limits.forwardFailures { queue.turn(at: 0, status: status) }
        #expect(queue.isOpen && queue.nextDue(at: 0) == 500)
        #expect(queue.turn(at: 500, status: 422)?.outcome == .failed)
        #expect(!queue.isOpen, "it works again")
    }

    @Test func anOrderedQueuePausesForEveryFailure() throws {
        let queue = Held(1, isOrdered: true)
        var now: Int64 = 0
        for _ in 1...Limits.forwardFailures {
            queue.turn(at: now, status: 422)
            now = try #require(queue.nextDue(at: now))
        }
        #expect(queue.isOpen)
    }

    @Test func afterAPauseACallbackThatWasNotTriedGoesFirst() throws {
        let queue = Held(Limits.forwardFailures)
        var now: Int64 = 0
        for _ in 1...10 {
            while queue.turn(at: now, status: 500) != nil {}
            now = try #require(queue.nextDue(at: now))
        }
        queue.add(ForwardQueue.Entry(99, RecordID(at: .now), at: now))
        #expect(queue.isOpen)
        #expect(queue.turn(at: now, status: 200)?.number == 99)
        #expect(!queue.isOpen)
        #expect(queue.take(at: now) != nil)
    }

    /// Whether those that fail came after the others or before them.
    @Test(arguments: [21...25, 81...85])
    func callbacksThatFailHoldNoOtherUpForLong(good: ClosedRange<Int>) throws {
        let queue = Held(85)
        var now: Int64 = 0
        var delivered: Set<Int> = []
        while delivered.count < good.count {
            while let entry = queue.take(at: now) {
                let status = good.contains(entry.sequence) ? 200 : 500
                let (outcome, delay) = queue.outcome(of: entry, status: status, jitter: 1)
                queue.end(entry, outcome, status: status, delay: delay, at: now)
                if outcome == .delivered { delivered.insert(entry.sequence) }
            }
            now = try #require(queue.nextDue(at: now))
            try #require(now < 600_000)
        }
        #expect(now < 60_000)
    }

    @Test func aTargetThatFailsForAMinuteIsDownAlsoIfItWorkedBefore() throws {
        let queue = Held(100)
        #expect(queue.turn(at: 0, status: 200)?.outcome == .delivered)
        for _ in 1...Limits.forwardFailures { queue.turn(at: 59_999, status: 500) }
        #expect(queue.failures == 0)
        for _ in 1...Limits.forwardFailures { queue.turn(at: 60_000, status: 500) }
        #expect(queue.isOpen)
    }

    @Test(arguments: [429, 503])
    func aTargetThatAsksForFewerRequestsIsDownAlsoIfItHasJustWorked(status: Int) {
        let queue = Held(100)
        queue.turn(at: 0, status: 200)
        for _ in 1...Limits.forwardFailures { queue.turn(at: 0, status: status) }
        #expect(queue.isOpen)
    }

    @Test func attemptsThatWereUnderWayDontLengthenThePause() throws {
        let queue = Held(100)
        for _ in 1..<Limits.forwardFailures { queue.turn(at: 0, status: nil) }
        var taken: [ForwardQueue.Entry] = []
        while let entry = queue.take(at: 0) { taken.append(entry) }
        for entry in taken { queue.end(entry, .failed, status: nil, delay: 9, at: 0) }
        #expect(queue.failures == Limits.forwardFailures)
        #expect(queue.nextDue(at: 0) == 500)
    }

    @Test(arguments: [true, false])
    func aRetryEndsAPauseAlsoIfNothingIsDead(isOrdered: Bool) throws {
        let queue = Held(Limits.forwardFailures + 1, isOrdered: isOrdered)
        var now: Int64 = 0
        while !queue.isOpen {
            queue.turn(at: now, status: nil)
            now = try #require(queue.nextDue(at: now))
        }
        now -= 1
        #expect(queue.take(at: now) == nil)
        #expect(queue.pending.map { queue.nextAttempt(of: $0) }.min() == now + 1)
        #expect(queue.retryDead(RecordID(at: .now), at: now) == 0)
        #expect(queue.take(at: now) == nil, "it is about another record")
        let waiting = queue.pendingCount
        #expect(queue.retryDead(nil, at: now) == waiting)
        #expect(queue.failures == 0 && queue.pausedUntil == 0)
        #expect(queue.turn(at: now, status: 200)?.outcome == .delivered)
    }

    @Test(arguments: [true, false])
    func aRetryEndsTheDelayAfterAFewFailures(isOrdered: Bool) throws {
        let queue = Held(2, isOrdered: isOrdered)
        while queue.turn(at: 0, status: nil) != nil {}
        #expect(!queue.isOpen && queue.take(at: 1) == nil)
        #expect(queue.retryDead(nil, at: 1) == 2)
        while queue.turn(at: 1, status: nil) != nil {}
        let last = try #require(queue.pending.last)
        #expect(queue.take(at: 2) == nil)
        #expect(queue.retryDead(last.id, at: 2) == 1)
        #expect(queue.retryDead(last.id, at: 2) == 0, "it is due")
        #expect(queue.take(at: 2)?.sequence == (isOrdered ? 1 : 2))
        #expect(queue.take(at: 2) == nil)
    }

    @Test func aClockThatWasSetBackDelaysNothingForLong() throws {
        let queue = Held(1)
        let entry = try #require(queue.take(at: 10_000_000))
        queue.end(entry, .failed, status: nil, delay: 500, at: 10_000_000)
        #expect(queue.take(at: 0) != nil)
    }

    @Test func theQueueIsBounded() {
        #expect(Held(Limits.forwardPending - 1).room == 1)
        #expect(Held(Limits.forwardPending + 5).room == 0)
    }
}
