// One message that the emulator brings itself, and what an attempt to bring it came to.

import Clocks
import HTTPClient
import Vendors

/// One message that the emulator has to bring.
package struct Delivery: Sendable {
    /// What its attempts belong to.
    package let flow: String
    package let inbox: String
    package let contract: Contract
    /// From now to the first attempt.
    package let after: Duration
    package let method: ClientRequest.Method
    package let url: String
    package var body: [UInt8] = []
    /// The fields of an attempt at a time: signatures hold it.
    package var fields: @Sendable (Timestamp) -> [(name: String, value: String)] = { _ in [] }
    /// From one failed attempt to the next.
    package var retries: [Duration] = []
    /// Which addresses its host may lead to; nil for all.
    package var mayConnect: AddressPolicy?

    /// When Svix tries again after the first attempt (vendor document 1.4).
    package static let webhookRetries: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
        .seconds(36_000), .seconds(36_000),
    ]

    /// Bytes that it holds while it waits, about.
    package var size: Int { url.utf8.count + body.count + Self.overheadBytes }

    private static let overheadBytes = 1024

    /// The request of an attempt.
    package func request(_ fields: [(name: String, value: String)]) -> ClientRequest {
        var request = ClientRequest(method, url, fields: fields)
        // A host that answers nothing gives its place to others soon. The whole is the time limit of
        // the vendor's current text (vendor document 1.4).
        request.connectMilliseconds = 5_000
        request.stallMilliseconds = 20_000
        request.totalMilliseconds = 20_000
        request.mayConnect = mayConnect
        if !body.isEmpty { request.body = .bytes(body) }
        return request
    }
}

/// What one attempt came to.
package struct DeliveryAttempt: Sendable {
    package let delivery: Delivery
    /// From 1.
    package let number: Int
    let startedAt: Timestamp
    package let fields: [(name: String, value: String)]
    /// The response's status; nil when there was none.
    package let status: Int?
    /// Why there was none.
    package let failure: String?
    package let milliseconds: Int64
    /// From this attempt to the next; nil when it was the last.
    package var next: Duration?
    /// Whether it was the last because too many others wait for another attempt.
    package var isGivenUp = false

    /// Whether the receiver took it (any 2xx, vendor document 1.4).
    package var isDelivered: Bool { status.map { 200...299 ~= $0 } ?? false }
}
