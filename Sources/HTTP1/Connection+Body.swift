// Reads a request's body: whole or in parts, limited in size and in time, and inflated if it was
// compressed.

import Gzip
import Sockets

extension Connection {
    /// Reads the whole body of the current request.
    ///
    /// Sends `100 Continue` if the peer waits for it (RFC 9110 §10.1.1). Refuses a declared length
    /// over `limit` before anything is read. May wait; O(size).
    ///
    /// - Parameter limit: in bytes; applies to the received body and, if it was compressed, to the
    ///   inflated one.
    package mutating func readBody(upTo limit: Int) async throws(BodyFailure) -> [UInt8] {
        var content: [UInt8] = []
        // A part of a large body must arrive first, because declaring a length costs the peer
        // nothing.
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

    /// Gives back the memory of a body that was read, before the response waits for something else.
    package mutating func releaseBody() {
        bodyMemory.shrink()
        if input.isEmpty { smallMemory.shrink() }
    }

    /// Reads the rest of a body that has memory reserved.
    private mutating func readAdmitted(
        _ begun: consuming [UInt8], upTo limit: Int
    ) async throws(BodyFailure) -> [UInt8] {
        var content = begun
        while try await readBody(into: &content, room: .max, upTo: limit) {}
        return content
    }

    /// Bytes of memory for reading a body, besides its content.
    private var memoryBesideBody: Int {
        input.capacity + (inflater == nil ? 0 : Self.inflaterBytes)
    }

    /// Bytes of memory that zlib needs to inflate.
    private static var inflaterBytes: Int { 40 * 1024 }

    /// Reads the next part of the current request's body; nil at the end.
    ///
    /// Data that isn't read stays in the kernel, which slows down the peer. May wait; O(part).
    ///
    /// - Parameter limit: bytes of the whole body, the same in each call.
    package mutating func readBodyPart(upTo limit: Int) async throws(BodyFailure) -> [UInt8]? {
        var part: [UInt8] = []
        while part.isEmpty {
            guard try await readBody(into: &part, room: Self.partBytes, upTo: limit) else { break }
        }
        return part.isEmpty ? nil : part
    }

    /// Bytes of a part, and the room made for a body before its bytes have arrived.
    private static var partBytes: Int { 64 * 1024 }

    /// Takes received bytes, waiting for the first ones; false if the body has ended.
    private mutating func readBody(
        into content: inout [UInt8], room: Int, upTo limit: Int
    ) async throws(BodyFailure) -> Bool {
        let reader: BodyReader
        switch body {
        case .unread(let framing, let mustContinue):
            reader = try beginBody(framing, mustContinue: mustContinue, upTo: limit)
        case .reading(let begun): reader = begun
        case .given(let given):
            body = .none
            guard given.count <= limit else { throw .refused(.largeBody(limit)) }
            content += given
            return false
        case .none, .lost: return false
        }
        guard inflater != nil else {
            return try await readRaw(reader, into: &content, room: room)
        }
        // In small parts: inflating may multiply the size by two hundred.
        var raw: [UInt8] = []
        let hasMore = try await readRaw(reader, into: &raw, room: Self.codedPartBytes)
        try inflate(raw, into: &content, isLast: !hasMore)
        return hasMore
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

    /// Takes received bytes without inflating, waiting for the first ones; false if the body has
    /// ended.
    private mutating func readRaw(
        _ begun: BodyReader, into content: inout [UInt8], room: Int
    ) async throws(BodyFailure) -> Bool {
        var reader = begun
        // Until this step has succeeded, nothing after the body can be trusted.
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
            // The bytes after the body are intact, but finding where they begin isn't worth it.
            body = .lost
            switch error {
            case .malformed, .truncated: throw .refused(.malformedGzip)
            case .tooLarge, .ratio: throw .refused(.inflatesTooMuch)
            }
        }
    }

    /// Bytes of a compressed body that are inflated at a time.
    private static var codedPartBytes: Int { 4096 }

    /// Waits for more bytes of a body, as long as its pace allows.
    private mutating func fill(_ pace: inout BodyPace) async throws(BodyFailure) {
        do throws(SocketError) {
            try await flush()
            let start = socket.loop.now
            while true {
                let rule = limits.bodyRule(isHurried: settings.isMemoryShort)
                let end = start + pace.patience(rule)
                do throws(SocketError) {
                    // In steps, because memory may become short while waiting.
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

    /// Whether the rest of the body can be skipped, so that the connection can continue.
    var canSkipBody: Bool {
        switch body {
        case .none, .given: true
        case .unread(.length(let length), mustContinue: false): length <= limits.skippedBodyBytes
        case .unread, .reading, .lost: false
        }
    }

    /// Skips an unread body; false if the connection can't continue.
    mutating func skipBody() async -> Bool {
        if case .given = body { body = .none }
        if case .none = body { return true }
        guard canSkipBody else { return false }
        coding = .identity
        let skipped = try? await readBody(upTo: limits.skippedBodyBytes)
        return skipped != nil
    }
}
