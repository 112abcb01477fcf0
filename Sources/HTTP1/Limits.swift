// Limits for peers, each with its unit. Documentation/Operations.md lists them; a test keeps both
// equal.

/// Limits of the server, configurable where a user may need it.
package struct Limits: Sendable {
    /// Maximum bytes of a request target on any route; routes may allow less (RFC 9112 §3 asks for
    /// at least 8,000).
    ///
    /// A longer target gets 414.
    package var targetBytes = 256 * 1024

    /// Maximum bytes of all field lines of one request.
    ///
    /// A request with more gets 431.
    package var fieldSectionBytes = 16 * 1024

    /// Maximum number of field lines of one request.
    ///
    /// A request with more gets 431.
    package var fieldCount = 100

    /// Milliseconds from the first byte of a head to its last, however slowly it arrives.
    package var headMilliseconds: UInt64 = 10_000

    /// Milliseconds that a connection may be idle between requests.
    package var idleMilliseconds: UInt64 = 60_000

    /// Milliseconds that a stopping server waits for the first request of a connection.
    package var newcomerMilliseconds: UInt64 = 500

    /// Maximum pause of a body, and the window in which its rate is measured, in milliseconds.
    ///
    /// A longer pause gets 408.
    package var bodyPauseMilliseconds: UInt64 = 10_000

    /// Minimum rate of a body, in bytes a second.
    ///
    /// A slower body gets 408.
    package var bodyBytesPerSecond: UInt64 = 1024

    /// Maximum pause of bodies and responses while memory is short, in milliseconds.
    package var hurriedMilliseconds: UInt64 = 2_000

    /// Minimum rate of bodies while memory is short, in bytes a second.
    package var hurriedBytesPerSecond: UInt64 = 16 * 1024

    /// Bytes up to which an unfinished request or response counts as small.
    package var smallBytes = 64 * 1024

    /// Maximum bytes held by all unfinished small requests, and by responses that wait for their
    /// peer; a single one may hold more.
    ///
    /// Further requests get 503.
    package var smallMemoryBytes = 24 * 1024 * 1024

    /// Maximum bytes held by all large requests, including inflated ones; a single one may hold
    /// more.
    ///
    /// Further requests get 503: with a declared length after `memoryMilliseconds`, otherwise at
    /// once.
    package var bodyMemoryBytes = 32 * 1024 * 1024

    /// Maximum bytes used at the same time to read large requests and to write large responses.
    ///
    /// Further requests get 503, after `memoryMilliseconds`.
    package static let workMemoryBytes = 48 * 1024 * 1024

    /// Maximum bytes of large responses that are finished and wait for their peers; a single one
    /// may hold more.
    ///
    /// Further responses count as work until they have been sent.
    package static let finishedMemoryBytes = 24 * 1024 * 1024

    /// Milliseconds that a large request or response waits for memory.
    package static let memoryMilliseconds: UInt64 = 5_000

    /// Milliseconds between two checks, while waiting for a peer, whether memory is short.
    static let hurryMilliseconds: UInt64 = 500

    /// Milliseconds for which a peer may take nothing of a response.
    package var writeStallMilliseconds: UInt64 = 30_000

    /// Minimum rate at which a peer must take a response, in bytes a second, after the first stall.
    package var writeBytesPerSecond: UInt64 = 1024

    /// Milliseconds after which a query ends whose peer is gone or has shut down its side.
    package var absentPeerMilliseconds: UInt64 = 1_000

    /// Milliseconds for a TLS handshake.
    package var handshakeMilliseconds: UInt64 = 10_000

    /// Maximum number of open connections.
    ///
    /// Further connections get 503.
    package var connections = 16_384

    /// Maximum number of connections from one address, or one IPv6 network (/64).
    ///
    /// Where a PROXY header is expected, the address that it names counts. Loopback and trusted
    /// proxies are not limited. Further connections get 503.
    package var connectionsPerAddress = 1_024

    /// Excess connections that get a response at the same time; others are closed at once.
    package var rejectedConnections = 64

    /// Maximum bytes of a PROXY header, with its extensions.
    package static let proxyHeaderBytes = 16 + 4096

    /// Maximum number of ranges in a request; with more, the whole resource is sent
    /// (RFC 9110 §14.2).
    package static let ranges = 16

    /// Bytes of content from which compression is worthwhile.
    var compressedBytes = 1024

    /// zlib's level, 1 to 9, for content that is compressed for one response.
    var compressionLevel = 4

    /// Maximum bytes of a chunk's size line, of all chunk extensions of a body, and of the trailer
    /// section.
    package var chunkLineBytes = 4096

    /// Bytes of responses to pipelined requests that are collected before they are sent.
    var pipelinedOutputBytes = 64 * 1024

    /// Bytes of an unread body that are skipped to keep the connection; with more to come, it is
    /// closed.
    var skippedBodyBytes = 64 * 1024

    /// Milliseconds, and bytes, of input that is read and dropped after a last response, so that
    /// the peer can read it before the connection is reset (RFC 9112 §9.6).
    package var lingerMilliseconds: UInt64 = 2_000

    /// See `lingerMilliseconds`.
    var lingerBytes = 8 * 1024 * 1024

    /// Bytes of request heads on a connection after which others get their turn.
    static let turnBytes = 64 * 1024

    /// Bytes that a smaller head counts as: 32 requests make a turn.
    static let leastTurnBytes = 2 * 1024

    /// The defaults.
    package init() {}

    /// How slowly a body may arrive.
    func bodyRule(isHurried: Bool) -> BodyPace.Rule {
        isHurried
            ? BodyPace.Rule(
                milliseconds: min(hurriedMilliseconds, bodyPauseMilliseconds),
                bytesPerSecond: max(hurriedBytesPerSecond, bodyBytesPerSecond))
            : BodyPace.Rule(
                milliseconds: bodyPauseMilliseconds, bytesPerSecond: bodyBytesPerSecond)
    }
}
