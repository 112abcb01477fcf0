// Sizes and intervals of the log, each with its unit.

/// Limits of the log.
enum Limits {
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
}
