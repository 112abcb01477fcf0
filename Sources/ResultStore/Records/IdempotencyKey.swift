// Idempotency keys: keys by which a client marks a request that it may send twice
// (draft-ietf-httpapi-idempotency-key-header), and the ids of webhook deliveries, which are sent
// again until they get a response. A key is valid within one vendor and inbox.

import JSON

/// The keys of stored requests.
package enum IdempotencyKey {
    /// The field that carries the key.
    package static let fieldName = "idempotency-key"

    /// All fields that carry a key; the first one in a request is used.
    private static let fieldNames = [fieldName, "svix-id", "webhook-id"]

    /// Whether a text can be a key: 1 to 255 visible ASCII characters.
    package static func isValid(_ text: some Collection<UInt8>) -> Bool {
        (1...255).contains(text.count) && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// The hash of a key in the index: 64-bit FNV-1a.
    ///
    /// Requests with equal hashes are compared.
    static func hash(_ key: String, inbox: String, vendor: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for octet in "\(vendor)\n\(inbox)\n\(key)".utf8 {
            hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
        }
        return Int64(bitPattern: hash)
    }

    /// The hash of a stored callback's key; nil without a key, and for other records.
    static func hash(in root: JSONNode, _ facts: RecordFacts) -> Int64? {
        guard facts.kind == .callback, let headers = root["request"]?["headers"] else { return nil }
        var found: (rank: Int, key: String)?
        for header in headers.elements {
            guard let name = header[0]?.string,
                fieldNames.contains(where: { $0.utf8.count == name.utf8.count }),
                let rank = fieldNames.firstIndex(of: name.lowercased()),
                rank < found?.rank ?? fieldNames.count, let key = header[1]?.string
            else { continue }
            found = (rank, key)
        }
        return found.map { hash($0.key, inbox: facts.inbox, vendor: facts.vendor) }
    }
}
