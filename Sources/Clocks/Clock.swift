// The system's clocks, read through C shims so that Foundation isn't needed.

import CLinux

/// Reads the system's clocks.
package enum Clock {
    /// Milliseconds of a clock that never goes backwards; its zero is arbitrary
    /// (`CLOCK_MONOTONIC`).
    package static var monotonicMilliseconds: UInt64 { clinux_monotonic_milliseconds() }

    /// Microseconds of the same clock.
    package static var monotonicMicroseconds: UInt64 { clinux_monotonic_microseconds() }

    /// Milliseconds of a clock that never goes backwards, and that continues while the machine
    /// sleeps (`CLOCK_BOOTTIME`).
    package static var bootMilliseconds: UInt64 { clinux_boot_milliseconds() }

    /// Milliseconds since 1970-01-01T00:00:00Z (`CLOCK_REALTIME`); jumps when the clock is set.
    package static var unixMilliseconds: Int64 { clinux_realtime_milliseconds() }
}
