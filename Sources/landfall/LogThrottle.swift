// Keeps a message that peers can cause at will from filling the log.

import Synchronization

/// Lets one message through in each interval, with the number of those that were held back.
final class LogThrottle: Sendable {
    private struct State {
        var nextAllowed: ContinuousClock.Instant?
        var heldBack = 0
    }

    private let interval: Duration
    private let state = Mutex(State())

    init(interval: Duration) {
        self.interval = interval
    }

    /// How many messages were held back since the last one that went through; nil when this one is
    /// to be held back too.
    func admit(at now: ContinuousClock.Instant) -> Int? {
        state.withLock { state in
            if let next = state.nextAllowed, now < next {
                state.heldBack += 1
                return nil
            }
            defer { state = State(nextAllowed: now.advanced(by: interval)) }
            return state.heldBack
        }
    }
}
