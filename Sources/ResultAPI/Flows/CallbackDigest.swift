// What two callbacks have in common that are exactly the same: method, target and content, as they are
// stored. Left out: fields, which differ from one sending to the next.

import JSON

/// A number that is the same for callbacks that are exactly the same.
package struct CallbackDigest: Sendable, Hashable {
    private let value: UInt64

    /// Takes it from the `request` member of a record; nil when it can't be read.
    ///
    /// FNV-1a in 64 bits: nothing is gained by making two that collide. O(size).
    package init?(ofRequest json: [UInt8]) {
        guard let request = try? JSONDocument(parsing: json).root else { return nil }
        self.init(request)
    }

    /// Takes it from the text of a record; nil when it can't be read.
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
