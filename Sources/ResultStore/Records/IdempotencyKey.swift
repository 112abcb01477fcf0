// Idempotency keys: keys by which a client marks a request that it may send twice
// (draft-ietf-httpapi-idempotency-key-header), and the ids of webhook deliveries, which are sent
// again until they get a response. A key is valid within one vendor and inbox.

import JSON
import Text

/// The keys of stored requests.
package enum IdempotencyKey {
    /// The field that carries the key.
    package static let fieldName = "idempotency-key"

    /// The fields that carry the id of a webhook delivery, in lower case; the first one present is
    /// used.
    package static let deliveryNames = ["svix-id", "webhook-id"]

    /// All fields that carry a key; the first one in a request is used.
    private static let fieldNames = ([fieldName] + deliveryNames).map { Array($0.utf8) }

    /// Whether a text can be a key: 1 to 255 visible ASCII characters.
    package static func isValid(_ text: some Collection<UInt8>) -> Bool {
        (1...255).contains(text.count) && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// The hash of a key in the index: 64-bit FNV-1a.
    ///
    /// Requests with equal hashes are compared.
    static func hash(_ key: String, inbox: String, vendor: String) -> Int64 {
        Int64(bitPattern: FNV1a(Array("\(vendor)\n\(inbox)\n\(key)".utf8)).value)
    }

    /// The hash of a callback's key; nil without a key, for other records, for other methods than
    /// POST, whose key means nothing, and for refused deliveries, which anybody can send.
    ///
    /// - Parameter codes: the codes of its diagnostics.
    static func hash(
        of request: RecordRequest.Facts, _ facts: RecordFacts, codes: [String]
    ) -> Int64? {
        guard facts.kind == .callback, facts.method == "POST",
            !codes.contains(RecordDiagnostics.refusedCode)
        else { return nil }
        return request.idempotencyKey.map { hash($0, inbox: facts.inbox, vendor: facts.vendor) }
    }

    /// The key of a stored request; nil if it has none.
    static func key(in request: JSONNode) -> String? {
        if let delivery = request["delivery"]?.string { return delivery }
        guard let headers = request["headers"] else { return nil }
        var found: (rank: Int, key: String)?
        for header in headers.elements {
            guard let name = header[0]?.string, let rank = rank(of: Array(name.utf8)[...]),
                rank < found?.rank ?? .max, let key = header[1]?.string
            else { continue }
            found = (rank, key)
        }
        return found?.key
    }

    /// The place of a field among those that carry a key, the first one first; nil for other
    /// fields.
    package static func rank(of field: ArraySlice<UInt8>) -> Int? {
        fieldNames.firstIndex { name in
            name.count == field.count && zip(name, field).allSatisfy { $0 == $1.lowercased }
        }
    }
}
