// How slowly a peer may take what is sent to it. A value; time is an argument.

/// The slowest peer that is waited for.
package struct WritePace: Sendable {
    /// Milliseconds for which the peer may take nothing at all.
    package let stallMilliseconds: UInt64

    /// Bytes a second that it must take on the whole, after the first stall is forgiven.
    package let bytesPerSecond: UInt64

    /// A stricter pace for times in which peers must hurry.
    private let hurry: Hurry?

    /// A stricter pace, and when it applies.
    package struct Hurry: Sendable {
        /// Milliseconds for which the peer may take nothing at all.
        let stallMilliseconds: UInt64
        /// Whether the peer must hurry now; asked while it is waited for.
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

    /// When a peer that is waited for since `now` must have taken more, having taken `sent` bytes
    /// since `start`.
    func deadline(start: UInt64, now: UInt64, sent: Int) -> UInt64 {
        let earned = start + stallMilliseconds + UInt64(sent) * 1000 / bytesPerSecond
        let stall = hurry.flatMap { $0.isOn() ? $0.stallMilliseconds : nil } ?? stallMilliseconds
        return min(now + min(stall, stallMilliseconds), earned)
    }

    /// When to ask for the deadline again, which may come nearer meanwhile.
    func step(now: UInt64) -> UInt64 {
        hurry == nil ? .max : now + Limits.hurryStepMilliseconds
    }
}
