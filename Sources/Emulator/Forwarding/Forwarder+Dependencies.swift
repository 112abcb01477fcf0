// What forwarders get from the server: the store, the client, the clock, and shared memory.
//
// Invariant: what waits for a target shares no memory with what waits for the disk, and takes only
// its target's share, so that a slow target delays only its own callbacks; others only if one of
// them needs more than such a share.

import Clocks
import HTTP1
import HTTPClient
import Logging
import ResultStore
import Vendors

extension Forwarder {
    /// What a forwarder works with.
    package struct Dependencies: Sendable {
        var store: ResultStore
        var pseudonyms: Pseudonyms?
        var log: Logger
        /// Maximum attempts to an unordered target at the same time.
        var inFlight = Limits.forwardsInFlight
        package var send: Deliveries.Send = { try await Deliveries.status(of: $0) }
        /// Milliseconds since 1970-01-01T00:00:00Z.
        package var now: @Sendable () -> Int64 = { Timestamp.now.unixMilliseconds }

        /// What is known of queues whose files can't be read again.
        var queues: ForwardQueues
        /// Memory of all forwarders to read pages of lines, unless they are small.
        var readMemory = MemoryBudget(bytes: Limits.forwardReadBytes)
        /// Memory of all forwarders for large lines and bodies until a target has answered.
        var sendMemory = MemoryBudget(bytes: Limits.forwardSendBytes)
        /// What this target may take of it.
        var ownMemory = MemoryBudget(bytes: Limits.forwardSendBytes)
        /// How long an attempt waits for memory.
        var memoryMilliseconds = Limits.forwardMemoryMilliseconds

        package init(
            store: ResultStore, pseudonyms: Pseudonyms? = nil,
            queues: ForwardQueues = ForwardQueues(), log: Logger
        ) {
            self.store = store
            self.pseudonyms = pseudonyms
            self.queues = queues
            self.log = log
        }

        /// Permits to read a line, prepare its request and send it, after waiting for them; none for
        /// a small line, nil if the time is over or the task is cancelled.
        ///
        /// Nothing that holds some of the shared memory waits for more, so this can't deadlock.
        func permits(toSend bytes: Int) async -> [MemoryPermit]? {
            if bytes <= Limits.forwardUncountedBytes { return [] }
            var permits: [MemoryPermit] = []
            for budget in [ownMemory, sendMemory] {
                let permit = await budget.permit(
                    for: bytes * Limits.forwardCopies, within: memoryMilliseconds)
                guard let permit else { return nil }
                permits.append(permit)
            }
            return permits
        }
    }
}
