// What one peer may take, each with its unit. The README lists them; a test keeps the two equal.

/// Limits of the server, settable where a user may need it.
package struct Limits: Sendable {
    /// Bytes of a request target that any route may receive; routes may ask for less (RFC 9112 §3
    /// wants 8,000 at least).
    ///
    /// More is answered with 414.
    package var targetBytes = 256 * 1024

    /// Bytes of all field lines of one request together.
    ///
    /// More is answered with 431.
    package var fieldSectionBytes = 16 * 1024

    /// Field lines of one request.
    ///
    /// More is answered with 431.
    package var fieldCount = 100

    /// Milliseconds from the first byte of a head to its last, no matter how it drips in.
    package var headMilliseconds: UInt64 = 10_000

    /// Milliseconds that a connection may wait for its next request.
    package var idleMilliseconds: UInt64 = 60_000

    /// Milliseconds for which a server that stops waits for the first request of a connection.
    package var newcomerMilliseconds: UInt64 = 500

    /// Milliseconds that a body may pause, and for which its rate is measured.
    ///
    /// Longer is answered with 408.
    package var bodyPauseMilliseconds: UInt64 = 10_000

    /// The slowest rate at which a body may come, in bytes a second.
    ///
    /// Less is answered with 408.
    package var bodyBytesPerSecond: UInt64 = 1024

    /// The pause of bodies and responses while memory is short, in milliseconds.
    package var hurriedMilliseconds: UInt64 = 2_000

    /// The slowest rate of bodies and responses while memory is short, in bytes a second.
    package var hurriedBytesPerSecond: UInt64 = 16 * 1024

    /// Bytes up to which a request or response in flight is a small one.
    package var smallBytes = 64 * 1024

    /// Bytes that unfinished small requests, and small responses that wait for their peer, may hold
    /// together.
    ///
    /// More requests are answered with 503.
    package var smallMemoryBytes = 24 * 1024 * 1024

    /// Bytes that large requests may hold together, inflated ones included; a single one may have
    /// more than that.
    ///
    /// More are answered with 503, after `memoryMilliseconds`.
    package var bodyMemoryBytes = 32 * 1024 * 1024

    /// Bytes that are used at the same time to read large requests and to write large responses.
    ///
    /// More are answered with 503, after `memoryMilliseconds`.
    package static let workMemoryBytes = 48 * 1024 * 1024

    /// Milliseconds that a large request or response waits for memory.
    package static let memoryMilliseconds: UInt64 = 5_000

    /// Milliseconds between two looks at whether a peer that is waited for must hurry.
    static let hurryMilliseconds: UInt64 = 500

    /// Milliseconds for which a peer may take nothing of a response.
    package var writeStallMilliseconds: UInt64 = 30_000

    /// The slowest rate at which a peer may take a response, in bytes a second, after the first
    /// stall.
    package var writeBytesPerSecond: UInt64 = 1024

    /// Milliseconds for a TLS handshake.
    package var handshakeMilliseconds: UInt64 = 10_000

    /// Connections that are open at the same time.
    ///
    /// More are answered with 503.
    package var connections = 16_384

    /// Connections from one address, or one IPv6 network (/64); loopback and trusted proxies may have as many as there are.
    ///
    /// More are answered with 503.
    package var connectionsPerAddress = 1_024

    /// Connections beyond the limits that are told so at the same time; others are closed at once.
    package var connectionsTurnedAway = 64

    /// Bytes of a PROXY header, with its extensions.
    package static let proxyHeaderBytes = 16 + 4096

    /// Ranges of one request; with more, the whole resource is sent (RFC 9110 §14.2).
    package static let ranges = 16

    /// Bytes of content from which on it is worth being compressed.
    package var compressedBytes = 1024

    /// zlib's level, 1 to 9, for content that is compressed for one response.
    package var compressionLevel = 4

    /// Bytes of a chunk's size line, of a body's chunk extensions together, and of the trailer
    /// section.
    package var chunkLineBytes = 4096

    /// Bytes of responses that pipelined requests may gather before they are sent.
    package var pipelinedOutputBytes = 64 * 1024

    /// Bytes of an unread body that are skipped so that the connection can go on; with more to
    /// come it is closed.
    package var skippedBodyBytes = 64 * 1024

    /// Milliseconds and bytes that are read and dropped after a last response, so that the peer
    /// can read it before the connection is reset (RFC 9112 §9.6).
    package var lingerMilliseconds: UInt64 = 2_000

    /// See `lingerMilliseconds`.
    package var lingerBytes = 8 * 1024 * 1024

    /// The defaults.
    package init() {}

    /// How slowly a body may come.
    func bodyRule(isHurried: Bool) -> BodyPace.Rule {
        isHurried
            ? BodyPace.Rule(
                milliseconds: min(hurriedMilliseconds, bodyPauseMilliseconds),
                bytesPerSecond: max(hurriedBytesPerSecond, bodyBytesPerSecond))
            : BodyPace.Rule(
                milliseconds: bodyPauseMilliseconds, bytesPerSecond: bodyBytesPerSecond)
    }
}
