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

    /// Milliseconds that a body may take in addition to the time its bytes need at
    /// `bodyBytesPerSecond`.
    package var bodyGraceMilliseconds: UInt64 = 10_000

    /// The slowest rate at which a body may come, in bytes a second.
    package var bodyBytesPerSecond: UInt64 = 1024

    /// Milliseconds for which a peer may take nothing of a response.
    package var writeStallMilliseconds: UInt64 = 30_000

    /// Bytes of a chunk's size line with its extensions, and of the trailer section.
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
    package var lingerBytes = 1024 * 1024

    /// The defaults.
    package init() {}
}
