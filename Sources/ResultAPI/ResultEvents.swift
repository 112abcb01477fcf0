// Results as server-sent events: stored ones from the index, page by page, then new ones from a
// subscription that began before. What the subscription couldn't keep comes from the index, too:
// while stored results are sent, and when more come at once than are kept.
//
// Invariant: `id` is `seq`, so a client that reconnects with the last id misses nothing and sees
// nothing twice. A client that reads too slowly gets a `gap` event in place of what it missed.

import Clocks
import HTTP1
import ResultStore

/// The events of one client.
package struct ResultEvents: AsyncSequence, Sendable {
    private let api: ResultAPI
    private let asked: ResultParameters
    private let after: Int?

    /// Results that are buffered for a client.
    package static let keptResults = 256

    /// Milliseconds to take one part of the stream, after which a client is slow: it gets a `gap`
    /// event in place of what wasn't buffered meanwhile.
    package static let slowMilliseconds: UInt64 = 1000

    /// Interval of the comments that show that the connection is alive.
    private static let heartbeatInterval = Duration.seconds(15)

    /// - Parameter after: nil begins with the next new result.
    init(_ api: ResultAPI, _ asked: ResultParameters, after: Int?) {
        self.api = api
        self.asked = asked
        self.after = after
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    package final class AsyncIterator: AsyncIteratorProtocol {
        private let events: ResultEvents
        private let subscription: Subscription
        /// The events of stored results; nil once they have been sent.
        private var earlier: LongSequence<ResultLines>.AsyncIterator?
        private var hasBegun = false
        /// When the last part was handed over, in milliseconds; nil before.
        private var handedOver: UInt64?
        /// The permit for the last events, if they are large.
        private var permit: MemoryPermit?
        /// Interrupts the subscription at each interval.
        ///
        /// One task for the whole stream: the timer of a cancelled sleep stays in memory until its
        /// time, so one for each event would add up.
        private let heartbeat: Task<Void, Never>

        init(_ events: ResultEvents) {
            self.events = events
            let condition = events.asked.query.condition
            subscription = events.api.store.subscribe(
                to: condition, .all(keeping: ResultEvents.keptResults))
            heartbeat = Task { [subscription] in
                while (try? await Task.sleep(for: ResultEvents.heartbeatInterval)) != nil {
                    subscription.interrupt()
                }
            }
            let start = subscription.startSequence
            guard let after = events.after, after < start else { return }
            earlier = Self.stored(after + 1...start, events)
        }

        /// The events of stored results in a range of numbers.
        private static func stored(
            _ numbers: ClosedRange<Int>, _ events: ResultEvents
        ) -> LongSequence<ResultLines>.AsyncIterator {
            let query = ResultQuery(
                .all([
                    .compare(.seq, .greaterOrEqual, .integer(numbers.lowerBound)),
                    .compare(.seq, .lessOrEqual, .integer(numbers.upperBound)),
                    events.asked.query.condition,
                ]), by: .seq, isDescending: false)
            let fields = events.asked.fields
            let lines = ResultLines(events.api, query, after: nil) { line, text in
                ResultEvents.append(line, fields, to: &text)
            }
            return LongSequence(lines, on: events.api.work).makeAsyncIterator()
        }

        deinit {
            heartbeat.cancel()
            events.api.store.unsubscribe(subscription)
        }

        package func next() async throws -> [UInt8]? {
            // The next part is asked for when the client has taken the last one.
            let taking = handedOver.map { Clock.monotonicMilliseconds - $0 } ?? 0
            defer { handedOver = Clock.monotonicMilliseconds }
            if !hasBegun {
                hasBegun = true
                // Sets the reconnection delay, and shows that the stream is open.
                return Array("retry: 2000\n: results as they arrive\n\n".utf8)
            }
            repeat {
                while earlier != nil {
                    if let events = try await earlier?.next() { return events }
                    takeGap()
                    if earlier == nil { return Array(": end of earlier results\n\n".utf8) }
                }
                permit = nil
                await subscription.wait()
                if Task.isCancelled || subscription.isEnded { return nil }
                if taking <= ResultEvents.slowMilliseconds { takeGap() }
            } while earlier != nil
            let arrival = subscription.take()
            var text: [UInt8] = []
            if let gap = arrival.gap { text += Self.gap(gap) }
            let bytes = arrival.records.reduce(0) { $0 + $1.line.size }
            do {
                permit = try await events.api.memory(toReadLines: bytes)
                let (lines, fields) = (arrival.records.map(\.line), events.asked.fields)
                text += await events.api.largeWork.run(over: bytes) {
                    var text: [UInt8] = []
                    for line in lines { ResultEvents.append(line, fields, to: &text) }
                    return text
                }
                permit?.finish(holding: text.count)
            } catch {
                // Other clients hold all the memory: this one misses these results.
                if let first = arrival.records.first, let last = arrival.records.last {
                    text += Self.gap(first.facts.sequence...last.facts.sequence)
                }
            }
            return text.isEmpty ? Array(": still here\n\n".utf8) : text
        }

        /// Goes on with what the subscription dropped, if it dropped anything, from the index.
        private func takeGap() {
            earlier = subscription.takeGap().map { Self.stored($0, events) }
        }

        private static func gap(_ gap: ClosedRange<Int>) -> [UInt8] {
            Array(
                ("event: gap\ndata: {\"first_seq\":\(gap.lowerBound),"
                    + "\"last_seq\":\(gap.upperBound)}\n\n").utf8)
        }
    }

    private static func append(
        _ line: StoredLine, _ fields: FieldSelection?, to text: inout [UInt8]
    ) {
        text += "id: \(line.sequence)\nevent: result\ndata: ".utf8
        text += fields.apply(to: line.text)
        text += "\n\n".utf8
    }
}
