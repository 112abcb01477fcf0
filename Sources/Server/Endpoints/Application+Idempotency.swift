// Callbacks that are sent twice on purpose, stored once: with the same Idempotency-Key, the second is
// answered like the first (draft-ietf-httpapi-idempotency-key-header-07); a webhook's delivery that
// comes again under its id is answered with 200 (vendor document 1.4), or like the first where that
// could not be decoded.
//
// The keys are kept with the requests that carried them, so they count as long as the results do.

import Emulator
import HTTP1
import JSON
import Problems
import ResultAPI
import ResultStore
import Vendors

/// What marks a request that may come again.
package struct RepetitionKey: Sendable {
    /// The key as it is stored.
    package let text: String
    /// Whether it is the id of a webhook's delivery, and no Idempotency-Key.
    package let isDelivery: Bool

    /// The fields that carry it; in lower case.
    package var fieldNames: [String] {
        isDelivery ? WebhookFields.idNames : [IdempotencyKey.fieldName]
    }
}

extension Application {
    private static let keyField = FieldName("idempotency-key")

    /// The key of a request; nil without one.
    ///
    /// Throws 400 for an Idempotency-Key that is empty, too long or not visible ASCII, or for two.
    ///
    /// - Parameter pseudonyms: what masks values; nil where they are stored as they came.
    package static func key(
        of request: Request, to vendor: Vendor, masking pseudonyms: Pseudonyms? = nil
    ) throws(Problem) -> RepetitionKey? {
        let fields = KeptFields(pseudonyms: pseudonyms)
        guard request.method == .post else { return nil }
        let values = request.values(keyField)
        guard let value = values.first else {
            return WebhookGate.id(of: request, to: vendor).map {
                RepetitionKey(
                    text: fields.key(Array($0.utf8), isDelivery: true), isDelivery: true)
            }
        }
        guard values.count == 1, IdempotencyKey.isValid(value) else {
            throw Problem(
                status: .badRequest, kind: "invalid-idempotency-key",
                detail: "Send one Idempotency-Key of 1 to 255 visible ASCII characters.")
        }
        return RepetitionKey(
            text: fields.key(Array(value), isDelivery: false), isDelivery: false)
    }

    package static let keyInFlight = Problem(
        status: .conflict, kind: "idempotency-key-in-flight",
        detail: "The first request with this key or webhook id is not answered yet: try again.",
        fields: [("Retry-After", "1")])

    /// The answer to an earlier request with the same key; nil when there was none.
    ///
    /// Throws 422 when that request was another one.
    package func replay(
        _ key: RepetitionKey, vendor: Vendor, inbox: String, requestJSON: [UInt8]
    ) async throws(Problem) -> Response? {
        let lines = try await api.ask { () async throws(StoreError) in
            try await store.lines(
                idempotencyKey: key.text, inbox: inbox, vendor: vendor.rawValue)
        }
        guard let sent = try? JSONDocument(parsing: requestJSON).root else { return nil }
        for line in lines {
            guard let stored = try? JSONDocument(parsing: line.text).root,
                let request = stored["request"], Self.carries(request, key)
            else { continue }
            if key.isDelivery {
                // One that was refused may be believed now, and another body is another message.
                guard !Self.wasRefused(stored), Self.isSame(request, sent) else { continue }
            } else if !Self.isSame(request, sent) {
                throw Problem(
                    status: .unprocessableContent, kind: "idempotency-key-reused",
                    detail: "This Idempotency-Key was used for another request: make a new one.")
            }
            var response = Self.reply(to: stored)
            // Like the first: who was refused must not take the second answer for success.
            if key.isDelivery, response.status == .created { response.status = .ok }
            response.add("Idempotent-Replayed", "true")
            return response
        }
        return nil
    }

    private static func carries(_ request: JSONNode, _ key: RepetitionKey) -> Bool {
        guard let headers = request["headers"] else { return false }
        for name in key.fieldNames {
            for header in headers.elements where header[0]?.string?.lowercased() == name {
                return header[1]?.string == key.text
            }
        }
        return false
    }

    /// Whether a stored delivery was not believed.
    private static func wasRefused(_ stored: JSONNode) -> Bool {
        stored["diagnostics"]?.elements.contains {
            $0["code"]?.string == WebhookFault.code
        } ?? false
    }

    private static func isSame(_ stored: JSONNode, _ sent: JSONNode) -> Bool {
        for name in ["method", "target", "body"] {
            guard let left = stored[name]?.text, let right = sent[name]?.text, left == right else {
                return false
            }
        }
        return true
    }

    /// The reply that a stored callback got.
    private static func reply(to stored: JSONNode) -> Response {
        let diagnostics = stored["diagnostics"].map { Array($0.text) } ?? Array("[]".utf8)
        return CallbackReply.response(
            id: stored["id"]?.string ?? "", sequence: stored["seq"]?.int ?? 0,
            verdict: stored["verdict"]?.string ?? "", outcome: stored["outcome"]?.string,
            flow: stored["flow"]?.string,
            diagnostics: diagnostics)
    }
}
