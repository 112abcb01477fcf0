// Callbacks that the emulator brings itself: further ones behind the first, and webhooks to partner
// back ends, tried again by the vendor's schedule.
//
// Invariant: where it leads was allowed before (`CallbackTarget`). Every attempt becomes a record of
// its flow. What is still to come when the server stops is not delivered.

import Clocks
import HTTP1
import ServiceLifecycle
import Vendors

/// One message that the emulator has to bring.
struct Delivery: Sendable {
    /// What its attempts belong to.
    let flow: String
    let inbox: String
    let contract: Contract
    /// From now to the first attempt.
    let after: Duration
    let method: Request.Method
    let url: String
    var body: [UInt8] = []
    /// The fields of an attempt at a time: signatures hold it.
    var fields: @Sendable (Timestamp) -> [(name: String, value: String)] = { _ in [] }
    /// From one failed attempt to the next.
    var retries: [Duration] = []

    /// When Svix tries again after the first attempt (vendor document 1.4).
    static let webhookRetries: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
        .seconds(36_000), .seconds(36_000),
    ]
}

/// What one attempt came to.
struct DeliveryAttempt: Sendable {
    let delivery: Delivery
    /// From 1.
    let number: Int
    let startedAt: Timestamp
    let fields: [(name: String, value: String)]
    /// The answer's status; nil when there was none.
    let status: Int?
    /// Why there was none.
    let failure: String?
    let milliseconds: Int64
    /// From this attempt to the next; nil when it was the last.
    let next: Duration?

    /// Whether the receiver took it (any 2xx, vendor document 1.4).
    var isDelivered: Bool { status.map { 200...299 ~= $0 } ?? false }
}

/// Brings messages, each in a task of its own.
final class Deliveries: Service, CustomStringConvertible {
    let description = "deliveries"

    /// Sends a request and answers with its status.
    typealias Send = @Sendable (ClientRequest) async throws -> Int

    /// Waits; throws when it is cancelled.
    typealias Sleep = @Sendable (Duration) async throws -> Void

    private let queue: AsyncStream<Delivery>
    private let entrance: AsyncStream<Delivery>.Continuation
    private let send: Send
    private let sleep: Sleep
    private let onAttempt: @Sendable (DeliveryAttempt) async -> Void

    /// Messages that wait or are being sent, at the most; more are dropped.
    private static let most = 1000

    /// - Parameter onAttempt: hears of every attempt, before the next one.
    init(
        send: @escaping Send = { try await Client.send($0).status },
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
        onAttempt: @escaping @Sendable (DeliveryAttempt) async -> Void
    ) {
        (queue, entrance) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.most))
        self.send = send
        self.sleep = sleep
        self.onAttempt = onAttempt
    }

    /// Hands a message over; false when there are too many.
    @discardableResult
    func add(_ delivery: Delivery) -> Bool {
        if case .enqueued = entrance.yield(delivery) { return true }
        return false
    }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await delivery in self.queue {
                        group.addTask { await self.deliver(delivery) }
                    }
                }
            }
            try? await gracefulShutdown()
            entrance.finish()
            group.cancelAll()
        }
    }

    /// Tries until it is taken or the schedule ends.
    func deliver(_ delivery: Delivery) async {
        var wait = delivery.after
        for number in 1...(delivery.retries.count + 1) {
            do {
                try await sleep(wait)
            } catch {
                return
            }
            let next = number <= delivery.retries.count ? delivery.retries[number - 1] : nil
            let attempt = await attempt(delivery, number, next)
            await onAttempt(attempt)
            guard !attempt.isDelivered, let next else { return }
            wait = next
        }
    }

    private func attempt(
        _ delivery: Delivery, _ number: Int, _ next: Duration?
    ) async -> DeliveryAttempt {
        let startedAt = Timestamp.now
        let clock = ContinuousClock()
        let start = clock.now
        let fields = delivery.fields(startedAt)
        var request = ClientRequest(delivery.method, delivery.url, fields: fields)
        // The time limit of the vendor's current text (vendor document 1.4).
        request.milliseconds = 20_000
        if !delivery.body.isEmpty { request.body = .bytes(delivery.body) }
        var status: Int?
        var failure: String?
        do {
            status = try await send(request)
        } catch {
            // What the URL says may be health data, and is told where it is masked.
            failure = "\(error)".replacing(delivery.url, with: "The URL")
        }
        let isDelivered = status.map { 200...299 ~= $0 } ?? false
        return DeliveryAttempt(
            delivery: delivery, number: number, startedAt: startedAt, fields: fields,
            status: status, failure: failure,
            milliseconds: (clock.now - start).milliseconds, next: isDelivered ? nil : next)
    }
}
