// Content that is made while it is sent, such as events or an export.

/// The parts of a response's content, in order.
package struct ContentStream: Sendable {
    /// The parts; the next one is asked for when the one before has been taken by the kernel.
    let parts: any AsyncSequence<[UInt8], any Error> & Sendable

    /// Bytes of all parts together; nil when nobody knows, and then they go out in chunks, or until
    /// the connection ends with HTTP/1.0 (RFC 9112 §6.3).
    let length: Int?

    /// Whether the next part may be a long time in coming, so that the peer is watched meanwhile.
    let isLive: Bool

    /// Makes a stream; each part is sent at once, and empty ones are left out.
    ///
    /// An error, or parts that don't add up to `length`, end the connection in the middle of the
    /// content, so that the peer can tell (RFC 9112 §8).
    package init(
        _ parts: some AsyncSequence<[UInt8], any Error> & Sendable, length: Int? = nil
    ) {
        self.parts = parts
        self.length = length
        isLive = false
    }

    /// Makes a stream of parts that come as things happen, such as events, and have no end of their
    /// own.
    ///
    /// While the next part is awaited, the peer is watched. When it goes, the task that awaits the
    /// part is cancelled, and the connection ends; a peer that has shut down its side has gone, even
    /// if it still reads. When the server drains, that task is cancelled too; parts that still come
    /// are sent, and after the last one the content ends well, so that the peer asks again
    /// elsewhere. So `parts` must end soon once the task that awaits them is cancelled, and must not
    /// mind that each one is awaited by a task of its own.
    ///
    /// Not for content with an end, such as an export: cut off by a drain, it would look whole.
    package init(live parts: some AsyncSequence<[UInt8], any Error> & Sendable) {
        self.parts = parts
        length = nil
        isLive = true
    }

    /// Hands all parts on, for who asks without a connection.
    ///
    /// Throws what the parts or `take` throw.
    package func hand(to take: ([UInt8]) async throws -> Void) async throws {
        let source = PartSource(parts)
        while let part = try await source.next().get() {
            if !part.isEmpty { try await take(part) }
        }
    }
}
