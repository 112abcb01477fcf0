// Keys by which a client marks a request that it may have to send twice
// (draft-ietf-httpapi-idempotency-key-header). A key counts within one vendor and inbox.

import PositionedJSON

/// The keys of stored requests.
package enum IdempotencyKey {
    /// The field that carries it.
    package static let fieldName = "idempotency-key"

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

    /// The hash of the key that a stored request carries; nil without one.
    static func hash(in root: JSONNode, _ facts: RecordFacts) -> Int64? {
        guard let headers = root["request"]?["headers"] else { return nil }
        for header in headers.elements {
            guard let name = header[0]?.string, name.utf8.count == fieldName.utf8.count,
                name.lowercased() == fieldName, let key = header[1]?.string
            else { continue }
            return hash(key, inbox: facts.inbox, vendor: facts.vendor)
        }
        return nil
    }
}
