// One message that the emulator sends itself, and the result of an attempt.

import Clocks
import HTTPClient
import ResultStore
import Vendors

/// A message that the emulator has to send.
package struct Delivery: Sendable {
    /// The flow that the attempts belong to; nil for none.
    let flow: String?
    let inbox: String
    /// The contract of the message; nil if its vendor has none.
    let contract: Contract?
    /// Delay until the first attempt.
    package let after: Duration
    let method: ClientRequest.Method
    let url: String
    /// Whether the query of the URL, which may be secret, is left out of the records of attempts.
    var hidesQuery = false
    var body: [UInt8] = []
    /// The header fields of an attempt at a time; signatures depend on the time.
    var fields: @Sendable (Timestamp) -> [(name: String, value: String)] = { _ in [] }
    /// Delay after each failed attempt.
    package var retries: [Duration] = []
    /// The addresses that its host may resolve to; nil allows all.
    var mayConnect: AddressPolicy?
    /// The vendor of a message without contract.
    var vendor: Vendor?
    /// The launch that it answers; nil for a record that is sent again.
    var launch: Receipt?
    /// The stored record that it sends again; nil for other deliveries.
    var resent: RecordID?
    /// The rule that forwards that record; nil for other deliveries.
    var rule: String?

    /// Svix's delays after the first attempt (vendor document 1.4).
    package static let webhookRetries: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
        .seconds(36_000), .seconds(36_000),
    ]

    /// Approximate bytes in memory while it waits.
    var size: Int { url.utf8.count + body.count + Self.overheadBytes }

    private static let overheadBytes = 1024

    /// The request of an attempt.
    package func request(_ fields: [(name: String, value: String)]) -> ClientRequest {
        var request = ClientRequest(method, url, fields: fields)
        // An unresponsive host frees its place soon. The total is the time limit in the vendor's
        // current text (vendor document 1.4).
        request.connectMilliseconds = 5_000
        request.stallMilliseconds = 20_000
        request.totalMilliseconds = 20_000
        request.mayConnect = mayConnect
        if !body.isEmpty { request.body = .bytes(body) }
        return request
    }
}

/// The result of one attempt.
package struct DeliveryAttempt: Sendable {
    let delivery: Delivery
    /// From 1.
    package let number: Int
    let startedAt: Timestamp
    let fields: [(name: String, value: String)]
    /// The response's status; nil without a response.
    package let status: Int?
    /// Why there was no response.
    package let failure: String?
    package let milliseconds: Int64
    /// Delay until the next attempt; nil for the last one.
    package var next: Duration?
    /// Whether it was the last because too many deliveries wait for a retry.
    package var isGivenUp = false
    /// What it led to, if it forwards a record.
    var outcome: ForwardQueue.Outcome?

    /// Whether the receiver accepted it (any 2xx, vendor document 1.4).
    package var isDelivered: Bool { status.map { 200...299 ~= $0 } ?? false }
}
