// The current time for erasing by age. A value without a clock: the times are arguments.
//
// Invariant: a clock that leaps ahead moves it no further than the time that has really passed. At
// a start that is unknown, so the newest records decide whether the clock is plausible.

import Clocks

/// A clock that is trusted only as far as it is plausible.
package struct RetentionClock: Sendable {
    package init() {}

    /// `isLate` as long as the clock is behind the records that are there.
    private var last: (moment: Int64, boot: UInt64, isLate: Bool)?

    /// How far the clock is ahead of the trusted time, in milliseconds; 0 if the clock is trusted.
    package private(set) var lead: Int64 = 0

    /// The trusted time.
    ///
    /// - Parameters:
    ///   - clock: the time of the system's clock.
    ///   - boot: milliseconds of a clock that can't be set.
    ///   - newest: when the newest records were received, in any order.
    package mutating func now(
        _ clock: Timestamp, boot: UInt64, newest: [Timestamp]
    ) -> Timestamp {
        let clock = clock.unixMilliseconds
        // The median: a few records may have been imported with any time.
        let median =
            newest.isEmpty
            ? clock : newest.sorted()[(newest.count - 1) / 2].unixMilliseconds
        var (expected, tolerance) = (median, Limits.clockPauseMilliseconds)
        if let last {
            expected = last.moment + Int64(boot - last.boot)
            if !last.isLate { tolerance = Limits.clockStepMilliseconds }
        }
        let isPlausible = clock - expected <= tolerance
        let moment = isPlausible ? clock : expected
        lead = isPlausible ? 0 : clock - expected
        // A clock without a battery begins long ago, and leaps once it is set: the records say how
        // far.
        let proven = min(expected, median)
        last = (max(moment, proven), boot, clock < proven - Limits.clockStepMilliseconds)
        return Timestamp(unixMilliseconds: moment)
    }
}
