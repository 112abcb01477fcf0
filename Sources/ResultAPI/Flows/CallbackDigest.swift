// Recognises exact repetitions of a callback: same method, target and body, as they are stored.
// Left out: header fields, which differ between repetitions.

import JSON

/// A hash that is equal for exact repetitions of a callback.
package struct CallbackDigest: Sendable, Hashable {
    private let value: UInt64

    /// Hashes the `request` member of a record; nil if it can't be read.
    ///
    /// FNV-1a, 64 bits: a forged collision would gain nothing. O(size).
    package init?(ofRequest json: [UInt8]) {
        guard let request = try? JSONDocument(parsing: json).root else { return nil }
        self.init(request)
    }

    /// Hashes the request in the text of a record; nil if it can't be read.
    package init?(ofRecord text: [UInt8]) {
        guard let request = try? JSONDocument(parsing: text).root["request"] else { return nil }
        self.init(request)
    }

    package init(_ request: JSONNode) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for name in ["method", "target", "body"] {
            for octet in request[name].map({ Array($0.text) }) ?? [] {
                hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
            }
            hash = (hash ^ 0x0A) &* 0x100_0000_01b3
        }
        value = hash
    }
}
