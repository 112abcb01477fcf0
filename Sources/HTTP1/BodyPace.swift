// How slowly a body may arrive. A value; time is an argument.
//
// Invariant: only the time in which the server waits for the peer counts, not the time that the
// server takes.

/// The pace of one body.
struct BodyPace {
    /// The slowest pace that is allowed.
    struct Rule {
        /// Maximum pause, and length of the window in which the rate is measured, in milliseconds.
        let milliseconds: UInt64
        /// Minimum rate in bytes a second.
        let bytesPerSecond: UInt64

        /// Bytes that must arrive in a window.
        fileprivate var bytes: UInt64 { bytesPerSecond * milliseconds / 1000 }
    }

    /// Milliseconds of waiting in the current window.
    private var waited: UInt64 = 0

    /// Bytes that arrived in the current window.
    private var received: UInt64 = 0

    /// Milliseconds that the next byte may take.
    func patience(_ rule: Rule) -> UInt64 {
        // If the window has received its bytes, the whole next window remains.
        let end = received >= rule.bytes ? 2 * rule.milliseconds : rule.milliseconds
        return min(rule.milliseconds, end > waited ? end - waited : 0)
    }

    /// Records bytes that arrived after this many milliseconds of waiting.
    mutating func note(_ count: Int, after milliseconds: UInt64, _ rule: Rule) {
        waited += milliseconds
        received += UInt64(count)
        // A window that lacks bytes continues, and no time is left for waiting.
        guard waited >= rule.milliseconds, received >= rule.bytes else { return }
        // The last read counts for both windows, so a constant pace is never too slow.
        waited = 0
        received = UInt64(count)
    }
}
