// Schedules deliveries, as a value without a clock: how many are allowed, which one is next, which
// ones are in flight.
//
// Invariant: places for all deliveries of a launch are reserved before its response, or none; each
// is released once. A waiting delivery is an entry here, not a task or a thread.

/// The deliveries of one server.
package struct DeliveryQueue {
    /// A delivery that waits for an attempt or is in flight.
    package struct Entry: Sendable {
        package let delivery: Delivery
        /// The number of the attempt, from 1.
        package var number = 1
        var dueAt: ContinuousClock.Instant
    }

    /// Maximum deliveries that wait or are in flight; a launch that needs more gets 503.
    package static let places = 1000

    /// Maximum bytes of all of them.
    package static let bytes = 16 * 1024 * 1024

    /// Maximum deliveries of one launch.
    package static let placesPerLaunch = 128

    /// Maximum deliveries that wait for a retry, so that a receiver that is down for hours doesn't
    /// block new ones; further ones are given up.
    package static let retryPlaces = 500

    /// Maximum bytes of those.
    static let retryBytes = bytes / 2

    /// Maximum deliveries in flight.
    package static let inFlight = 16

    /// Sorted by due time; the first one due is last.
    private var waiting: [Entry] = []
    private var placesTaken = 0
    private var bytesTaken = 0
    private var sending = 0
    private var retrying = 0
    private var retryingBytes = 0

    /// Reserves places for all deliveries of one launch; false if there are too few.
    package mutating func reserve(_ deliveries: [Delivery]) -> Bool {
        let size = deliveries.reduce(0) { $0 + $1.size }
        guard deliveries.count <= Self.placesPerLaunch,
            deliveries.count <= Self.places - placesTaken, size <= Self.bytes - bytesTaken
        else { return false }
        placesTaken += deliveries.count
        bytesTaken += size
        return true
    }

    /// Releases the place of a delivery that was reserved or has ended.
    package mutating func release(_ delivery: Delivery) {
        placesTaken -= 1
        bytesTaken -= delivery.size
    }

    /// Puts a delivery in its reserved place to wait.
    ///
    /// O(waiting deliveries).
    package mutating func add(_ delivery: Delivery, at now: ContinuousClock.Instant) {
        insert(Entry(delivery: delivery, dueAt: now + delivery.after))
    }

    /// When the next attempt is due; nil if none waits, or if one has to end first.
    package var nextDue: ContinuousClock.Instant? {
        sending < Self.inFlight ? waiting.last?.dueAt : nil
    }

    /// The next due delivery; `end` or `retry` must follow.
    package mutating func takeDue(at now: ContinuousClock.Instant) -> Entry? {
        guard let due = nextDue, due <= now else { return nil }
        let entry = waiting.removeLast()
        sending += 1
        if entry.number > 1 {
            retrying -= 1
            retryingBytes -= entry.delivery.size
        }
        return entry
    }

    /// Ends a delivery.
    package mutating func end(_ entry: Entry) {
        sending -= 1
        release(entry.delivery)
    }

    /// Lets a failed delivery wait for its next attempt; false if too many wait, which ends it.
    package mutating func retry(_ entry: Entry, at due: ContinuousClock.Instant) -> Bool {
        let size = entry.delivery.size
        guard retrying < Self.retryPlaces, size <= Self.retryBytes - retryingBytes else {
            end(entry)
            return false
        }
        sending -= 1
        retrying += 1
        retryingBytes += size
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
