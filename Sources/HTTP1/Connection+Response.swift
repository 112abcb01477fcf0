// Writes responses: the fields that every response has, then its own fields, then its content.

import Clocks
import Sockets
import Text

extension Connection {
    /// How the end of a response's content is found (RFC 9112 §6.3).
    private enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    /// What happens to a connection after a response.
    enum Continuation {
        /// It can serve another request.
        case next
        /// It ends, as the request asked, and nothing more has arrived.
        case end
        /// It ends, and the peer may still be sending (RFC 9112 §9.6).
        case linger
    }

    /// Queues the response to `request`, and sends it unless more requests are waiting already.
    mutating func send(
        _ response: consuming Response, to request: Request
    ) async throws(SocketError) -> Continuation {
        bodyMemory.shrink()
        response.compress(for: request, limits)
        let framing = Self.framing(of: response, to: request)
        let isLast =
            response.closesConnection || !request.keepsAlive || socket.loop.isDraining
            || !canSkipBody || framing == .untilClose
        renderHead(
            response, framing, isLast: isLast, saysKeepAlive: request.minorVersion == 0)
        if request.method != .head, response.status.allowsContent {
            try await sendContent(response, framing)
        }
        if output.count > limits.pipelinedOutputBytes { try await flush() }
        guard isLast else {
            if case .none = body { return .next }
            return await skipBody() ? .next : .linger
        }
        if case .none = body, !request.keepsAlive, input.isEmpty { return .end }
        return .linger
    }

    /// Sends the response to a refused request; the connection ends with it.
    mutating func send(refusal response: Response, isHead: Bool) async throws(SocketError) {
        requestID &+= 1
        takenRequestID = nil
        requestBegan = 0
        let framing = Framing.length(response.body.count)
        renderHead(response, framing, isLast: true, saysKeepAlive: false)
        if !isHead { output.append(contentsOf: response.body) }
        try await flush()
    }

    private static func framing(of response: Response, to request: Request) -> Framing {
        guard response.status.allowsContent, response.sendsContentLength || request.method != .head
        else {
            return .none
        }
        return switch response.content {
        case .bytes(let bytes): .length(bytes.count)
        case .held(_, let range): .length(range.count)
        case .stream(let stream):
            if let length = stream.length {
                .length(length)
            } else {
                request.minorVersion == 0 ? .untilClose : .chunked
            }
        }
    }

    // MARK: Head

    /// Appends a response's head to the output.
    private mutating func renderHead(
        _ response: Response, _ framing: Framing, isLast: Bool, saysKeepAlive: Bool
    ) {
        if output.isEmpty {
            if output.capacity == 0 { output = socket.loop.takeSpare() }
            // Reserves room for everything at once; growing from empty would copy the head five
            // times.
            var bodyBytes = 0
            if case .length(let length) = framing, length <= limits.pipelinedOutputBytes {
                bodyBytes = length
            }
            output.reserveCapacity(response.fieldLines.count + bodyBytes + Self.serverFieldBytes)
        }
        output.append(copying: response.status.line.span)
        let date = socket.loop.text(ofSecond: { second in
            var line = Array("Date: ".utf8)
            HTTPDate(unixSeconds: second).append(to: &line)
            return line + Array("\r\n".utf8)
        })
        output.append(copying: date.span)
        output.append(copying: response.fieldLines.span)
        let timing = requestBegan > 0 ? serverTiming : ""
        let (ownID, takenID) = (requestID, takenRequestID)
        output.append(addingCapacity: Self.serverFieldBytes) { head in
            switch framing {
            case .none, .untilClose: break
            case .length(let length):
                head.append(text: "Content-Length: ")
                head.append(decimal: length)
                head.append(text: "\r\n")
            case .chunked: head.append(text: "Transfer-Encoding: chunked\r\n")
            }
            if isLast {
                head.append(text: "Connection: close\r\n")
            } else if saysKeepAlive {
                head.append(text: "Connection: keep-alive\r\n")
            }
            head.append(text: timing)
            head.append(text: "X-Request-Id: ")
            if let takenID {
                head.append(copying: takenID.span)
            } else {
                Self.append(hexadecimal: ownID, to: &head)
            }
            head.append(text: "\r\n\r\n")
        }
    }

    /// Maximum bytes of the status line and the server's own fields, of which a trusted proxy's
    /// request id is the longest.
    private static var serverFieldBytes: Int { 512 }

    /// The line with the milliseconds from the request's head to it (W3C Server Timing).
    private var serverTiming: String {
        let microseconds = Clock.monotonicMicroseconds &- requestBegan
        let fraction = String(1000 + microseconds % 1000).dropFirst()
        return "Server-Timing: total;dur=\(microseconds / 1000).\(fraction)\r\n"
    }

    /// The value of `X-Request-Id`, for the log: a trusted proxy's, or 16 hexadecimal digits,
    /// counted up for each request, from starts that are far apart for each connection.
    package var requestIDText: String {
        if let takenRequestID { return String(decoding: takenRequestID, as: UTF8.self) }
        return Hexadecimal.text(requestID, digits: 16)
    }

    private static func append(hexadecimal number: UInt64, to output: inout OutputSpan<UInt8>) {
        for place in 1...16 {
            let digit = UInt8(truncatingIfNeeded: number &>> UInt64(64 &- 4 &* place) & 0xF)
            output.append(digit < 10 ? 0x30 &+ digit : 0x57 &+ digit)
        }
    }

