// Content that is collected part by part.

import Synchronization

/// Content that grows part by part.
final class CollectedContent: Sendable {
    private let content = Mutex<[UInt8]>([])

    /// The bytes collected so far.
    var bytes: [UInt8] { content.withLock { $0 } }

    func append(_ part: [UInt8]) {
        content.withLock { $0 += part }
    }
}
