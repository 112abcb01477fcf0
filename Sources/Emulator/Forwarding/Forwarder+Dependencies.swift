// What forwarders get from the server: the store, the client, the clock, and shared memory.
//
// Invariant: what waits for a target shares no memory with what waits for the disk, so that a slow
// target delays only large callbacks of other targets.

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

        package init(
            store: ResultStore, pseudonyms: Pseudonyms? = nil,
            queues: ForwardQueues = ForwardQueues(), log: Logger
        ) {
            self.store = store
            self.pseudonyms = pseudonyms
            self.queues = queues
            self.log = log
        }
    }
}
