// How slowly a peer may receive. A value; time is an argument.

/// The minimum pace of a peer.
package struct WritePace: Sendable {
    /// Milliseconds for which the peer may take nothing at all.
    let stallMilliseconds: UInt64

    /// Minimum average rate in bytes a second, not counting the first stall.
    let bytesPerSecond: UInt64

    /// A stricter pace for times of high load; nil for none.
    private let hurry: Hurry?

    /// A stricter pace, and when it applies.
    package struct Hurry: Sendable {
        /// Milliseconds for which the peer may take nothing at all.
        let stallMilliseconds: UInt64
        /// Whether the stricter pace applies now; called while waiting for the peer.
        let isOn: @Sendable () -> Bool

        package init(stallMilliseconds: UInt64, isOn: @escaping @Sendable () -> Bool) {
            self.stallMilliseconds = stallMilliseconds
            self.isOn = isOn
        }
    }

    package init(stallMilliseconds: UInt64, bytesPerSecond: UInt64, hurry: Hurry? = nil) {
        self.stallMilliseconds = stallMilliseconds
        self.bytesPerSecond = max(1, bytesPerSecond)
        self.hurry = hurry
    }

    /// When a peer that has taken nothing since `now`, and `sent` bytes since `start`, must have
    /// taken more.
    func deadline(start: UInt64, now: UInt64, sent: Int) -> UInt64 {
        let earned = start + stallMilliseconds + UInt64(sent) * 1000 / bytesPerSecond
        let stall = hurry.flatMap { $0.isOn() ? $0.stallMilliseconds : nil } ?? stallMilliseconds
        return min(now + min(stall, stallMilliseconds), earned)
    }

    /// When to compute the deadline again, because the stricter pace may have begun.
    func step(now: UInt64) -> UInt64 {
        hurry == nil ? .max : now + Limits.hurryStepMilliseconds
    }
}
