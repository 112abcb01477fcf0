// Callbacks that the emulator sends itself, those after the first, or all if they are posted, and
// webhooks to partner back ends, retried on the vendor's schedule.
//
// Invariant: targets were allowed before (`CallbackTarget`). Every attempt becomes a record of its
// flow, but for those that a stop of the server ends. Deliveries still pending then are dropped, and
// so are those of a launch that was erased.

import Clocks
import HTTPClient
import ResultStore
import ServiceLifecycle
import Synchronization

/// Sends deliveries, up to `DeliveryQueue.inFlight` at a time.
package final class Deliveries: Service, CustomStringConvertible {
    package let description = "deliveries"

    /// Sends a request; returns the response's status.
    package typealias Send = @Sendable (ClientRequest) async throws -> Int

    private let queue = Mutex(DeliveryQueue())
    private let wakeups = Wakeups()
    private let send: Send
    private let now: @Sendable () -> ContinuousClock.Instant
    private let isErased: @Sendable (Receipt) async -> Bool
    private let onAttempt: @Sendable (DeliveryAttempt) async -> Void

    /// - Parameters:
    ///   - now: the clock that schedules attempts.
    ///   - isErased: whether a launch is no longer stored, so that nothing more is sent for it.
    ///   - onAttempt: called after every attempt that the server's stop doesn't end, before the next
    ///     one.
    package init(
        send: @escaping Send = { try await Deliveries.status(of: $0) },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        isErased: @escaping @Sendable (Receipt) async -> Bool = { _ in false },
        onAttempt: @escaping @Sendable (DeliveryAttempt) async -> Void
    ) {
        self.send = send
        self.now = now
        self.isErased = isErased
        self.onAttempt = onAttempt
    }

    /// Reserves places for all deliveries of one launch; false if there are too few.
    ///
    /// `add` or `withdraw` must follow.
    package func reserve(_ deliveries: [Delivery]) -> Bool {
        queue.withLock { $0.reserve(deliveries) }
    }

    /// Releases reserved places.
    package func withdraw(_ deliveries: [Delivery]) {
        queue.withLock { queue in for delivery in deliveries { queue.release(delivery) } }
    }

    /// Adds the deliveries of a launch to their reserved places.
    package func add(_ deliveries: [Delivery], of launch: Receipt) {
        guard !deliveries.isEmpty else { return }
        let now = now()
        queue.withLock { queue in
            for var delivery in deliveries {
                delivery.launch = launch
                queue.add(delivery, at: now)
            }
        }
        wakeups.wake()
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.deliver() }
            try? await gracefulShutdown()
            group.cancelAll()
        }
    }

    private func deliver() async {
        await withDiscardingTaskGroup { group in
            for await _ in wakeups.stream {
                while let entry = takeDue() {
                    group.addTask {
                        await self.attempt(entry)
                        self.wakeups.wake()
                    }
                }
                wakeups.wake(at: nextDue)
            }
        }
        wakeups.wake(at: nil)
    }

    /// When the next attempt is due; nil if none waits, or if one has to end first.
    package var nextDue: ContinuousClock.Instant? { queue.withLock { $0.nextDue } }

    /// The next due delivery.
    package func takeDue() -> DeliveryQueue.Entry? {
        let now = now()
        return queue.withLock { $0.takeDue(at: now) }
    }

    // MARK: Attempts

    /// Makes one attempt; a failed delivery waits for the next attempt of its schedule.
    ///
    /// None if the launch was erased.
    package func attempt(_ entry: DeliveryQueue.Entry) async {
        if let launch = entry.delivery.launch, await isErased(launch) {
            queue.withLock { $0.end(entry) }
            return
        }
        let retries = entry.delivery.retries
        var attempt = await outcome(of: entry)
        // The server stops; the target may have got it.
        if Task.isCancelled {
            queue.withLock { $0.end(entry) }
            return
        }
        if !attempt.isDelivered, entry.number <= retries.count {
            let wait = retries[entry.number - 1]
            let due = now() + wait
            if queue.withLock({ $0.retry(entry, at: due) }) {
                attempt.next = wait
            } else {
                attempt.isGivenUp = true
            }
        } else {
            queue.withLock { $0.end(entry) }
        }
        await onAttempt(attempt)
    }

    private func outcome(of entry: DeliveryQueue.Entry) async -> DeliveryAttempt {
        await Self.attempt(entry.delivery, number: entry.number, by: send)
    }

    /// Sends a delivery once.
    static func attempt(
        _ delivery: Delivery, number: Int, by send: Send
    ) async -> DeliveryAttempt {
        let startedAt = Timestamp.now
        let start = ContinuousClock.now
        let fields = delivery.fields(startedAt)
        var status: Int?
        var failure: String?
        do {
            status = try await send(delivery.request(fields))
        } catch {
            // The URL may contain health data, and the failure is shown where values are masked.
            failure = "\(error)".replacing(delivery.url, with: "The URL")
        }
        return DeliveryAttempt(
            delivery: delivery, number: number, startedAt: startedAt, fields: fields,
            status: status, failure: failure,
            milliseconds: (ContinuousClock.now - start).milliseconds)
    }

    /// Maximum bytes of a response that are read and dropped before the connection closes.
    private static let droppedBytes = 256 * 1024

    /// The status of a response, which counts also if its content is cut off or late.
    static func status(of request: ClientRequest) async throws(ClientError) -> Int {
        try await Client.head(of: request, dropping: droppedBytes).status
    }
}
