// Sizes and intervals of the log, each with its unit.

/// Limits of the log.
enum Limits {
    /// Maximum log lines that wait to be written; further lines are dropped and counted.
    static let logLines = 4096

    /// Maximum bytes of these lines.
    static let logBytes = 1024 * 1024

    /// Log lines of one message that are written without a pause.
    static let logBurst = 100

    /// Milliseconds until one more line of that message may be written.
    static let logIntervalMilliseconds: UInt64 = 1000

    /// Maximum number of messages counted separately; all others share one count.
    static let logMessages = 256

    /// Milliseconds until the log reports how many lines of a message it has left out.
    static let logReportMilliseconds: UInt64 = 10_000

    /// Milliseconds until a failed write of the log is retried.
    static let logRetryMilliseconds: UInt64 = 1000

    /// Milliseconds that an ending process waits for its log to be written.
    static let logFlushMilliseconds: UInt64 = 2000
}