    // MARK: Content

    private mutating func sendContent(
        _ response: Response, _ framing: Framing
    ) async throws(SocketError) {
        switch response.content {
        case .bytes(let bytes):
            if bytes.count <= limits.pipelinedOutputBytes {
                output.append(contentsOf: bytes)
            } else {
                try await flush(hasMore: true)
                let sent = try socket.writeNow(bytes)
                if sent == bytes.count { break }
                response.permit?.finish(holding: bytes.count)
                // Content with a permit is counted there.
                let size = response.permit == nil ? bytes.count : 0
                try await sendRest(of: bytes, after: sent, holding: size)
            }
        case .held(let held, let range):
            if range.count <= limits.pipelinedOutputBytes {
                output.append(contentsOf: held.bytes[range])
            } else {
                try await flush(hasMore: true)
                try await socket.write(held, range, pace: settings.pace)
            }
        case .stream(let stream): try await sendStream(stream, framing)
        }
    }

    /// Sends the head, then the parts, and watches the peer while none is available.
    ///
    /// The head goes out at once, however late the first part is, so that the peer knows that the
    /// request was understood.
    @inline(never)
    private mutating func sendStream(
        _ stream: ContentStream, _ framing: Framing
    ) async throws(SocketError) {
        try await flush()
        let source = PartSource(stream.parts)
        var sent = 0
        while true {
            let (next, ending) =
                stream.isLive
                ? await whilePeerIsConnected { await source.next() }
                : await workWhilePeerIsConnected { await source.next() }
            // If a source doesn't end although the server stops, it is abandoned.
            if ending == .peerGone || socket.loop.isAborting { throw .disconnected }
            // The peer must not mistake incomplete content for complete content.
            guard case .success(let next) = next else { throw .disconnected }
            guard let part = next else { break }
            sent += part.count
            if case .length(let length) = framing, sent > length { throw .disconnected }
            if !part.isEmpty { try await send(part, framing) }
        }
        if case .length(let length) = framing, sent != length { throw .disconnected }
        guard framing == .chunked else { return }
        append("0", "")
        for field in stream.trailers() { append(field.name + ": ", field.value) }
        append("", "")
    }

    private mutating func send(_ part: [UInt8], _ framing: Framing) async throws(SocketError) {
        if framing == .chunked { append(String(part.count, radix: 16), "") }
        if part.count <= Self.copiedPartBytes {
            output.append(contentsOf: part)
        } else {
            try await flush(hasMore: true)
            try await socket.write(part, pace: settings.pace, hasMore: framing == .chunked)
        }
        if framing == .chunked { append("", "") }
        try await flush()
    }

    private mutating func append(_ name: String, _ value: String) {
        output.append(text: name)
        output.append(text: value)
        output.append(text: "\r\n")
    }

    /// Bytes up to which a part is copied to be sent together with its framing.
    private static var copiedPartBytes: Int { 16 * 1024 }

    // MARK: Sending

    /// Sends the queued responses to earlier requests, before a handler does something slow.
    ///
    /// If the peer is gone, sending this request's response will report it.
    package mutating func sendPending() async {
        try? await flush()
    }

    /// Sends the queued output.
    ///
    /// Throws for ever after a failure: a part may have been sent, and nothing may follow it.
    mutating func flush(hasMore: Bool = false) async throws(SocketError) {
        if let sendingFailure { throw sendingFailure }
        guard !output.isEmpty else { return }
        do throws(SocketError) {
            let sent = try socket.writeNow(output, hasMore: hasMore)
            if sent < output.count {
                try await sendRest(
                    of: output, after: sent, holding: output.capacity, hasMore: hasMore)
            }
        } catch {
            sendingFailure = error
            output = []
            throw error
        }
        output.removeAll(keepingCapacity: output.capacity <= limits.pipelinedOutputBytes)
    }

    /// Sends what the kernel didn't take at once; it is held in memory for a slow peer.
    ///
    /// - Parameter size: bytes of memory that are held meanwhile.
    @inline(never)
    private mutating func sendRest(
        of bytes: [UInt8], after sent: Int, holding size: Int, hasMore: Bool = false
    ) async throws(SocketError) {
        let before = smallMemory.bytes
        // If too many such peers hold memory, this connection is closed, because a part of the
        // response may have been sent.
        guard smallMemory.grow(to: before + size) else { throw .timedOut }
        try await socket.write(bytes, after: sent, pace: settings.pace, hasMore: hasMore)
        smallMemory.shrink(to: before)
    }

    /// Ends a connection whose peer sends nothing more (RFC 9112 §9.8: with TLS's closing alert).
    mutating func finish() async throws(SocketError) {
        try await flush(hasMore: socket.isSecure)
        socket.sendClosingAlert()
    }

    /// Ends the connection so that the peer can read the last response.
    ///
    /// Shuts down the sending side, then reads and drops input for a limited time (RFC 9112 §9.6).
    mutating func linger() async {
        socket.shutdownWriting()
        let deadline = socket.loop.now + limits.lingerMilliseconds
        var dropped = 0
        while dropped < limits.lingerBytes {
            input.consume(input.count)
            guard let count = try? await socket.read(into: &input, until: deadline, isIdle: false),
                count > 0
            else { return }
            dropped += count
        }
    }
}
