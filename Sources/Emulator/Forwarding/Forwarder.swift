// Sends the callbacks of one rule to one target: reads them from the journal, attempts, retries.
//
// Invariant: the journal is the queue. A record counts as done only after the target's success, and
// the file of the queue is written after that, so a crash can repeat a delivery and never lose one.
// A record that is sent was looked up, at most a second before; what was erased until now is
// dropped, and counted. Nothing here runs on the road of a callback: the store's feed wakes it.

import HTTP1
import HTTPClient
import JSON
import Logging
import ResultAPI
import ResultStore
import Settings
import Synchronization
import Vendors

/// Forwards to one target.
package final class Forwarder: Sendable {
    private struct State {
        var queue: ForwardQueue
        /// Whether it is known that the queue belongs to what is stored.
        var isSettled = false
        var attempts: [ForwardQueue.Outcome: Int] = [:]
        var dropped = 0
        /// Small lines that were read and not sent yet, each until a time, and their bytes.
        var lines: [RecordID: (line: StoredLine, until: Int64)] = [:]
        var lineBytes = 0
        /// How often there was something to read, and how often when all was read.
        var news = 1
        var newsRead = 0
        var hasNews: Bool { news != newsRead }
        /// How often the queue went back because a database has lost the last records.
        var retreats = 0
        var nextRead: Int64 = 0
        var nextSave: Int64 = 0
        var isSaved = true
    }

    package let rule: String
    package let target: Configuration.ForwardRule.Target
    /// The target without its query, which may be secret.
    package let shownURL: String
    private let condition: Condition
    private let mayConnect: AddressPolicy?
    private let path: String
    private let dependencies: Dependencies
    private let state: Mutex<State>
    private let wakeups = Wakeups()

    /// Restores the queue.
    ///
    /// A new queue begins after the last stored record. If the database can't be reached, that is
    /// the last record when it is first reached; records that wait in the spool come after it.
    ///
    /// - Parameters:
    ///   - condition: of the rule.
    ///   - path: the queue's file, in a folder that exists.
    ///
    /// Throws `unreadable` for a file that can't be read or written, unless a forwarder of this
    /// process has stopped with this file: then what that one knew is in its place.
    package init(
        _ rule: String, _ target: Configuration.ForwardRule.Target, _ condition: Condition,
        path: String, mayConnect: AddressPolicy?, _ dependencies: Dependencies
    ) throws(ConfigurationError) {
        self.rule = rule
        self.target = target
        shownURL = RequestPlace.shown(target.url)
        self.condition = condition
        self.path = path
        self.mayConnect = mayConnect
        self.dependencies = dependencies
        let rules = target.rules(inFlight: dependencies.inFlight)
        let known = dependencies.queues[path]
        let saved = try Self.saved(rules, path, rule, isKnown: known != nil, dependencies.log)
        // No record has such a number: it gives way to the last one's.
        state = Mutex(State(queue: saved ?? known ?? ForwardQueue(rules, through: .max)))
        guard let last = dependencies.store.lastSequence else { return }
        settle(last)
        guard saved != queue, let reason = write() else { return }
        guard known != nil else {
            throw .unreadable(path: path, reason: "it can't be written: \(reason)")
        }
        state.withLock { $0.isSaved = false }
    }

    /// What the file holds; nil if it doesn't exist, and if it can't be read but the queue is known.
    private static func saved(
        _ rules: ForwardQueue.Rules, _ path: String, _ rule: String, isKnown: Bool, _ log: Logger
    ) throws(ConfigurationError) -> ForwardQueue? {
        do throws(ConfigurationError) {
            return try ForwardQueue(rules, file: path)
        } catch {
            guard isKnown else { throw error }
            log.error(
                "the queue of a target can't be read: it goes on with what was in memory",
                metadata: ["rule": "\(rule)", "reason": "\(error)"])
            return nil
        }
    }

    /// Once: lets a new queue begin after the last stored record, and one that has read further go
    /// on there: the store is an earlier copy, or another one.
    private func settle(_ last: Int) {
        let former = state.withLock { state -> Int? in
            guard !state.isSettled else { return nil }
            state.isSettled = true
            let through = state.queue.through
            guard through > last else { return nil }
            state.queue.goBack(to: last)
            state.isSaved = false
            return through
        }
        guard let former, former != .max else { return }
        dependencies.log.warning(
            "the store ends before what was read of it for a target: later callbacks are forwarded",
            metadata: ["rule": "\(rule)", "read": "\(former)", "last": "\(last)"])
    }

    /// A copy of the queue.
    package var queue: ForwardQueue { state.withLock { $0.queue } }

    /// The number of attempts since the start, by outcome.
    package var attempts: [ForwardQueue.Outcome: Int] { state.withLock { $0.attempts } }

    /// The number of records since the start that were erased, or couldn't be read, before they
    /// were delivered.
    package var dropped: Int { state.withLock { $0.dropped } }

    // MARK: Running

    /// Forwards until the task is cancelled.
    package func run() async {
        let store = dependencies.store
        let subscription = store.subscribe(to: condition, .all(keeping: 1))
        defer { store.unsubscribe(subscription) }
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled, !subscription.isEnded {
                    await subscription.wait()
                    let arrival = subscription.take()
                    self.noteNews(after: arrival.former, goingBackTo: arrival.retreat)
                }
            }
            group.addTask {
                let pause = Duration.seconds(Limits.forwardLookSeconds)
                repeat {
                    await self.dropErasedDead()
                } while (try? await Task.sleep(for: pause)) != nil
            }
            wakeups.wake()
            for await _ in wakeups.stream {
                if isReadDue { await read() }
                while let entry = take() {
                    group.addTask {
                        await self.attempt(entry)
                        self.wakeups.wake()
                    }
                }
                save(atOnce: false)
                wakeups.wake(at: nextDue)
            }
        }
        wakeups.wake(at: nil)
        save(atOnce: true)
        dependencies.queues[path] = queue.stopped
    }

    /// - Parameters:
    ///   - number: up to it, no record matches that was not noted before.
    ///   - last: the last record that is still stored, if a database has lost later ones.
    package func noteNews(after number: Int, goingBackTo last: Int?) {
        state.withLock { state in
            if !state.hasNews { state.queue.settled = max(state.queue.settled, number) }
            state.news += 1
            guard let last else { return }
            // A page that is being read may be from before the loss: makes `read` discard it.
            state.retreats += 1
            state.queue.goBack(to: last)
            state.isSaved = false
        }
        wakeups.wake()
    }

    private var isReadDue: Bool {
        let now = dependencies.now()
        return state.withLock { state in
            state.hasNews && state.queue.room > 0 && Self.isDue(state.nextRead, at: now)
        }
    }

    /// Whether a time has come; one that is far away was set before the clock was set back.
    private static func isDue(_ time: Int64, at now: Int64) -> Bool {
        time <= now || time - now > Limits.forwardPauseMilliseconds
    }

    private var nextDue: ContinuousClock.Instant? {
        let now = dependencies.now()
        let due = state.withLock { state in
            [
                state.queue.nextDue(at: now),
                state.hasNews && state.queue.room > 0 ? state.nextRead : nil,
                state.isSaved ? nil : state.nextSave,
            ].compactMap(\.self).min()
        }
        return due.map { .now + .milliseconds(max(0, $0 - now)) }
    }

    // MARK: Reading

    /// Which records have not been read.
    private var unreadQuery: ResultQuery {
        let through = state.withLock { $0.queue.through }
        return ResultQuery(
            .all([condition, .compare(.seq, .greater, .integer(through))]), by: .seq,
            isDescending: false)
    }

    /// The number of matching records that wait in the journal, because the queue is full; nil if
    /// they can't be counted.
    package func unreadCount() async -> Int? {
        guard queue.room == 0 else { return 0 }
        let outline = try? await dependencies.store.outline(of: unreadQuery, limit: 1, counts: true)
        return outline?.total?.count
    }

    /// Reads a page of records into the queue.
    package func read() async {
        let store = dependencies.store
        guard let last = store.lastSequence, let first = store.firstSequence else {
            return postponeRead()
        }
        settle(first)
        let (room, news, retreats) = state.withLock { state in
            state.nextRead = dependencies.now() + Limits.forwardReadMilliseconds
            return (state.queue.room, state.news, state.retreats)
        }
        let limit = min(room, Limits.forwardPage.records)
        guard limit > 0 else { return }
        do throws(StoreError) {
            let page = try await store.outline(
                of: unreadQuery, limit: limit, bytes: Limits.forwardPage.bytes)
            var permit: MemoryPermit?
            if page.bytes > Limits.forwardUncountedBytes {
                let bytes = page.bytes * Limits.forwardCopies
                permit = await dependencies.readMemory.permit(for: bytes)
                if permit == nil { return postponeRead() }
            }
            defer { withExtendedLifetime(permit) {} }
            let (lines, damage) = try await store.lines(of: page, 0..<page.count)
            for damage in damage { report(damage) }
            let now = dependencies.now()
            state.withLock { state in
                // Otherwise it is read again.
                guard state.retreats == retreats else { return }
                Self.add(lines, of: page, through: last, at: now, to: &state)
                if page.next == nil { state.newsRead = news }
            }
        } catch {
            // While the index is being rebuilt, and after a failure of the disk.
            report(error)
            postponeRead()
        }
    }

    private func postponeRead() {
        let due = dependencies.now() + Limits.forwardPauseMilliseconds
        state.withLock { $0.nextRead = due }
    }

    private static func add(
        _ lines: [StoredLine], of page: PageOutline, through last: Int, at now: Int64,
        to state: inout State
    ) {
        let firstNumbers = page.firstNumbers
        let small = lines.lazy.filter { $0.size <= Limits.forwardUncountedBytes }
        if state.lineBytes + small.reduce(0, { $0 + $1.size }) > Limits.forwardPage.bytes {
            (state.lines, state.lineBytes) = ([:], 0)
        }
        for line in lines {
            guard let root = try? JSONDocument(parsing: line.text).root,
                let id = root["id"]?.string.flatMap({ RecordID($0) })
            else { continue }
            // What it replaces was read before, or didn't match; an imported one replaces none.
            if root["redecoded_at"] != nil,
                firstNumbers[line.sequence, default: .max] <= state.queue.settled
            {
                continue
            }
            if RecordDiagnostics.isRefused(root) { continue }
            state.queue.add(ForwardQueue.Entry(line.sequence, id, at: now))
            guard line.size <= Limits.forwardUncountedBytes else { continue }
            state.lines[id] = (line, now + Limits.forwardLineMilliseconds)
            state.lineBytes += line.size
        }
        if let next = page.next {
            state.queue.through = next.sequence
            state.nextRead = now
        } else {
            state.queue.through = max(last, lines.last?.sequence ?? 0)
            state.queue.settled = state.queue.through
        }
        state.isSaved = false
    }

    // MARK: Attempts

    /// The next due entry; `attempt` must follow.
    package func take() -> ForwardQueue.Entry? {
        let now = dependencies.now()
        return state.withLock { $0.queue.take(at: now) }
    }

    /// Sends a record once.
    package func attempt(_ entry: ForwardQueue.Entry) async {
        guard let (request, permit) = await resending(entry) else { return }
        defer { withExtendedLifetime(permit) {} }
        var attempt = await request.attempt(by: dependencies.send)
        // The server stops: the attempt is made again after the next start.
        if Task.isCancelled { return }
        let jitter = Double.random(in: 0...1)
        let (outcome, delay) = state.withLock {
            $0.queue.outcome(of: entry, status: attempt.status, jitter: jitter)
        }
        attempt.outcome = outcome
        if outcome == .failed { attempt.next = .milliseconds(delay) }
        if let kept = await dependencies.store.keep(
            attempt, masking: dependencies.pseudonyms, dependencies.log)
        {
            // If the callback was erased meanwhile, its attempt must go too: it names the inbox.
            await dependencies.store.erase(
                [kept.id], ifErased: entry.id, since: entry.sequence, onFailure: report)
        }
        let dropped = state.withLock { state in
            state.attempts[outcome, default: 0] += 1
            state.isSaved = false
            return state.queue.end(
                entry, outcome, status: attempt.status, delay: delay, at: dependencies.now())
        }
        guard outcome == .dead else { return }
        dependencies.log.error(
            "a callback could not be forwarded",
            metadata: [
                "rule": "\(rule)", "id": "\(entry.id)", "attempts": "\(entry.attempts + 1)",
                "dropped": "\(dropped?.id.description ?? "none")",
            ])
    }

    /// The line of an entry that was read a moment ago.
    private func keptLine(of entry: ForwardQueue.Entry) -> StoredLine? {
        let now = dependencies.now()
        return state.withLock { state -> StoredLine? in
            guard let kept = state.lines.removeValue(forKey: entry.id) else { return nil }
            state.lineBytes -= kept.line.size
            return now < kept.until ? kept.line : nil
        }
    }

    /// The request for an entry, with permits for its memory if it is large; nil if its record was
    /// erased, comes from another forwarder or can't be read now.
    private func resending(_ entry: ForwardQueue.Entry) async -> (Resending, [MemoryPermit])? {
        let store = dependencies.store
        do throws(StoreError) {
            var found = keptLine(of: entry)
            var permits: [MemoryPermit] = []
            if let line = found {
                if try await store.wasErased(entry.id, since: line.sequence) { found = nil }
            } else if let bytes = try await store.outline(of: entry.id)?.bytes {
                guard let taken = await dependencies.permits(toSend: bytes) else {
                    giveBack(entry)
                    return nil
                }
                permits = taken
                found = try await store.line(of: entry.id)
            }
            guard let line = found, let facts = store.facts(in: line),
                let request = ResentRequest(line.text)
            else {
                reportDropped(entry)
                return nil
            }
            let isForwarded = request.fields.contains {
                $0.name.lowercased() == ForwardQueue.attemptField.lowercased()
            }
            if isForwarded {
                drop(entry)
                return nil
            }
            var resending = Resending(
                request, to: request.url(at: target.url), of: facts, mayConnect: mayConnect)
            resending.forward(entry.id, by: rule, attempt: entry.attempts + 1)
            // libcurl has a copy of its own.
            for permit in permits { permit.finish(holding: 2 * request.body.count) }
            return (resending, permits)
        } catch {
            report(error)
            switch error {
            case .damaged, .unreadableRow: reportDropped(entry)
            default: giveBack(entry)
            }
            return nil
        }
    }

    /// Lets an entry wait that can't be tried now.
    private func giveBack(_ entry: ForwardQueue.Entry) {
        let due = dependencies.now() + Limits.forwardPauseMilliseconds
        state.withLock { $0.queue.giveBack(entry, until: due) }
    }

    private func drop(_ entry: ForwardQueue.Entry) {
        state.withLock { state in
            state.queue.drop(entry)
            state.isSaved = false
        }
    }

    /// Drops the dead letters whose records were erased.
    ///
    /// O(dead · log(records)).
    package func dropErasedDead() async {
        for entry in queue.dead {
            do throws(StoreError) {
                guard try await dependencies.store.outline(of: entry.id) == nil else { continue }
            } catch {
                // While the index is being rebuilt, for example: the next look tries again.
                return
            }
            reportDropped(entry)
            wakeups.wake()
        }
    }

    /// Drops an entry that was to be delivered.
    private func reportDropped(_ entry: ForwardQueue.Entry) {
        state.withLock { $0.dropped += 1 }
        drop(entry)
        dependencies.log.warning(
            "a callback is not forwarded: it was erased, or can't be read",
            metadata: [
                "rule": "\(rule)", "id": "\(entry.id)", "attempts": "\(entry.attempts)",
            ])
    }

    private func report(_ error: StoreError) {
        // The server stops, which ends what the store was asked.
        if Task.isCancelled { return }
        dependencies.log.error(
            "callbacks to forward can't be read",
            metadata: ["rule": "\(rule)", "reason": "\(error)"])
    }

    /// Makes dead letters pending again, and ends delays; see `ForwardQueue.retryDead`.
    package func retryDead(_ id: RecordID?) -> Int {
        let now = dependencies.now()
        let count = state.withLock { state in
            state.isSaved = false
            return state.queue.retryDead(id, at: now)
        }
        wakeups.wake()
        return count
    }

    // MARK: Saving

    /// Writes the queue's file if it has changed.
    ///
    /// - Parameter atOnce: whether to write even if it was written a moment ago.
    package func save(atOnce: Bool) {
        let now = dependencies.now()
        let isDue = state.withLock { state in
            guard !state.isSaved, atOnce || Self.isDue(state.nextSave, at: now) else {
                return false
            }
            state.isSaved = true
            state.nextSave = now + Limits.forwardSaveMilliseconds
            return true
        }
        guard isDue, let reason = write() else { return }
        state.withLock { $0.isSaved = false }
        dependencies.log.error(
            "the queue of a target can't be saved",
            metadata: ["rule": "\(rule)", "reason": "\(reason)"])
    }

    /// Writes the queue's file; returns why it failed, or nil.
    private func write() -> StoreError? {
        let json = queue.json
        do throws(StoreError) {
            let file = try UnfinishedFile(path)
            try file.append(json)
            try file.finish()
            return nil
        } catch {
            return error
        }
    }
}
