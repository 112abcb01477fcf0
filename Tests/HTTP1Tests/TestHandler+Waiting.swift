// Responses that come when something happens: when the test releases them, and streams of parts.

@testable import HTTP1

extension TestHandler {
    /// Waits until the test releases it, reports how the wait ended, and responds with that.
    func wait(over connection: inout Connection, within milliseconds: UInt64) async -> Response {
        let (onHeld, release) = (onHeld, release)
        let (value, ending) = await connection.whilePeerIsConnected(within: milliseconds) {
            onHeld()
            for await _ in release {}
            return Task.isCancelled ? "cancelled" : "released"
        }
        onEnd("\(value) \(ending)")
        return Response(.ok, body: Array("\(value) \(ending)".utf8))
    }

    /// Works until the test releases it, reports how the work ended, and responds with that.
    func work(over connection: inout Connection) async -> Response {
        let (onHeld, release) = (onHeld, release)
        let (value, ending) = await connection.workWhilePeerIsConnected {
            onHeld()
            for await _ in release {}
            return Task.isCancelled ? "cancelled" : "released"
        }
        onEnd("\(value) \(ending)")
        return Response(.ok, body: Array("\(value) \(ending)".utf8))
    }

    /// `one`, then `two` when the test says so, then the end or what else `path` asks for.
    func live(_ path: String) -> Response {
        let parts = LiveParts(path: path, handler: self)
        return Response(.ok, contentType: "text/event-stream", stream: ContentStream(live: parts))
    }
}

/// Parts of a live stream, whose source reports how it ended.
struct LiveParts: AsyncSequence {
    let path: String
    let handler: TestHandler

    func makeAsyncIterator() -> Iterator { Iterator(parts: self) }

    struct Iterator: AsyncIteratorProtocol {
        let parts: LiveParts
        private var count = 0

        init(parts: LiveParts) {
            self.parts = parts
        }

        mutating func next() async throws -> [UInt8]? {
            count += 1
            if count == 1 { return Array("one".utf8) }
            // Does not end by being cancelled, nor by itself before anybody should notice.
            if parts.path == "/live/stubborn", count < 200_000 { return Array("more".utf8) }
            guard count == 2 else { return nil }
            parts.handler.onHeld()
            for await _ in parts.handler.release {}
            guard !Task.isCancelled else {
                parts.handler.onEnd("cancelled")
                return nil
            }
            if parts.path == "/live/broken" { throw PeerError(text: "broken") }
            return Array("two".utf8)
        }
    }
}
