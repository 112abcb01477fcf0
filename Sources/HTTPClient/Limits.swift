// Limits of the memory that a response uses.

/// Limits of the client.
package enum Limits {
    /// Maximum bytes of a response's head; a longer one is an error.
    static let headBytes = 64 * 1024

    /// Maximum bytes of content that wait for the calling task; libcurl pauses until the task has
    /// taken some.
    static let heldBytes = 256 * 1024

    /// Maximum bytes of a response that is kept whole; a longer one is an error.
    static let responseBytes = 64 * 1024 * 1024
}
