// `GET /api/v1/results/wait`: returns as soon as enough results match, or reports what came
// instead.
//
// Invariant: results that were durable before the request count, and so does every later one; none
// is counted twice, and none that can't be read. After 4 MiB of lines, the others count unread.
// `Subscription` finds the later ones, the index the earlier ones. A result that is only decoded
// again is not a later one.

import Clocks
import HTTP1
import JSON
import Problems
import ResultStore
import Text

extension ResultAPI {
    /// Maximum minutes that a client may wait.
    package static let longestWaitMinutes = 5

    /// The conditions of a waiting request.
    private struct Waiting {
        let asked: ResultParameters
        /// Only results that came after this sequence number count.
        let after: Int
        let count: Int
        let milliseconds: UInt64
        /// Whether no result is expected.
        let expectsNone: Bool
    }

    /// `GET /api/v1/results/wait`: 200 with the results, 409 after the timeout.
    package func waitForResults(
        _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let last = try await ask { () async throws(StoreError) in
            try await store.sequenceReachedByFeed()
        }
        let waiting = try self.waiting(for: request, last: last)
        let subscription = store.subscribe(
            to: waiting.asked.query.condition, .first(waiting.count))
        defer { store.unsubscribe(subscription) }
        let start = subscription.startSequence
        var through = start
        var found = try await stored(waiting, through: through)
        var isPeerGone = false
        if found.count < waiting.count {
            let earlier = found.count
            let (outcome, ending) = await connection.whilePeerIsConnected(
                within: waiting.milliseconds
            ) {
                await gather(waiting, after: earlier, subscription)
            }
            if ending == .draining || subscription.isEnded { throw Problem(StoreError.closed) }
            isPeerGone = ending == .peerGone
            if let outcome {
                found = try outcome.get()
            } else {
                let arrival = subscription.take()
                through = arrival.through
                // What was found may have been erased or decoded again since.
                if found.outline.count > 0 || !arrival.isEmpty {
                    found = try await stored(waiting, through: through)
                }
            }
        }
        let isEnough = found.count >= waiting.count
        // The time has not passed, so whether a result comes isn't known.
        if isPeerGone, !isEnough { throw Problem(StoreError.cancelled) }
        // Not the store's last number: later results have not been examined.
        let position = isEnough ? found.position : through
        guard isEnough == waiting.expectsNone else {
            return try await PageText(
                self, found.outline, waiting.asked.fields, asLines: false, cursor: "\(position)"
            ).response("application/json", tag: nil, for: request)
        }
        let listed = try await list(found.outline, waiting.asked.fields, position)
        if waiting.expectsNone { throw Self.unexpectedResult(listed) }
        try await examineEarlierResults(waiting, subscription, start)
        throw try await Self.timedOut(waiting, found.count, subscription, listed, self)
    }

    /// Enough earlier and later results, or why the store can't be read; nil if the task or the
    /// subscription ends before.
    ///
    /// - Parameter count: the number of earlier results.
    private func gather(
        _ waiting: Waiting, after count: Int, _ subscription: Subscription
    ) async -> Result<Found, Problem>? {
        var count = count
        while !Task.isCancelled, !subscription.isEnded {
            if let missed = subscription.resumeAfterMissed() {
                do throws(Problem) {
                    let found = try await stored(waiting, through: missed)
                    if found.count >= waiting.count { return .success(found) }
                    count = found.count
                } catch {
                    return Task.isCancelled ? nil : .failure(error)
                }
            }
            let missing = waiting.count - count
            guard subscription.matchCount >= missing else {
                await subscription.wait(for: missing)
                continue
            }
            if count == 0 {
                // Later results alone are at hand without a query.
                let arrival = subscription.take()
                let lines = arrival.records.prefix(waiting.count).map(\.line)
                if lines.count == waiting.count, !arrival.isIncomplete {
                    return .success(Found(of: lines))
                }
            }
            // Results erased since must not count, and those decoded again have later numbers.
            subscription.reopen()
        }
        return nil
    }

