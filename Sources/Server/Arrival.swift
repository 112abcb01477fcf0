// A request that brings callbacks, and what becomes of them: the same for a request that is received,
// for a stray that is adopted, and for a stored callback that is sent again.

import Clocks
import Emulator
import HTTP1
import LinkHosting
import ResultAPI
import ResultStore
import Vendors

/// A request that brings callbacks, and where they go.
struct Arrival {
    let request: Request
    /// Without content coding.
    let body: [UInt8]
    let receivedAt: Timestamp
    let vendor: Vendor
    /// The contract that the receiver expects; nil detects it from each message.
    let contract: Contract?
    let inbox: String
    /// The flow that the path names; nil if it names none.
    let flow: String?
    /// Identifies a repeated request; nil if it has no key.
    let key: RepetitionKey?
    /// What the receiver's path captured.
    let parameters: [(name: String, value: String)]
    /// The site that may say that the link should have opened an app; nil if none may.
    let site: Sites.Site?
    /// What of it was masked when it was stored before.
    var masked = ReceivedRequest.Masked.nothing
    /// Whether its body was changed when it was stored before, so that no signature matches.
    var isChanged = false

    /// Bytes of the head in all records that the body may become, besides the first one's.
    var repeatedBytes: Int {
        let isList = body.first { $0 > 0x20 } == UInt8(ascii: "[")
        return isList ? request.bytes.count * Limits.maximumBatch : 0
    }
}

/// What a request brings, decoded.
enum ArrivalContent {
    /// One callback; the fault says why it is not trusted.
    case callback(CallbackRecord, WebhookFault?)
    /// The callbacks of a JSON list, in its order.
    case list([CallbackRecord])
}

/// What became of the callbacks that a request brought.
enum Reception {
    /// One is stored; the fault says why it is not trusted.
    case callback(CallbackRecord, Receipt, WebhookFault?)
    /// A list, or a repetition: its response, and the records that were stored for it.
    case answered(Response, new: [RecordID])
}

extension Application {
    /// The views of a request that brings callbacks.
    ///
    /// - Parameters:
    ///   - element: one callback of the body; nil for all of the body.
    ///   - place: the place of `element` in the body; nil without one.
    func message(
        of arrival: Arrival, _ element: [UInt8]? = nil, at place: RecordRequest.BatchPlace? = nil
    ) -> ReceivedRequest {
        ReceivedRequest(
            arrival.request, body: element ?? arrival.body, masking: pseudonyms, arrival.masked,
            at: place, capturing: arrival.parameters,
            delivery: arrival.key?.isDelivery == true ? arrival.key?.text : nil)
    }
}
