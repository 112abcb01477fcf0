// Sizes and intervals of the program, each with its unit. What a user may set is in `Configuration`.

/// Limits of the program.
enum Limits {
    /// How long a process that takes over may leave the store unlocked before the former server opens
    /// it again.
    static let successorPatience = Duration.seconds(10)

    /// Log lines that wait to be written; more are dropped and counted.
    static let logLines = 4096

    /// Bytes of these lines together.
    static let logBytes = 1024 * 1024

    /// Log lines of one message that are written one right after another.
    static let logBurst = 100

    /// Milliseconds after which one more line of that message may be written.
    static let logIntervalMilliseconds: UInt64 = 1000

    /// Different messages that are counted; all others share one count.
    static let logMessages = 256

    /// Milliseconds after which the log says how many lines of a message it has left out.
    static let logReportMilliseconds: UInt64 = 10_000

    /// Milliseconds after which a log that could not be written is tried again.
    static let logRetryMilliseconds: UInt64 = 1000

    /// Milliseconds that a process which ends waits for its log to be written.
    static let logFlushMilliseconds: UInt64 = 2000

    /// Requests that no route takes which are kept at once, and then each second.
    static let strayBurst = 100
    static let straysPerSecond = 10

    /// The same of one address (IPv6: one /64) that is not this machine's.
    static let strayBurstOfAddress = 20
    static let straysPerSecondOfAddress = 2

    /// Bytes of them that are kept at once, and then each second.
    static let strayBurstBytes = 16 * 1024 * 1024
    static let strayBytesPerSecond = 256 * 1024

    /// Addresses whose strays are counted; while more of them send some, no further one's are kept.
    static let strayAddresses = 1024

    /// Milliseconds that the greeting waits for somebody to read it.
    static let greetingMilliseconds: Int32 = 1000
}
