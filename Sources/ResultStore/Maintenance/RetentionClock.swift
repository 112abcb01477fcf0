// The current time for erasing by age. A value without a clock: the times are arguments.
//
// Invariant: a clock that leaps ahead moves it no further than the time that has really passed. At
// a start that is unknown, so the newest records decide whether the clock is plausible.

import Clocks

/// A clock that is trusted only as far as it is plausible.
package struct RetentionClock: Sendable {
    package init() {}

    private var last: (moment: Int64, boot: UInt64)?

    /// How far the clock is ahead of the trusted time, in milliseconds; 0 if the clock is trusted.
    package private(set) var lead: Int64 = 0

    /// The trusted time.
    ///
    /// - Parameters:
    ///   - clock: the time of the system's clock.
    ///   - boot: milliseconds of a clock that can't be set.
    ///   - newest: when the newest records were received, newest first.
    package mutating func now(
        _ clock: Timestamp, boot: UInt64, newest: [Timestamp]
    ) -> Timestamp {
        let clock = clock.unixMilliseconds
        var (expected, tolerance) = (clock, Int64(0))
        if let last {
            expected = last.moment + Int64(boot - last.boot)
            tolerance = Limits.clockStepMilliseconds
        } else if !newest.isEmpty {
            // The median: a few records may have been imported with any time.
            expected = newest[newest.count / 2].unixMilliseconds
            tolerance = Limits.clockPauseMilliseconds
        }
        let isPlausible = clock - expected <= tolerance
        let moment = isPlausible ? clock : expected
        lead = isPlausible ? 0 : clock - expected
        last = (moment, boot)
        return Timestamp(unixMilliseconds: moment)
    }
}
