// A request in two views of the same bytes: for the vendors' decoders, and for storage. The stored
// view contains no credentials and, if masking is on, no masked values.

import HTTP1
import JSON
import Problems
import ResultAPI
import ResultStore
import Text
import Vendors

/// One received request with its body.
struct ReceivedRequest {
    /// What of a request was masked when it was stored before.
    enum Masked: Sendable {
        case nothing
        /// Values after the names of masked fields: the request had no vendor, being a stray.
        case names
        case all
    }

    private static let hostField = Array("host".utf8)[...]

    private let request: Request
    private let pseudonyms: Pseudonyms?
    private let masked: Masked
    private let place: RecordRequest.BatchPlace?
    private let parameters: [(name: String, value: String)]
    private let delivery: String?
    /// What the path has in place of captured texts that must not be stored.
    private var hidden: [String: [UInt8]] = [:]
    /// How much of the request is masked before its query, fields and body are.
    private var extent: Masking.Extent?

    /// The view for the decoders.
    let callback: Callback

    /// - Parameters:
    ///   - body: decoded, without the content coding of the request.
    ///   - pseudonyms: nil stores health and location values unchanged.
    ///   - masked: where the values are pseudonyms already, which stay as they are.
    ///   - place: the place of `body` in the request's list; nil for a request of one callback.
    ///   - parameters: what the receiver's path captured.
    ///   - delivery: the id by which a webhook delivery is recognised; nil for other requests.
    package init(
        _ request: Request, body: [UInt8], masking pseudonyms: Pseudonyms? = nil,
        _ masked: Masked = .nothing, at place: RecordRequest.BatchPlace? = nil,
        capturing parameters: [(name: String, value: String)] = [], delivery: String? = nil
    ) {
        let pseudonyms = masked == .all ? nil : pseudonyms
        self.request = request
        self.pseudonyms = pseudonyms
        self.masked = masked
        extent = masked == .nothing ? nil : .values
        self.place = place
        self.delivery = delivery
        var kept: [(name: String, value: String)] = []
        for (name, value) in parameters {
            var text = String(decoding: Redaction.redactBody(Array(value.utf8)), as: UTF8.self)
            if Redaction.isCredential(Array(name.utf8)[...]) {
                text = Redaction.mark
                hidden[value] = Array(text.utf8)
            } else if let masked = pseudonyms.map({ Self.mask(text, called: name, by: $0) }),
                masked != text
            {
                text = masked
                extent = .values
                hidden[value] = PercentEncoding.encode(text.utf8)
            }
            kept.append((name, text))
        }
        self.parameters = kept
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
    func read(
        by vendor: Vendor, contract pinned: Contract? = nil
    ) -> (decoding: Decoding, stored: RecordRequest) {
        guard let pseudonyms else {
            return (
                Decoding(of: callback, from: vendor, contract: pinned),
                stored(callback, masked: extent, pinned: pinned, parameters)
            )
        }
        let masking = Masking(
            of: callback, from: vendor, contract: pinned, by: pseudonyms,
            isMaskedByName: masked == .names)
        return (
            masking.decoding,
            stored(masking.callback, masked: masking.extent ?? extent, pinned: pinned, parameters)
        )
    }

    /// The `request` member of a record that is not a callback: of a launch or a stray, whose path
    /// captured nothing that is kept.
    ///
    /// O(size).
    var stored: RecordRequest {
        guard let pseudonyms else { return stored(callback) }
        let masked = Masking.mask(callback, by: pseudonyms)
        let isSame =
            masked.target == callback.target && masked.body?.bytes == callback.body?.bytes
        return stored(masked, masked: isSame ? extent : .values)
    }

    /// The path as it may be stored.
    var path: [UInt8] { Redaction.redactTarget(hiding(Array(request.path))) }

    /// A captured text, masked by its name.
    private static func mask(
        _ text: String, called name: String, by pseudonyms: Pseudonyms
    ) -> String {
        let json = JSONWriter.object { $0.member(name, text) }
        let document = try? JSONDocument(parsing: Masking.mask(json: json, by: pseudonyms))
        guard let masked = document?.root[name] else { return text }
        return masked.string ?? String(decoding: masked.text, as: UTF8.self)
    }

    /// A target without the captured texts that must not be stored.
    private func hiding(_ target: [UInt8]) -> [UInt8] {
        if hidden.isEmpty { return target }
        let slash = UInt8(ascii: "/")
        let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let components = target[..<end].split(separator: slash, omittingEmptySubsequences: false)
            .map { component in
                // As `Link(repairing:)` decodes what can't be decoded.
                hidden[String(decoding: PercentEncoding.decode(component), as: UTF8.self)]
                    ?? Array(component)
            }
        return Array(components.joined(separator: [slash])) + target[end...]
    }

    private func stored(
        _ callback: Callback, masked: Masking.Extent? = nil, pinned: Contract? = nil,
        _ parameters: [(name: String, value: String)] = []
    ) -> RecordRequest {
        let kept = KeptFields(pseudonyms: self.masked == .nothing ? pseudonyms : nil)
        return RecordRequest(
            method: request.method.rawValue, scheme: request.origin.isSecure ? "https" : "http",
            host: String(
                decoding: kept.value(of: Self.hostField, request.authority ?? []), as: UTF8.self),
            target: Redaction.redactTarget(hiding(callback.target)),
            version: "1.\(request.minorVersion)",
            peer: request.origin.client.description,
            fields: request.fieldLines.map { ($0.name, kept.value(of: $0.name, $0.value)) },
            body: callback.body.map { body in
                RecordRequest.Body(
                    Redaction.redactBody(body.bytes),
                    contentCoding: request.contentCoding == .gzip ? "gzip" : nil)
            }, masked: masked?.rawValue, pinned: pinned?.rawValue, batch: place,
            trace: TraceParent.traceID(of: request), parameters: parameters, delivery: delivery)
    }
}
