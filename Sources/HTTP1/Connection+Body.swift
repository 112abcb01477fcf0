// Reading a request's body: whole or in parts, bounded in size and in time, and inflated where it
// came compressed.

import Gzip
import Sockets

extension Connection {
    /// Reads the current request's body, whole.
    ///
    /// A peer that waits for `100 Continue` gets it here (RFC 9110 §10.1.1). A declared length over
    /// `limit` is refused before anything is read. May wait; O(size).
    ///
    /// - Parameter limit: in bytes, as received and, where it came compressed, as inflated.
    package mutating func readBody(upTo limit: Int) async throws(BodyFailure) -> [UInt8] {
        var content: [UInt8] = []
        // Of a large body a part must come first: a length alone costs the peer nothing.
        var awaitedLength: Int?
        if case .unread(.length(let length), _) = body {
            content.reserveCapacity(min(length, Self.partBytes))
            if coding == .identity, length > Self.partBytes { awaitedLength = length }
        }
        var room = awaitedLength == nil ? Int.max : Self.partBytes
        while try await readBody(into: &content, room: room, upTo: limit) {
            guard let length = awaitedLength else {
                guard hold(content.capacity + memoryBesideBody) else { throw .refused(.noMemory) }
                continue
            }
            room = Self.partBytes - content.count
            guard hold(content.count) else { throw .refused(.noMemory) }
            if room > 0 { continue }
            guard await bodyMemory.grow(to: length, within: Limits.memoryMilliseconds) else {
                throw .refused(.noMemory)
            }
            content.reserveCapacity(length)
            return try await readAdmitted(content, upTo: limit)
        }
        return content
    }

    /// Reads the rest of a body for which there is memory.
    private mutating func readAdmitted(
        _ begun: consuming [UInt8], upTo limit: Int
    ) async throws(BodyFailure) -> [UInt8] {
        var content = begun
        while try await readBody(into: &content, room: .max, upTo: limit) {}
        return content
    }

    /// Bytes that reading a body takes besides its content.
    private var memoryBesideBody: Int {
        input.capacity + (inflater == nil ? 0 : Self.inflaterBytes)
    }

    /// Bytes that zlib takes to inflate.
    private static var inflaterBytes: Int { 40 * 1024 }

    /// Reads the next part of the current request's body; nil when it has ended.
    ///
    /// What isn't asked for stays in the kernel, so the peer is held back. May wait; O(part).
    ///
    /// - Parameter limit: bytes of the whole body, the same in each call.
    package mutating func readBodyPart(upTo limit: Int) async throws(BodyFailure) -> [UInt8]? {
        var part: [UInt8] = []
        while part.isEmpty {
            guard try await readBody(into: &part, room: Self.partBytes, upTo: limit) else { break }
        }
        return part.isEmpty ? nil : part
    }

    /// Bytes of a part, and room that is made for a body before its bytes have come.
    private static var partBytes: Int { 64 * 1024 }

    /// Takes what has come, waiting for the first of it; false when the body has ended.
    private mutating func readBody(
        into content: inout [UInt8], room: Int, upTo limit: Int
    ) async throws(BodyFailure) -> Bool {
        let reader: BodyReader
        switch body {
        case .unread(let framing, let mustContinue):
            reader = try beginBody(framing, mustContinue: mustContinue, upTo: limit)
        case .reading(let begun): reader = begun
        case .none, .lost: return false
        }
        guard inflater != nil else {
            return try await readRaw(reader, into: &content, room: room)
        }
        // A little at a time: it may become two hundred times as much.
        var raw: [UInt8] = []
        let goesOn = try await readRaw(reader, into: &raw, room: Self.codedPartBytes)
        try inflate(raw, into: &content, isLast: !goesOn)
        return goesOn
    }

    private mutating func beginBody(
        _ framing: Request.Framing, mustContinue: Bool, upTo limit: Int
    ) throws(BodyFailure) -> BodyReader {
        if case .length(let length) = framing, length > limit {
            throw .refused(.largeBody(limit))
        }
        switch coding {
        case .identity: inflater = nil
        case .gzip: inflater = Inflater(limit: limit)
        case .unknown: throw .refused(.contentCoding)
        }
        if mustContinue, input.isEmpty {
            output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
        }
        return BodyReader(framing, upTo: limit, limits)
    }

    /// Takes what has come as it is, waiting for the first of it; false when the body has ended.
    private mutating func readRaw(
        _ begun: BodyReader, into content: inout [UInt8], room: Int
    ) async throws(BodyFailure) -> Bool {
        var reader = begun
        // Until this step has gone well, nothing behind the body can be trusted.
        body = .lost
        while true {
            switch reader.step(&input, into: &content, room: room) {
            case .progress:
                body = .reading(reader)
                return true
            case .end:
                body = .none
                return false
            case .refused(let refusal): throw .refused(refusal)
            case .starved: try await fill(&reader.pace)
            }
        }
    }

    private mutating func inflate(
        _ raw: [UInt8], into content: inout [UInt8], isLast: Bool
    ) throws(BodyFailure) {
        do throws(GzipError) {
            try inflater?.inflate(raw, into: &content)
            if isLast { try inflater?.finish() }
        } catch {
            // What follows the body is in order, but it is not worth finding out where that begins.
            body = .lost
            switch error {
            case .malformed, .truncated: throw .refused(.malformedGzip)
            case .tooLarge, .ratio: throw .refused(.inflatesTooMuch)
            }
        }
    }

    /// Bytes of a compressed body that are inflated at a time.
    private static var codedPartBytes: Int { 4096 }

    /// Waits for more bytes of a body, for as long as its pace allows.
    private mutating func fill(_ pace: inout BodyPace) async throws(BodyFailure) {
        do throws(SocketError) {
            try await flush()
            let start = socket.loop.now
            while true {
                let rule = limits.bodyRule(isHurried: settings.isMemoryShort)
                let end = start + pace.patience(rule)
                do throws(SocketError) {
                    // In steps: memory may become short meanwhile.
                    let step = min(end, socket.loop.now + Limits.hurryMilliseconds)
                    let count = try await socket.read(into: &input, until: step)
                    if count == 0 { throw SocketError.disconnected }
                    return pace.note(count, after: socket.loop.now - start, rule)
                } catch {
                    guard error == .timedOut, socket.loop.now < end else { throw error }
                }
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
        case .unread, .reading, .lost: false
        }
    }

    /// Skips an unread body; false when the connection can't go on.
    mutating func skipBody() async -> Bool {
        if case .none = body { return true }
        guard canSkipBody else { return false }
        coding = .identity
        let skipped = try? await readBody(upTo: limits.skippedBodyBytes)
        return skipped != nil
    }
}
