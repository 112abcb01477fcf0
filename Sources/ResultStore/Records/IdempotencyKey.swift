// Keys by which a client marks a request that it may have to send twice
// (draft-ietf-httpapi-idempotency-key-header), and the ids of webhooks' deliveries, which are sent again
// until they are answered. A key counts within one vendor and inbox.

import JSON

/// The keys of stored requests.
package enum IdempotencyKey {
    /// The field that carries it.
    package static let fieldName = "idempotency-key"

    /// All fields that carry a key; the first that a request has counts.
    private static let fieldNames = [fieldName, "svix-id", "webhook-id"]

    /// Whether a text can be a key: 1 to 255 visible ASCII characters.
    package static func isValid(_ text: some Collection<UInt8>) -> Bool {
        (1...255).contains(text.count) && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// What the index keeps of a key: FNV-1a, in 64 bits.
    ///
    /// Requests of equal hashes are compared.
    static func hash(_ key: String, inbox: String, vendor: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for octet in "\(vendor)\n\(inbox)\n\(key)".utf8 {
            hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
        }
        return Int64(bitPattern: hash)
    }

    /// The hash of the key that a stored callback carries; nil without one, and for other records.
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
