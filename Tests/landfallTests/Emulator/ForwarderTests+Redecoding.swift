// Callbacks that are decoded again: each is sent once.

import Clocks
import ResultStore
import Testing

@testable import Emulator
@testable import enum Emulator.Limits

extension ForwarderTests {
    @Test func whatIsDecodedAgainIsNotSentAgain() async throws {
        let forwarder = try forwarder()
        let old = RecordID(
            at: Timestamp(unixMilliseconds: Timestamp.now.unixMilliseconds - 120_000))
        try await receive(1, id: old)
        try await receive(2)
        await forwarder.read()
        await drain(forwarder)
        try await receive(1, id: old, isRedecoded: true)
        try await receive(3)
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 2, 3])
        await store.close()
    }

    @Test func whatMatchesOnlyAfterItIsDecodedAgainIsNotSent() async throws {
        try await receive(1, outcome: "completed")
        let condition = Condition.compare(.outcome, .equal, .text("completed"))
        let forwarder = try forwarder(of: condition)
        let subscription = store.subscribe(to: condition, .all(keeping: 1))
        await forwarder.read()
        let id = try await receive(2).id
        try await receive(2, id: id, outcome: "completed", isRedecoded: true)
        await subscription.wait()
        let arrival = subscription.take()
        forwarder.noteNews(after: arrival.former, goingBackTo: arrival.retreat)
        try await receive(3, outcome: "completed")
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [3])
        store.unsubscribe(subscription)
        await store.close()
    }

    @Test func whatWasDecodedAgainElsewhereAndIsImportedIsSent() async throws {
        let forwarder = try forwarder()
        try await receive(1)
        await forwarder.read()
        let old = RecordID(
            at: Timestamp(unixMilliseconds: Timestamp.now.unixMilliseconds - 120_000))
        try await receive(2, id: old, isRedecoded: true)
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 2])
        // Here it is decoded again like any other.
        try await receive(2, id: old, isRedecoded: true)
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1, 2])
        await store.close()
    }

    @Test func whatIsDecodedAgainBeforeItWasReadIsSent() async throws {
        let forwarder = try forwarder()
        let id = RecordID(at: .now)
        try await receive(1, id: id)
        try await receive(1, id: id, isRedecoded: true)
        await forwarder.read()
        await drain(forwarder)
        #expect(marks == [1])
        await store.close()
    }

    @Test func whatIsDecodedAgainWhileTheQueueLagsIsSentOnce() async throws {
        let forwarder = try forwarder(isOrdered: false)
        let count = Limits.forwardPage.records + 10
        let first = try await receive(1)
        for mark in 2...count { try await receive(mark) }
        try await receive(1, id: first.id, isRedecoded: true)
        await forwarder.read()
        #expect(forwarder.queue.pendingCount == Limits.forwardPage.records)
        await forwarder.read()
        #expect(forwarder.queue.pendingCount == count)
        try await receive(1, id: first.id, isRedecoded: true)
        await forwarder.read()
        #expect(forwarder.queue.pendingCount == count)
        await store.close()
    }
}
