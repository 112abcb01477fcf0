// Reading a request's body: by length or in chunks, bounded in size and in time.

import Sockets

extension Connection {
    /// Reads the current request's body, whole.
    ///
    /// A peer that waits for `100 Continue` gets it here (RFC 9110 §10.1.1). A declared length over
    /// `limit` is refused before anything is read. May wait; O(size).
    ///
    /// - Parameter limit: in bytes.
    package mutating func readBody(upTo limit: Int) async throws(BodyFailure) -> [UInt8] {
        guard case .unread(let framing, let mustContinue) = body else { return [] }
        if case .length(let length) = framing, length > limit {
            throw .refused(.largeBody(limit))
        }
        body = .lost
        if mustContinue, input.isEmpty {
            output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
        }
        let content =
            switch framing {
            case .none: [UInt8]()
            case .length(let length): try await readBody(length: length)
            case .chunked: try await readChunks(upTo: limit)
            }
        body = .none
        return content
    }

    private mutating func readBody(length: Int) async throws(BodyFailure) -> [UInt8] {
        let start = socket.loop.now
        var content: [UInt8] = []
        content.reserveCapacity(min(length, Self.eagerBodyBytes))
        while true {
            input.move(min(input.count, length - content.count), to: &content)
            if content.count == length { return content }
            try await fill(until: deadline(from: start, received: content.count))
        }
    }

    private mutating func readChunks(upTo limit: Int) async throws(BodyFailure) -> [UInt8] {
        let start = socket.loop.now
        var content: [UInt8] = []
        var decoder = ChunkedDecoder(lineLimit: limits.chunkLineBytes)
        while true {
            let room = limit - content.count
            let (outcome, consumed) = input.withBytes {
                decoder.decode($0, into: &content, room: room)
            }
            input.consume(consumed)
            switch outcome {
            case .done: return content
            case .malformed: throw .refused(.malformedChunk)
            case .incomplete:
                // What is left over is data for which there is no room.
                if !input.isEmpty { throw .refused(.largeBody(limit)) }
                try await fill(until: deadline(from: start, received: content.count))
            }
        }
    }

    /// Room that is made for a body before its bytes have come.
    private static var eagerBodyBytes: Int { 64 * 1024 }

    /// When a body that came this far must have come further.
    private func deadline(from start: UInt64, received: Int) -> UInt64 {
        start + limits.bodyGraceMilliseconds
            + UInt64(received) * 1000 / limits.bodyBytesPerSecond
    }

    /// Waits for more bytes of a request that has begun.
    private mutating func fill(until deadline: UInt64) async throws(BodyFailure) {
        do throws(SocketError) {
            try await flush()
            if try await socket.read(into: &input, until: deadline) == 0 {
                throw SocketError.disconnected
            }
        } catch {
            throw error == .timedOut ? .refused(.slowRequest) : .disconnected
        }
    }

    /// Whether what is left of the body can be skipped, so that the connection may go on.
    var canSkipBody: Bool {
        switch body {
        case .none: true
        case .unread(.length(let length), mustContinue: false): length <= limits.skippedBodyBytes
        case .unread, .lost: false
        }
    }

    /// Skips an unread body; false when the connection can't go on.
    mutating func skipBody() async -> Bool {
        if case .none = body { return true }
        guard canSkipBody else { return false }
        let skipped = try? await readBody(upTo: limits.skippedBodyBytes)
        return skipped != nil
    }
}