    private func waiting(
        for request: Request, last: Int
    ) throws(Problem) -> Waiting {
        var parameters = QueryParameters(request)
        let asked = ResultParameters(&parameters, catalog: store.catalog, isOrdered: false)
        let after = parameters.take(
            "after", expected: "now, a seq up to \(last), or the next_cursor of an earlier wait"
        ) { text in
            text == "now" ? last : Int(text).flatMap { (0...last).contains($0) ? $0 : nil }
        }
        let most = ResultStore.pageLimit
        let count = parameters.take("count", in: 1...most)
        let within = parameters.take(
            "within", expected: "a time such as 30s or 500ms, up to \(Self.longestWaitMinutes)m"
        ) { text in
            Duration(text).flatMap { $0 <= .seconds(Self.longestWaitMinutes * 60) ? $0 : nil }
        }
        let none = parameters.takeFlag("none")
        if none == true, let count, count != 1 {
            parameters.add("count", "count can't be combined with none=true.")
        }
        try parameters.finish()
        return Waiting(
            asked: asked, after: after ?? 0, count: count ?? 1,
            milliseconds: UInt64(within?.milliseconds ?? 30_000), expectsNone: none ?? false)
    }

    /// Results that match, oldest first.
    private struct Found {
        var outline = PageOutline(of: [])
        /// Number of those whose lines could be read, and of those after `countedBytes`; the others
        /// were erased since they were found, or are damaged.
        var count = 0
        /// The position after the last one.
        var position: Int

        init(after position: Int) { self.position = position }

        /// Makes the results of lines in memory; requires one at least.
        init(of lines: [StoredLine]) {
            outline = PageOutline(of: lines)
            count = lines.count
            position = outline.arrivalNumber(at: lines.count - 1)
        }
    }

    /// Maximum bytes of lines that are kept until the response is made.
    ///
    /// Those of more results are read again, and one that is erased in between is left out.
    private static let keptBytes = 64 * 1024

    /// Bytes of intact lines after which results count without being read, so that a wait ends on
    /// time.
    private static let countedBytes = 4 * 1024 * 1024

    /// Maximum number of damaged lines that are read before a wait fails.
    private static let mostDamaged = ResultStore.pageLimit

    private static let tooMuchDamage = Problem(
        status: .internalServerError, kind: "damaged-record",
        detail: "Too many of the results that match are damaged: run "
            + "\"landfall results verify\", or give after.")

    /// Matching results up to a sequence number.
    ///
    /// Found beside the event loops, because they are read.
    private func stored(
        _ waiting: Waiting, through last: Int
    ) async throws(Problem) -> Found {
        guard waiting.after < last else { return Found(after: waiting.after) }
        return try await work.run { () async throws(Problem) in
            try await read(waiting, through: last)
        }
    }

    private func read(
        _ waiting: Waiting, through last: Int
    ) async throws(Problem) -> Found {
        let condition = waiting.asked.query.condition
        var found = Found(after: waiting.after)
        var lines: [StoredLine] = []
        var (bytes, damaged) = (0, 0)
        while found.count < waiting.count {
            let (position, missing) = (found.position, waiting.count - found.count)
            let page = try await ask { () async throws(StoreError) in
                try await store.outline(
                    of: condition, cameAfter: position, through: last, limit: missing)
            }
            if page.count == 0 { break }
            found.outline = found.outline.appending(page)
            found.position = page.arrivalNumber(at: page.count - 1)
            let isKept = found.outline.bytes <= Self.keptBytes
            var pages = PageLines(self, page)
            while bytes <= Self.countedBytes, let piece = try await pages.next() {
                found.count += piece.count
                bytes += piece.reduce(0) { $0 + $1.size }
                damaged += pages.damaged
                if isKept { lines += piece }
            }
            found.count += page.count - pages.index
            guard damaged <= Self.mostDamaged else { throw Self.tooMuchDamage }
            if page.count < missing { break }
        }
        if found.count == waiting.count, found.outline.bytes <= Self.keptBytes {
            found.outline = PageOutline(of: lines)
        }
        return found
    }

    /// The results that a problem lists.
    private struct Listed {
        let results: [UInt8]
        let count: Int
        let isWhole: Bool
        /// The position after the last one.
        let position: Int

        var members: [(name: String, value: [UInt8])] {
            [("results", results), ("next_cursor", Array("\"\(position)\"".utf8))]
        }
    }

