// How slowly a peer may take what is sent to it. A value; time is an argument.

/// The slowest peer that is waited for.
package struct WritePace: Sendable {
    /// Milliseconds for which the peer may take nothing at all.
    package let stallMilliseconds: UInt64

    /// Bytes a second that it must take on the whole, after the first stall is forgiven.
    package let bytesPerSecond: UInt64

    package init(stallMilliseconds: UInt64, bytesPerSecond: UInt64) {
        self.stallMilliseconds = stallMilliseconds
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// When the peer must have taken more, having taken `sent` bytes since `start`.
    func deadline(start: UInt64, now: UInt64, sent: Int) -> UInt64 {
        let earned = start + stallMilliseconds + UInt64(sent) * 1000 / bytesPerSecond
        return min(now + stallMilliseconds, earned)
    }
}
