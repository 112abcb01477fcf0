// Callbacks that are sent twice on purpose: with the same Idempotency-Key, the second is answered
// like the first and stored once (draft-ietf-httpapi-idempotency-key-header-07).
//
// The keys are kept with the requests that carried them, so they count as long as the results do.

import HTTP1
import JSONText
import PositionedJSON
import ResultStore
import Vendors

extension Application {
    private static let keyField = FieldName("idempotency-key")

    /// Characters that a key may have.
    private static let keyLength = 1...255

    /// The key of a request; nil without one.
    ///
    /// Throws 400 for an empty one, one that is too long or not visible ASCII, or two.
    static func idempotencyKey(of request: Request) throws(Problem) -> String? {
        guard request.method == .post else { return nil }
        let values = request.values(keyField)
        guard let value = values.first else { return nil }
        guard values.count == 1, keyLength.contains(value.count),
            value.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw Problem(
                status: .badRequest, kind: "invalid-idempotency-key",
                detail: "Send one Idempotency-Key of 1 to 255 visible ASCII characters.")
        }
        return String(decoding: value, as: UTF8.self)
    }

    static let keyInFlight = Problem(
        status: .conflict, kind: "idempotency-key-in-flight",
        detail: "The first request with this Idempotency-Key is not answered yet: try again.",
        fields: [("Retry-After", "1")])

    /// The answer to an earlier request with the same key; nil when there was none.
    ///
    /// Throws 422 when that request was another one.
    func replay(
        _ key: String, vendor: Vendor, inbox: String, requestJSON: [UInt8]
    ) async throws(Problem) -> Response? {
        let lines = try await api.ask { () async throws(StoreError) in
            try await store.lines(
                idempotencyKey: key, inbox: inbox, vendor: vendor.rawValue)
        }
        guard let sent = try? JSONDocument(parsing: requestJSON).root else { return nil }
        for line in lines {
            guard let stored = try? JSONDocument(parsing: line.text).root,
                let request = stored["request"], Self.key(in: request) == key
            else { continue }
            guard Self.isSame(request, sent) else {
                throw Problem(
                    status: .unprocessableContent, kind: "idempotency-key-reused",
                    detail: "This Idempotency-Key was used for another request: make a new one.")
            }
            var response = Self.reply(to: stored)
            response.add("Idempotent-Replayed", "true")
            return response
        }
        return nil
    }

    private static func key(in request: JSONNode) -> String? {
        guard let headers = request["headers"] else { return nil }
        for header in headers.elements {
            if header[0]?.string?.lowercased() == IdempotencyKey.fieldName {
                return header[1]?.string
            }
        }
        return nil
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
        return reply(
            id: stored["id"]?.string ?? "", sequence: stored["seq"]?.int ?? 0,
            verdict: stored["verdict"]?.string ?? "", outcome: stored["outcome"]?.string,
            flow: stored["flow"]?.string,
            diagnostics: diagnostics)
    }
}
