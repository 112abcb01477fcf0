// The queues of all targets in memory, for a server that goes on after a failed takeover: it must not
// end because a file that it has once read can't be read again.

import Synchronization

/// What the forwarders of one process knew when they stopped.
package final class ForwardQueues: Sendable {
    private let queues = Mutex<[String: ForwardQueue]>([:])

    package init() {}

    /// The queue of a file; nil if no forwarder of it has stopped.
    package subscript(path: String) -> ForwardQueue? {
        get { queues.withLock { $0[path] } }
        set { queues.withLock { $0[path] = newValue } }
    }
}
