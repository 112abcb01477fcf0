// Limits of the memory and of the time that a response takes.

/// Limits of the client.
package enum Limits {
    /// Maximum bytes of a response's head; a longer one is an error.
    static let headBytes = 64 * 1024

    /// Maximum bytes of content that wait for the calling task; libcurl pauses until the task has
    /// taken some.
    static let heldBytes = 256 * 1024

    /// Maximum bytes of a response that is kept whole; a longer one is an error.
    static let responseBytes = 64 * 1024 * 1024

    /// Maximum time for content that is dropped, after the head: most servers end it within that
    /// time, and no slow one holds up the next request.
    static let droppedContentMilliseconds: UInt64 = 1000
}
