// Recognises exact repetitions of a callback: same method, target and body, as they are stored.
// Left out: header fields, which differ between repetitions.

import JSON
import ResultStore
import Text

/// A hash that is equal for exact repetitions of a callback.
package struct CallbackDigest: Sendable, Hashable {
    private let value: FNV1a

    /// Hashes a request that is about to be stored.
    ///
    /// A forged collision would gain nothing. O(size).
    package init(_ request: RecordRequest) { self.init(request.identityTexts) }

    /// Hashes the request in a record; nil if it has none.
    init?(ofRecord root: JSONNode) {
        guard let request = root["request"] else { return nil }
        self.init(RecordRequest.identityTexts(of: request))
    }

    private init(_ texts: [ArraySlice<UInt8>]) {
        var hash = FNV1a()
        for text in texts {
            for octet in text { hash.add(octet) }
            hash.add(UInt8(ascii: "\n"))
        }
        value = hash
    }
}
