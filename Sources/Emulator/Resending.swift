// One attempt to send a stored callback again, to a URL that a person or a forwarding rule names.
//
// Invariant: the rules for targets are those of the emulator's own deliveries (`CallbackTarget`):
// a person with the token must not reach hosts that only this server reaches. Left out: retries.

import Clocks
import HTTPClient
import ResultAPI
import ResultStore
import Vendors

/// A stored callback on its way to another server.
package struct Resending: Sendable {
    private var delivery: Delivery
    private var number = 1

    /// Prepares an attempt.
    ///
    /// - Parameters:
    ///   - url: the whole URL, with the query.
    ///   - mayConnect: the addresses that its host may resolve to.
    package init(
        _ request: ResentRequest, to url: String, of record: RecordFacts,
        mayConnect: AddressPolicy?
    ) {
        let fields = request.fieldsForOthers
        var delivery = Delivery(
            flow: record.flow, inbox: record.inbox,
            contract: record.contract.flatMap { Contract(rawValue: $0) }, after: .zero,
            // No callback comes with another method, but for imported ones and strays with TRACE,
            // which may have no content (RFC 9110 §9.3.8).
            method: ClientRequest.Method(rawValue: request.method) ?? .post, url: url,
            body: request.body, fields: { _ in fields })
        delivery.vendor = Vendor(rawValue: record.vendor)
        delivery.mayConnect = mayConnect
        delivery.resent = record.id
        self.delivery = delivery
    }

    /// Makes it an attempt of a forwarding rule: the target can tell by `Idempotency-Key` what it
    /// has, and by `Landfall-Attempt` that it is asked again.
    mutating func forward(_ record: RecordID, by rule: String, attempt number: Int) {
        let fields =
            delivery.fields(.now) + [
                (ForwardQueue.keyField, record.description),
                (ForwardQueue.attemptField, "\(number)"),
            ]
        delivery.fields = { _ in fields }
        delivery.rule = rule
        self.number = number
    }

    /// Sends the request; returns when the response, or a failure, is there.
    package func attempt(
        by send: Deliveries.Send = { try await Deliveries.status(of: $0) }
    ) async -> DeliveryAttempt {
        await Deliveries.attempt(delivery, number: number, by: send)
    }

    /// The attempt of a callback that this server received itself, without a connection.
    package func received(with status: Int, at startedAt: Timestamp) -> DeliveryAttempt {
        DeliveryAttempt(
            delivery: delivery, number: 1, startedAt: startedAt, fields: delivery.fields(startedAt),
            status: status, failure: nil,
            milliseconds: max(0, Timestamp.now.unixMilliseconds - startedAt.unixMilliseconds))
    }
}
