// Content that is made while it is sent, such as events or an export.

/// The parts of a response's content, in order.
package struct ContentStream: Sendable {
    /// The parts; the next one is asked for when the one before has been taken by the kernel.
    let parts: any AsyncSequence<[UInt8], any Error> & Sendable

    /// Bytes of all parts together; nil when nobody knows, and then they go out in chunks, or until
    /// the connection ends with HTTP/1.0 (RFC 9112 §6.3).
    let length: Int?

    /// Makes a stream; each part is sent at once, and empty ones are left out.
    ///
    /// An error, or parts that don't add up to `length`, end the connection in the middle of the
    /// content, so that the peer can tell (RFC 9112 §8).
    package init(
        _ parts: some AsyncSequence<[UInt8], any Error> & Sendable, length: Int? = nil
    ) {
        self.parts = parts
        self.length = length
    }
}
