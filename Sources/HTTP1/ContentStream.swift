// Content that is produced while it is sent, such as events or an export.

/// The parts of a response's content, in order.
package struct ContentStream: Sendable {
    /// The parts; the next one is requested when the kernel has taken the previous one.
    let parts: any AsyncSequence<[UInt8], any Error> & Sendable

    /// Bytes of all parts together; nil if unknown.
    ///
    /// Then they are sent in chunks, or, with HTTP/1.0, until the connection closes
    /// (RFC 9112 §6.3).
    let length: Int?

    /// Whether parts arrive as things happen, rather than by work.
    let isLive: Bool

    /// Field lines after the last part, for what is known only then (RFC 9110 §6.5).
    ///
    /// They are sent with chunks only; the field `Trailer` of the head should name them.
    package let trailers: @Sendable () -> [(name: String, value: String)]

    /// Makes a stream; each part is sent at once, and empty ones are skipped.
    ///
    /// While a part takes long, the peer is watched, and when it is gone, the task that makes the part
    /// is cancelled. So `parts` must allow each part to be awaited by a different task.
    ///
    /// An error, or parts that don't add up to `length`, end the connection within the content, so
    /// that the peer can detect it (RFC 9112 §8).
    package init(
        _ parts: some AsyncSequence<[UInt8], any Error> & Sendable, length: Int? = nil,
        trailers: @escaping @Sendable () -> [(name: String, value: String)] = { [] }
    ) {
        self.parts = parts
        self.length = length
        self.trailers = trailers
        isLive = false
    }

    /// Makes a stream of parts that arrive as things happen, such as events, without an end of
    /// their own.
    ///
    /// While the next part is awaited, the peer is watched. When it is gone, the task that awaits
    /// the part is cancelled, and the connection ends; a peer that has shut down its side is gone,
    /// even if it still reads. When the server drains, that task is cancelled too. Parts that still
    /// arrive are sent, and the content ends properly after the last one, so that the peer asks
    /// again elsewhere. So `parts` must end soon once the awaiting task is cancelled, and must
    /// allow each part to be awaited by a different task.
    ///
    /// Not for content with an end, such as an export: cut off by a drain, it would look complete.
    package init(live parts: some AsyncSequence<[UInt8], any Error> & Sendable) {
        self.parts = parts
        length = nil
        trailers = { [] }
        isLive = true
    }

    /// Passes all parts to `take`, for callers without a connection.
    ///
    /// Throws what the parts or `take` throw.
    package func hand(to take: ([UInt8]) async throws -> Void) async throws {
        let source = PartSource(parts)
        while let part = try await source.next().get() {
            if !part.isEmpty { try await take(part) }
        }
    }

    /// The parts in one, up to the first of them that makes it longer than `limit` bytes.
    ///
    /// For callers without a connection. Throws what the parts throw.
    package func content(upTo limit: Int) async throws -> [UInt8] {
        let source = PartSource(parts)
        var content: [UInt8] = []
        while content.count <= limit, let part = try await source.next().get() { content += part }
        return content
    }
}
