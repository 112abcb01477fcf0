// Writing responses: the lines that every response has, then its own, then its content.

import Clocks
import Sockets

extension Connection {
    /// Queues the response to `request`, and sends it unless more requests wait already.
    ///
    /// - Returns: whether the connection may serve another request.
    mutating func send(
        _ response: Response, to request: Request
    ) async throws(SocketError) -> Bool {
        let isLast =
            response.closesConnection || !request.keepsAlive || socket.loop.isDraining
            || !canSkipBody
        render(
            response, isHead: request.method == .head, isLast: isLast,
            saysKeepAlive: request.minorVersion == 0)
        if response.body.count > limits.pipelinedOutputBytes, request.method != .head,
            response.status.allowsContent
        {
            try await flush(hasMore: true)
            try await socket.write(response.body, stallLimit: limits.writeStallMilliseconds)
        }
        if output.count > limits.pipelinedOutputBytes { try await flush() }
        if isLast { return false }
        return await skipBody()
    }

    /// Sends the response to a request that was refused; the connection ends with it.
    mutating func send(refusal response: Response, isHead: Bool) async throws(SocketError) {
        requestID &+= 1
        render(response, isHead: isHead, isLast: true, saysKeepAlive: false)
        try await flush()
    }

    /// Appends a response's head, and its body where it is small, to the output.
    private mutating func render(
        _ response: Response, isHead: Bool, isLast: Bool, saysKeepAlive: Bool
    ) {
        let status = response.status
        if output.isEmpty {
            // Room for all of it at once; growing from nothing would copy the head five times.
            let bodyBytes = min(response.body.count, limits.pipelinedOutputBytes)
            output.reserveCapacity(response.fieldLines.count + bodyBytes + Self.serverFieldBytes)
        }
        output.append(contentsOf: status.line)
        output.append(contentsOf: "Date: ".utf8)
        HTTPDate(unixSeconds: Clock.unixMilliseconds / 1000).append(to: &output)
        output.append(contentsOf: "\r\n".utf8)
        output.append(contentsOf: response.fieldLines)
        if status.allowsContent {
            output.append(contentsOf: "Content-Length: ".utf8)
            output.append(contentsOf: String(response.body.count).utf8)
            output.append(contentsOf: "\r\n".utf8)
        }
        if isLast {
            output.append(contentsOf: "Connection: close\r\n".utf8)
        } else if saysKeepAlive {
            output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
        }
        output.append(contentsOf: "X-Request-Id: ".utf8)
        appendRequestID()
        output.append(contentsOf: "\r\n\r\n".utf8)
        if status.allowsContent, !isHead, response.body.count <= limits.pipelinedOutputBytes {
            output.append(contentsOf: response.body)
        }
    }

    /// Bytes that the status line and the fields of the server take at the most.
    private static var serverFieldBytes: Int { 256 }

    /// 16 hexadecimal digits: random for each connection, counted up for each request.
    private mutating func appendRequestID() {
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 4
            let digit = UInt8(truncatingIfNeeded: requestID >> shift & 0xF)
            output.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
        }
    }

    /// Sends what has gathered.
    mutating func flush(hasMore: Bool = false) async throws(SocketError) {
        guard !output.isEmpty else { return }
        try await socket.write(
            output, stallLimit: limits.writeStallMilliseconds, hasMore: hasMore)
        output.removeAll(keepingCapacity: output.capacity <= limits.pipelinedOutputBytes)
    }

    /// Ends the connection so that the peer can read the last response: says that nothing follows,
    /// and drops what still comes, for a while (RFC 9112 §9.6).
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
