// Stores repeated callbacks once. A second request with the same Idempotency-Key gets the first
// response (draft-ietf-httpapi-idempotency-key-header-07). A repeated webhook delivery gets 200
// (vendor document 1.4), or the first response if that could not be decoded.
//
// Keys are stored with their requests, so they are valid as long as the results are kept.

import Emulator
import HTTP1
import JSON
import Problems
import ResultAPI
import ResultStore
import Vendors

/// Identifies a request that may be repeated.
struct RepetitionKey: Sendable {
    /// The key as it is stored.
    let text: String
    /// Whether the key is the id of a webhook delivery rather than an Idempotency-Key.
    let isDelivery: Bool

    /// What one request at a time may use: the key, for one vendor and inbox.
    func place(of vendor: Vendor, _ inbox: String) -> String {
        "\(vendor.rawValue)\n\(inbox)\n\(text)"
    }

    /// The names of the fields that carry the key; lower case.
    var fieldNames: [String] {
        isDelivery ? IdempotencyKey.deliveryNames : [IdempotencyKey.fieldName]
    }
}

extension Application {
    private static let keyField = FieldName("idempotency-key")

    /// The key of a request; nil if it has none.
    ///
    /// Throws 400 for an Idempotency-Key that is empty, too long, not visible ASCII, or repeated.
    func key(of request: Request, to vendor: Vendor) throws(Problem) -> RepetitionKey? {
        let fields = KeptFields(pseudonyms: pseudonyms)
        guard request.method == .post else { return nil }
        let delivery = WebhookGate.id(of: request, to: vendor).map {
            RepetitionKey(text: fields.key(Array($0.utf8), isDelivery: true), isDelivery: true)
        }
        // The signature covers the id; anyone could change an Idempotency-Key.
        if webhooks.isRequired, let delivery { return delivery }
        let values = request.values(Self.keyField)
        guard let value = values.first else { return delivery }
        guard values.count == 1, IdempotencyKey.isValid(value) else {
            throw Problem(
                status: .badRequest, kind: "invalid-idempotency-key",
                detail: "Send one Idempotency-Key of 1 to 255 visible ASCII characters.")
        }
        return RepetitionKey(
            text: fields.key(Array(value), isDelivery: false), isDelivery: false)
    }

    static let keyReused = Problem(
        status: .unprocessableContent, kind: "idempotency-key-reused",
        detail: "This Idempotency-Key was used for another request: use a new one.")

    /// Whether a request with a key is the first one.
    enum Repetition {
        case first(KeyClaim)
        /// The response to the first request.
        case repeated(Response)
    }

    /// Looks for an earlier request with the same key.
    ///
    /// Throws 422 if that request was a different one.
    func repetition(
        of key: RepetitionKey, vendor: Vendor, inbox: String, _ sent: RecordRequest
    ) async throws(Problem) -> Repetition {
        let (responses, newest) = try await earlier(
            key, vendor, inbox, reading: Limits.comparedWebhooks, upTo: 1
        ) { stored, request throws(Problem) -> Response? in
            guard Self.isSame(request, sent, by: key) else {
                // Another body is another message.
                if key.isDelivery { return nil }
                throw Self.keyReused
            }
            var response = Self.reply(to: stored)
            // A delivery that couldn't be decoded gets 422 again, so that its sender doesn't read
            // it as success.
            if key.isDelivery, response.status == .created { response.status = .ok }
            response.add("Idempotent-Replayed", "true")
            return response
        }
        return responses.first.map { .repeated($0) } ?? .first(KeyClaim(follows: newest))
    }

    /// What `look` returns for the requests with the same key that are stored, newest first, and the
    /// number of the newest record with the key; 0 for none.
    ///
    /// Without refused deliveries, which may be valid now; they are read past, however many there
    /// are. Large records are read beside the loops, one after the other.
    ///
    /// - Parameters:
    ///   - most: number of requests that are read.
    ///   - limit: number of values after which no more are read.
    func earlier<Value: Sendable>(
        _ key: RepetitionKey, _ vendor: Vendor, _ inbox: String, reading most: Int,
        upTo limit: Int,
        _ look: @escaping @Sendable (_ stored: JSONNode, JSONNode) throws(Problem) -> Value?
    ) async throws(Problem) -> ([Value], newest: Int) {
        var records = most
        while true {
            let wanted = records
            let outline = try await self.look { () async throws(StoreError) in
                try await store.outline(
                    idempotencyKey: key.text, inbox: inbox, vendor: vendor.rawValue, limit: wanted)
            }
            let (values, count) = try await api.largeWork.run(over: outline.bytes) {
                () async throws(Problem) in
                var (values, count): ([Value], Int) = ([], 0)
                var start = 0
                while start < outline.count, values.count < limit {
                    let range = outline.piece(from: start, upTo: LongWork.loopBytes).range
                    start = range.upperBound
                    let lines = try await self.look { () async throws(StoreError) in
                        try await store.lines(of: outline, range).lines
                    }
                    for line in lines where values.count < limit {
                        guard let stored = try? JSONDocument(parsing: line.text).root,
                            let request = stored["request"], Self.carries(request, key),
                            !RecordDiagnostics.isRefused(stored)
                        else { continue }
                        count += 1
                        if let value = try look(stored, request) { values.append(value) }
                    }
                }
                return (values, count)
            }
            if values.count >= limit || count >= most || outline.count < records {
                return (values, outline.firstSequence ?? 0)
            }
            records *= 4
        }
    }

    /// Queries the store; a failure counts as that of a callback that could not be stored.
    private func look<Value>(
        _ query: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        try await api.ask { () async throws(StoreError) in
            do throws(StoreError) {
                return try await query()
            } catch {
                if error != .cancelled { metrics.count(error) }
                throw error
            }
        }
    }

    /// Whether a stored request was sent with a key; that of a GET means nothing.
    static func carries(_ request: JSONNode, _ key: RepetitionKey) -> Bool {
        guard request["method"]?.string == "POST", let headers = request["headers"] else {
            return false
        }
        if let delivery = request["delivery"]?.string {
            return key.isDelivery && delivery == key.text
        }
        for name in key.fieldNames {
            for header in headers.elements where header[0]?.string?.lowercased() == name {
                return header[1]?.string == key.text
            }
        }
        return false
    }

    /// Whether a stored request with the same key is the same one: of a delivery, only what its
    /// signature covers counts.
    static func isSame(
        _ stored: JSONNode, _ sent: RecordRequest, by key: RepetitionKey
    ) -> Bool {
        let (stored, sent) = (RecordRequest.identityTexts(of: stored), sent.identityTexts)
        return key.isDelivery
            ? RecordRequest.signedTexts(of: stored) == RecordRequest.signedTexts(of: sent)
            : stored == sent
    }

    /// The response that a stored callback got.
    private static func reply(to stored: JSONNode) -> Response {
        CallbackReply.stored(
            receipt(of: stored), as: "application/json", id: stored["id"]?.string ?? "",
            verdict: stored["verdict"]?.string ?? "")
    }

    /// The receipt that a stored callback got.
    static func receipt(of stored: JSONNode) -> [UInt8] {
        CallbackReply.receipt(
            id: stored["id"]?.string ?? "", sequence: stored["seq"]?.int ?? 0,
            verdict: stored["verdict"]?.string ?? "", outcome: stored["outcome"]?.string,
            flow: stored["flow"]?.string,
            diagnostics: stored["diagnostics"].map { Array($0.text) } ?? Array("[]".utf8))
    }
}