    /// Lists results, up to `problemBytes`.
    ///
    /// - Parameter position: that after all of them.
    private func list(
        _ found: PageOutline, _ fields: FieldSelection?, _ position: Int
    ) async throws(Problem) -> Listed {
        var results = JSONWriter()
        results.beginArray()
        var count = 0
        var pages = PageLines(self, found)
        while results.bytes.count < Self.problemBytes, let lines = try await pages.next() {
            for line in lines { results.raw(fields.apply(to: line.text)) }
            count += lines.count
        }
        results.endArray()
        return Listed(
            results: results.bytes, count: count, isWhole: pages.isAtEnd,
            position: pages.isAtEnd ? position : found.arrivalNumber(at: pages.index - 1))
    }

    /// Bytes of results after which a problem stops listing them.
    package static let problemBytes = 1024 * 1024

    // MARK: Timeouts

    /// Maximum number of earlier results that are examined for near matches.
    private static let earlierResults = 200

    /// Maximum bytes of earlier results that are examined, so that a wait ends on time.
    package static let earlierBytes = 4 * 1024 * 1024

    /// Examines the newest earlier results: one may be the result that the client meant.
    private func examineEarlierResults(
        _ waiting: Waiting, _ subscription: Subscription, _ start: Int
    ) async throws(Problem) {
        let condition = Condition.all([
            .compare(.seq, .greater, .integer(waiting.after)),
            .compare(.seq, .lessOrEqual, .integer(start)),
            .not(waiting.asked.query.condition),
        ])
        let recent = try await facts(of: condition, limit: Self.earlierResults)
        for facts in recent { subscription.consider(facts) }
    }

    /// Facts of the newest results that match, read beside the event loops.
    private func facts(
        of condition: Condition, limit: Int
    ) async throws(Problem) -> [RecordFacts] {
        try await work.run { () async throws(Problem) in
            try await ask { () async throws(StoreError) in
                try await store.facts(
                    of: ResultQuery(condition, by: .seq), limit: limit, bytes: Self.earlierBytes)
            }
        }
    }

    private static func unexpectedResult(_ listed: Listed) -> Problem {
        Problem(
            status: .conflict, kind: "result-came",
            detail: "A result matched where none was expected.", members: listed.members)
    }

    private static func timedOut(
        _ waiting: Waiting, _ count: Int, _ subscription: Subscription,
        _ listed: Listed, _ api: ResultAPI
    ) async throws(Problem) -> Problem {
        let near = subscription.nearMisses
        var json = JSONWriter()
        json.array { json in
            for miss in near { Self.write(miss.facts, miss.misses, to: &json) }
        }
        var nearest = json.bytes
        if near.isEmpty, waiting.after > 0 {
            // Timed out. Reports earlier matches and why they don't count.
            let before = Condition.all([
                .compare(.seq, .lessOrEqual, .integer(waiting.after)),
                waiting.asked.query.condition,
            ])
            let facts = try await api.facts(of: before, limit: 3)
            var json = JSONWriter()
            json.array { json in
                for facts in facts {
                    let miss = Miss(
                        condition: "seq:>\(waiting.after)", found: "\(facts.sequence)")
                    Self.write(facts, [miss], to: &json)
                }
            }
            nearest = json.bytes
        }
        let seen = subscription.seenRecords
        let came =
            seen == 0
            ? "no record came while waiting" : "\(seen.counted("record")) came, matching or not"
        let rest =
            listed.isWhole
            ? "" : " Listed are the first \(listed.count); next_cursor goes on after them."
        return Problem(
            status: .conflict, kind: "wait-timed-out",
            detail: "\(count) of \(waiting.count) results arrived in time; \(came)." + rest,
            members: listed.members + [
                ("arrived", Array("\(seen)".utf8)), ("nearest", nearest),
            ])
    }

    private static func write(_ facts: RecordFacts, _ misses: [Miss], to json: inout JSONWriter) {
        json.object { json in
            json.member("id", facts.id.description)
            json.member("seq", facts.sequence)
            json.member("received_at", facts.receivedAt.description)
            json.member("kind", facts.kind.rawValue)
            json.member("inbox", facts.inbox)
            json.member("vendor", facts.vendor)
            json.member("outcome", facts.outcome)
            json.objects("misses", of: misses) { json, miss in
                json.member("condition", miss.condition)
                json.member("found", miss.found)
            }
        }
    }
}
