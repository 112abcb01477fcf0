// How slowly a body may come. A value; time is an argument.
//
// Invariant: only the time in which the server waits for the peer counts, not what the server takes.

/// The pace of one body.
struct BodyPace {
    /// How much patience there is.
    struct Rule {
        /// Milliseconds without a byte, and of the window in which the rate is measured.
        let milliseconds: UInt64
        /// The slowest rate, in bytes a second.
        let bytesPerSecond: UInt64

        /// Bytes that must come in a window.
        fileprivate var bytes: UInt64 { bytesPerSecond * milliseconds / 1000 }
    }

    /// Milliseconds of the current window that have been waited for.
    private var waited: UInt64 = 0

    /// Bytes that have come in the current window.
    private var received: UInt64 = 0

    /// Milliseconds that the next byte may take.
    func patience(_ rule: Rule) -> UInt64 {
        // A window that has got its bytes leaves the next one whole.
        let end = received >= rule.bytes ? 2 * rule.milliseconds : rule.milliseconds
        return min(rule.milliseconds, end > waited ? end - waited : 0)
    }

    /// Takes note of bytes that came after so many milliseconds of waiting.
    mutating func note(_ count: Int, after milliseconds: UInt64, _ rule: Rule) {
        waited += milliseconds
        received += UInt64(count)
        // A window that lacks bytes stays, and leaves no patience.
        guard waited >= rule.milliseconds, received >= rule.bytes else { return }
        // What the last read brought belongs to both windows: an even pace is never too slow.
        waited = 0
        received = UInt64(count)
    }
}
