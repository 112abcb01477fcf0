// How many deliveries there may be, and which one is next: no clock, no task.

import JSON
import Testing
import Vendors

@testable import Emulator
@testable import RezolveSandbox
@testable import Server

@Suite struct DeliveryQueueTests {
    private static let start = ContinuousClock.now

    private static func delivery(after: Duration = .zero, body: Int = 0) -> Delivery {
        Delivery(
            flow: "f", inbox: "default", contract: .flux, after: after, method: .post,
            url: "http://127.0.0.1:1/", body: [UInt8](repeating: 0x20, count: body),
            retries: [.seconds(5)])
    }

    @Test func theFirstOneDueIsNext() {
        var queue = DeliveryQueue()
        for seconds in [3, 1, 2, 1] {
            let delivery = Self.delivery(after: .seconds(seconds))
            #expect(queue.reserve([delivery]) == true)
            queue.add(delivery, at: Self.start)
        }
        let early = queue.takeDue(at: Self.start)
        #expect(early == nil)
        var order: [Duration] = []
        while let due = queue.nextDue, let entry = queue.takeDue(at: due) {
            order.append(entry.delivery.after)
            queue.end(entry)
        }
        #expect(order == [.seconds(1), .seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func aLaunchGetsAllOfItsPlacesOrNone() {
        var queue = DeliveryQueue()
        let launch = [Delivery](repeating: Self.delivery(), count: DeliveryQueue.placesPerLaunch)
        var taken = 0
        while queue.reserve(launch) { taken += launch.count }
        #expect(DeliveryQueue.places - taken < launch.count)
        let rest = DeliveryQueue.places - taken
        #expect(queue.reserve(Array(launch.prefix(rest))) == true)
        #expect(queue.reserve([Self.delivery()]) == false)
        queue.release(Self.delivery())
        #expect(queue.reserve([Self.delivery()]) == true)
    }

    @Test func aLaunchThatWantsTooManyGetsNone() {
        var queue = DeliveryQueue()
        let many = [Delivery](
            repeating: Self.delivery(), count: DeliveryQueue.placesPerLaunch + 1)
        #expect(queue.reserve(many) == false)
        #expect(queue.reserve(Array(many.dropLast())) == true)
    }

    @Test func whatWaitsIsBoundedInBytes() {
        var queue = DeliveryQueue()
        let large = Self.delivery(body: DeliveryQueue.bytes / 4)
        #expect(queue.reserve([large, large, large]) == true)
        #expect(queue.reserve([large]) == false)
        queue.release(large)
        #expect(queue.reserve([large]) == true)
    }

    @Test func noMoreThanTheLimitAreSentAtTheSameTime() throws {
        var queue = DeliveryQueue()
        let all = [Delivery](repeating: Self.delivery(), count: DeliveryQueue.inFlight + 1)
        #expect(queue.reserve(all) == true)
        for delivery in all { queue.add(delivery, at: Self.start) }
        var sending: [DeliveryQueue.Entry] = []
        while let entry = queue.takeDue(at: Self.start) { sending.append(entry) }
        #expect(sending.count == DeliveryQueue.inFlight)
        #expect(queue.nextDue == nil)
        queue.end(try #require(sending.first))
        #expect(queue.nextDue == Self.start)
    }

    @Test func aReceiverThatIsDownLeavesRoomForOthers() throws {
        var queue = DeliveryQueue()
        var waiting = 0
        for _ in 0..<(DeliveryQueue.retryPlaces + 10) {
            let delivery = Self.delivery()
            #expect(queue.reserve([delivery]) == true)
            queue.add(delivery, at: Self.start)
            let entryDue = queue.takeDue(at: Self.start)
            let entry = try #require(entryDue)
            if queue.retry(entry, at: Self.start + .seconds(5)) { waiting += 1 }
        }
        #expect(waiting == DeliveryQueue.retryPlaces)
        let first = [Delivery](repeating: Self.delivery(), count: DeliveryQueue.placesPerLaunch)
        #expect(queue.reserve(first) == true)
        let againDue = queue.takeDue(at: Self.start + .seconds(5))
        let again = try #require(againDue)
        #expect(again.number == 2)
        #expect(queue.retry(again, at: Self.start + .seconds(5)) == true)
    }

    @Test func largeOnesOfAReceiverThatIsDownLeaveRoomForOthers() throws {
        var queue = DeliveryQueue()
        let large = Self.delivery(body: 128 * 1024)
        for _ in 0..<400 {
            #expect(queue.reserve([large]) == true)
            queue.add(large, at: Self.start)
            let entryDue = queue.takeDue(at: Self.start)
            _ = queue.retry(try #require(entryDue), at: Self.start + .seconds(5))
        }
        // A place is free again when the next attempt has begun.
        let againDue = queue.takeDue(at: Self.start + .seconds(5))
        #expect(queue.retry(try #require(againDue), at: Self.start + .seconds(5)) == true)
    }

    @Test func aDeliveryThatIsGivenUpIsRecordedAsSuch() throws {
        var attempt = DeliveryAttempt(
            delivery: Self.delivery(), number: 1, startedAt: .now, fields: [], status: 503,
            failure: nil, milliseconds: 1)
        let silent = try JSONDocument(parsing: attempt.record(masking: nil).diagnostics.json).root
        #expect(silent.count == 0)
        attempt.isGivenUp = true
        let root = try JSONDocument(parsing: attempt.record(masking: nil).diagnostics.json).root
        #expect(root.elements.first { _ in true }?["code"]?.string == "delivery_given_up")
    }
}
