// What one response, and what waits between the client's thread and a task, may take in memory.

/// Limits of the client.
package enum Limits {
    /// Bytes of a response's head; a longer one is an error.
    static let headBytes = 64 * 1024

    /// Bytes of content that wait for the task that asked; libcurl reads no more until it took some.
    static let heldBytes = 256 * 1024

    /// Bytes of a response that is kept whole; a longer one is an error.
    package static let responseBytes = 64 * 1024 * 1024
}
