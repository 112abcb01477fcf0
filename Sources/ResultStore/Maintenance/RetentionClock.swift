// What time it is for erasing by age. A value without a clock: the times are arguments.
//
// Invariant: a clock that leaps ahead moves it no further than the time that has passed. Where nobody
// can know how much has passed, at a start, the newest records say whether the clock is plausible.

import Clocks

/// A clock that is believed only as far as it is plausible.
struct RetentionClock {
    private var last: (moment: Int64, boot: UInt64)?

    /// Whether the clock is ahead of what is believed, in milliseconds; 0 when it is believed.
    private(set) var lead: Int64 = 0

    /// The time now.
    ///
    /// - Parameters:
    ///   - clock: what the system's clock says.
    ///   - boot: milliseconds of a clock that can't be set.
    ///   - newest: when the newest records were received, the newest first.
    mutating func now(
        _ clock: Timestamp, boot: UInt64, newest: [Timestamp]
    ) -> Timestamp {
        let clock = clock.unixMilliseconds
        var (expected, tolerance) = (clock, Int64(0))
        if let last {
            expected = last.moment + Int64(boot - last.boot)
            tolerance = Limits.clockStepMilliseconds
        } else if !newest.isEmpty {
            // The one in the middle: a few may have been imported with any time.
            expected = newest[newest.count / 2].unixMilliseconds
            tolerance = Limits.clockPauseMilliseconds
        }
        let isBelieved = clock - expected <= tolerance
        let moment = isBelieved ? clock : expected
        lead = isBelieved ? 0 : clock - expected
        last = (moment, boot)
        return Timestamp(unixMilliseconds: moment)
    }
}
