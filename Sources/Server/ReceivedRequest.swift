// A request in two views of the same bytes: for the vendors' decoders, and for storage. The stored
// view contains no credentials and, if masking is on, no masked values.

import HTTP1
import Problems
import ResultAPI
import ResultStore
import Vendors

/// One received request with its body.
package struct ReceivedRequest {
    private let request: Request
    private let pseudonyms: Pseudonyms?
    private let place: RecordRequest.BatchPlace?
    private let parameters: [(name: String, value: String)]

    /// The view for the decoders.
    package let callback: Callback

    /// - Parameters:
    ///   - body: decoded, without the content coding of the request.
    ///   - pseudonyms: nil stores health and location values unchanged.
    ///   - place: the place of `body` in the request's list; nil for a request of one callback.
    ///   - parameters: what the receiver's path captured.
    package init(
        _ request: Request, body: [UInt8], masking pseudonyms: Pseudonyms? = nil,
        at place: RecordRequest.BatchPlace? = nil,
        capturing parameters: [(name: String, value: String)] = []
    ) {
        self.request = request
        self.pseudonyms = pseudonyms
        self.place = place
        self.parameters = parameters.map { name, value in
            (name, Redaction.isCredential(Array(name.utf8)[...]) ? Redaction.mark : value)
        }
        callback = Callback(
            target: Array(request.target),
            body: body.isEmpty
                ? nil : Callback.Body(body, contentType: request.first(.contentType)),
            webhookID: request.method == .post ? WebhookFields.id(of: request) : nil)
    }

    /// Decodes the request with the vendor's contracts and writes the `request` member of its
    /// record.
    ///
    /// O(size).
    ///
    /// - Parameter pinned: the contract that the receiver expects; stored with the request, so that
    ///   decoding it again gives the same result.
    package func read(
        by vendor: Vendor, contract pinned: Contract? = nil
    ) -> (decoding: Decoding, stored: RecordRequest) {
        guard let pseudonyms else {
            return (
                Decoding(of: callback, from: vendor, contract: pinned),
                stored(callback, pinned: pinned)
            )
        }
        let masking = Masking(of: callback, from: vendor, contract: pinned, by: pseudonyms)
        return (
            masking.decoding,
            stored(masking.callback, masked: masking.extent, pinned: pinned)
        )
    }

    /// The `request` member of a record that is not a callback: a launch.
    ///
    /// O(size).
    package var stored: RecordRequest {
        guard let pseudonyms else { return stored(callback) }
        let masked = Masking.mask(callback, by: pseudonyms)
        let isSame =
            masked.target == callback.target && masked.body?.bytes == callback.body?.bytes
        return stored(masked, masked: isSame ? nil : .values)
    }

    private func stored(
        _ callback: Callback, masked: Masking.Extent? = nil, pinned: Contract? = nil
    ) -> RecordRequest {
        let kept = KeptFields(pseudonyms: pseudonyms)
        return RecordRequest(
            method: request.method.rawValue, scheme: request.origin.isSecure ? "https" : "http",
            host: String(decoding: request.authority ?? [], as: UTF8.self),
            target: Redaction.redactTarget(callback.target), version: "1.\(request.minorVersion)",
            peer: request.origin.client.description,
            fields: request.fieldLines.map { ($0.name, kept.value(of: $0.name, $0.value)) },
            body: callback.body.map { body in
                RecordRequest.Body(
                    Redaction.redactBody(body.bytes),
                    contentCoding: request.contentCoding == .gzip ? "gzip" : nil)
            }, masked: masked?.rawValue, pinned: pinned?.rawValue, batch: place,
            trace: TraceParent.traceID(of: request), parameters: parameters)
    }
}
