// Deliveries that wait for their time, as a value without a clock: how many there may be, which one is
// next, and which ones are being sent.
//
// Invariant: places are taken before a launch is answered, all of its deliveries' or none, and given
// back once for each. What waits is an entry here, and neither a task nor a thread.

/// The deliveries of one server.
package struct DeliveryQueue {
    /// A delivery that waits for an attempt, or is being sent.
    package struct Entry: Sendable {
        package let delivery: Delivery
        /// Of the attempt, from 1.
        package var number = 1
        package var dueAt: ContinuousClock.Instant
    }

    /// Deliveries that wait or are being sent; a launch that needs more is answered with 503.
    package static let places = 1000

    /// Bytes that they hold together.
    package static let bytes = 16 * 1024 * 1024

    /// Deliveries of one launch.
    package static let placesPerLaunch = 128

    /// Places of deliveries that failed and wait for another attempt, so that a receiver that is down
    /// for hours doesn't keep new ones out; further ones are given up.
    package static let retryPlaces = 500

    /// Deliveries that are being sent at the same time.
    package static let inFlight = 16

    /// The first one due is the last here.
    private var waiting: [Entry] = []
    private var placesTaken = 0
    private var bytesTaken = 0
    private var sending = 0
    private var retrying = 0

    /// Takes places for the deliveries of one launch; false when there is no room for all of them.
    package mutating func reserve(_ deliveries: [Delivery]) -> Bool {
        let size = deliveries.reduce(0) { $0 + $1.size }
        guard deliveries.count <= Self.placesPerLaunch,
            deliveries.count <= Self.places - placesTaken, size <= Self.bytes - bytesTaken
        else { return false }
        placesTaken += deliveries.count
        bytesTaken += size
        return true
    }

    /// Gives the place of a delivery back: one that was reserved, or one that has ended.
    package mutating func release(_ delivery: Delivery) {
        placesTaken -= 1
        bytesTaken -= delivery.size
    }

    /// Lets a delivery wait in the place that was reserved for it.
    ///
    /// O(number that wait).
    package mutating func add(_ delivery: Delivery, at now: ContinuousClock.Instant) {
        insert(Entry(delivery: delivery, dueAt: now + delivery.after))
    }

    /// When the next attempt is due; nil when none waits, or when one has to end first.
    package var nextDue: ContinuousClock.Instant? {
        sending < Self.inFlight ? waiting.last?.dueAt : nil
    }

    /// The delivery whose attempt is to be made now; `end` or `retry` follows.
    package mutating func takeDue(at now: ContinuousClock.Instant) -> Entry? {
        guard let due = nextDue, due <= now else { return nil }
        let entry = waiting.removeLast()
        sending += 1
        if entry.number > 1 { retrying -= 1 }
        return entry
    }

    /// Ends a delivery.
    package mutating func end(_ entry: Entry) {
        sending -= 1
        release(entry.delivery)
    }

    /// Lets a failed delivery wait for its next attempt; false when too many do, and then it has ended.
    package mutating func retry(_ entry: Entry, at due: ContinuousClock.Instant) -> Bool {
        guard retrying < Self.retryPlaces else {
            end(entry)
            return false
        }
        sending -= 1
        retrying += 1
        insert(Entry(delivery: entry.delivery, number: entry.number + 1, dueAt: due))
        return true
    }

    private mutating func insert(_ entry: Entry) {
        var low = 0
        var high = waiting.count
        while low < high {
            let middle = low + (high - low) / 2
            if waiting[middle].dueAt > entry.dueAt { low = middle + 1 } else { high = middle }
        }
        waiting.insert(entry, at: low)
    }
}
