// Keeps messages that peers can cause at will from filling the log. Messages are constant, so they
// identify what is throttled. A value: time is an argument.

/// Admits a burst of each message, then one line in each interval, and counts the others.
struct LogThrottle {
    private struct Flow {
        /// The end of the intervals that the admitted lines use up, one each.
        var paidUntil: UInt64 = 0
        var suppressed = 0
    }

    /// The number of held back lines of one message.
    struct Suppressed: Equatable {
        let message: String
        let lines: Int
    }

    private let burst: UInt64
    private let interval: UInt64
    private let mostMessages: Int
    private var flows: [String: Flow] = [:]
    private static let others = "(others)"

    /// - Parameters:
    ///   - burst: lines of a message that are admitted without a pause, at least 1.
    ///   - milliseconds: interval after the burst.
    ///   - messages: maximum number of messages counted separately.
    init(burst: Int, milliseconds: UInt64, messages: Int) {
        self.burst = UInt64(max(1, burst))
        interval = milliseconds
        mostMessages = messages
    }

    /// Whether to admit a line of this message; `now` is monotonic time in milliseconds.
    ///
    /// O(1).
    mutating func admit(_ message: String, at now: UInt64) -> Bool {
        let isCounted = flows[message] != nil || flows.count < mostMessages
        let key = isCounted ? message : Self.others
        var flow = flows[key] ?? Flow()
        defer { flows[key] = flow }
        let paidUntil = max(flow.paidUntil, now) + interval
        guard paidUntil <= now + burst * interval else {
            flow.suppressed += 1
            return false
        }
        flow.paidUntil = paidUntil
        return true
    }

    /// The lines held back since the last call, by message.
    mutating func takeSuppressed() -> [Suppressed] {
        var suppressed: [Suppressed] = []
        for (message, flow) in flows where flow.suppressed > 0 {
            suppressed.append(Suppressed(message: message, lines: flow.suppressed))
            flows[message]?.suppressed = 0
        }
        return suppressed.sorted { $0.message < $1.message }
    }
}
