// Limits of forwarding, each with its unit. Those of the emulators' deliveries are in
// `DeliveryQueue`.

/// Limits of forwarding to one target.
enum Limits {
    /// Callbacks that wait for a target in memory; further ones wait in the journal.
    static let forwardPending = 10_000

    /// Dead letters that are kept; beyond it, the oldest are dropped.
    static let forwardDead = 10_000

    /// Attempts to an unordered target at the same time.
    static let forwardsInFlight = 16

    /// Attempts to all targets together may use one of this many descriptors of the process; each
    /// target gets at least one attempt.
    static let forwardDescriptorShare = 8

    /// Failures in a row after which a target gets one attempt at a time, with pauses.
    static let forwardFailures = 20

    /// Time after an answer of an unordered target that works in which failures don't count, in
    /// milliseconds.
    static let forwardTrustMilliseconds: Int64 = 60_000

    /// Maximum delay between two attempts, in milliseconds.
    static let longestForwardDelay: Int64 = 300_000

    /// Records that are read from the journal at once, and bytes of their lines.
    static let forwardPage = (records: 256, bytes: 1024 * 1024)

    /// Lines up to this size need no memory of those that forwarders share.
    static let forwardUncountedBytes = 64 * 1024

    /// Memory to read a line and prepare its request, as a multiple of its size: the line, its
    /// text, its body as text and as bytes.
    static let forwardCopies = 4

    /// Bytes of memory of all forwarders to read pages of lines.
    static let forwardReadBytes = 16 * 1024 * 1024

    /// Bytes of memory of all forwarders for bodies that are being sent; a single one may need
    /// more.
    static let forwardSendBytes = 32 * 1024 * 1024

    /// How long an attempt waits for memory, in milliseconds; so long that each gets it in turn.
    static let forwardMemoryMilliseconds: UInt64 = 3_600_000

    /// Minimum time between two reads of the journal, in milliseconds.
    static let forwardReadMilliseconds: Int64 = 100

    /// How long a line that was read may be sent before it is read from the store again, in
    /// milliseconds.
    static let forwardLineMilliseconds: Int64 = 1000

    /// Time between two checks whether callbacks that were given up have been erased, in seconds.
    static let forwardLookSeconds = 300

    /// Time between two saves of a queue, in milliseconds; a crash repeats what was sent since.
    static let forwardSaveMilliseconds: Int64 = 500

    /// Pause after the journal could not be read, in milliseconds; the longest of all pauses but
    /// those of retries.
    static let forwardPauseMilliseconds: Int64 = 1000
}
