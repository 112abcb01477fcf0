// Sizes and intervals of the server, each with its unit. User settings are in `Configuration`.

/// Limits of the server.
package enum Limits {
    /// Maximum bytes of a request target other than a callback's.
    ///
    /// RFC 9112 §3 asks for request lines of at least 8,000 bytes.
    static let usualTargetBytes = 8192

    /// Maximum bytes of the request target of a query about results, in which each byte of `q` may
    /// be percent-encoded.
    static let queryTargetBytes = 16_384

    /// Maximum segments of a path; the text of each is compared with the routes' patterns.
    static let pathSegments = 1000

    /// Maximum query parameters that are matched against patterns; later ones are ignored.
    static let routedParameters = 1000

    /// How often the process's memory is looked at.
    static let heapInterval = Duration.seconds(1)

    /// Bytes of memory up to which the heap is left alone.
    static let untrimmedBytes: Int64 = 64 * 1024 * 1024

    /// Bytes of growth after which the heap is trimmed at the next look.
    static let heapGrowthBytes: Int64 = 8 * 1024 * 1024

    /// Looks after which the heap of a large process is trimmed in any case.
    static let heapChecks = 5

    /// How long a successor may leave the store unlocked before the former server reopens it.
    static let successorPatience = Duration.seconds(10)

    /// How often a server tries to reopen the store on a full disk.
    static let roomInterval = Duration.seconds(1)

    /// Maximum callbacks in one request; each becomes a record with the request's fields.
    static let maximumBatch = 100

    /// Stored webhooks with the same id that one is compared with, the newest first; a repetition
    /// of an older one is stored again.
    static let comparedWebhooks = 10

    /// Strays that are kept at once, and then each second.
    package static let strayBurst = 100
    package static let straysPerSecond = 10

    /// The same for one address (IPv6: one /64) other than this machine's.
    package static let strayBurstOfAddress = 20
    package static let straysPerSecondOfAddress = 2

    /// Bytes of strays that are kept at once, and then each second.
    package static let strayBurstBytes = 16 * 1024 * 1024
    package static let strayBytesPerSecond = 256 * 1024

    /// Addresses whose strays are counted at a time; strays of further addresses are not kept.
    package static let strayAddresses = 1024

    /// Stored callbacks that are being sent again at the same time.
    package static let sendsInFlight = 8

    /// Answers of receivers that the API can set at the same time.
    package static let answers = 256

    /// Bytes of the fields and bodies of these answers together; one list shows all of them.
    package static let answerBytes = 1024 * 1024

    /// Answers that wait at the same time, of all receivers and of one.
    package static let waitingAnswers = 1000
    package static let waitingAnswersOfReceiver = 250

    /// Bytes of usual answers that wait at the same time.
    package static let waitingAnswerBytes = 16 * 1024 * 1024

    /// Milliseconds that the metrics wait for what a database holds.
    static let metricsMilliseconds = 1000

    /// Milliseconds that the greeting waits for its reader.
    static let greetingMilliseconds: Int32 = 1000
}
