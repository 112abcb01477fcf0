// Callbacks that wait in the journal, because the queue of their target is full.

import ResultStore
import Testing

@testable import Emulator
@testable import enum Emulator.Limits

extension ForwarderTests {
    @Test func whatWaitsOutsideAFullQueueIsCountedOrUnknown() async throws {
        let first = try await receive(1)
        try await receive(2)
        let sequence = try #require(first.knownSequence)
        var queue = ForwardQueue(ForwardQueue.Rules(isOrdered: true), through: sequence)
        for _ in 0..<Limits.forwardPending {
            queue.add(ForwardQueue.Entry(sequence, first.id, at: 0))
        }
        queues[folder + "/queue.json"] = queue
        let full = try forwarder()
        #expect(await full.unreadCount() == 1)
        await store.close()
        #expect(await full.unreadCount() == nil)
    }
}
