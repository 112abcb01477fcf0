// A connected stream on its loop, plain or under TLS. Reading and writing suspend the task, and
// never block.
//
// Invariant: used only by the one task that owns it, on the loop's thread.

import CLinux

/// One connected socket, closed when the value is destroyed.
package struct Socket: ~Copyable {
    private let descriptor: Descriptor
    private let registration: Registration
    private var tls: TLSSession?
    package let loop: EventLoop

    /// Takes over an accepted descriptor.
    ///
    /// Must run on the loop.
    ///
    /// Throws `system` if the kernel can't watch the descriptor.
    package init(adopting accepted: AcceptedSocket, on loop: EventLoop) throws(SocketError) {
        let descriptor = Descriptor(adopting: accepted.number)
        registration = try loop.register(descriptor.number)
        self.descriptor = descriptor
        self.loop = loop
    }

    deinit {
        loop.unregister(registration)
    }

    // MARK: TLS

    /// Whether the stream uses TLS.
    package var isSecure: Bool { tls != nil }

    /// Starts the server's side of TLS; nothing may have been read before.
    ///
    /// - Parameter deadline: for the whole handshake, on the loop's clock, in milliseconds.
    ///
    /// Throws `tls` (an alert may have been sent; what the peer sends can still be read, and
    /// dropped), `plainHTTP` (the peer sent an unencrypted request; the socket can still send an
    /// unencrypted response), `disconnected`, `timedOut` or `draining`.
    package mutating func startTLS(
        _ context: TLSContext, until deadline: UInt64
    ) async throws(SocketError) {
        try await startTLS(until: deadline) { descriptor throws(TLSError) in
            try TLSSession(server: context, descriptor: descriptor)
        }
    }

    /// Starts TLS with the session that `begin` makes over the descriptor.
    ///
    /// Throws as `startTLS` for servers does.
    package mutating func startTLS(
        until deadline: UInt64, _ begin: (_ descriptor: Int32) throws(TLSError) -> TLSSession
    ) async throws(SocketError) {
        do throws(TLSError) {
            tls = try begin(descriptor.number)
        } catch {
            throw .tls(reason: "\(error)")
        }
        try await handshake(until: deadline)
    }

    private mutating func handshake(until deadline: UInt64) async throws(SocketError) {
        while true {
            takeReadiness()
            switch tls?.handshake() ?? .closed {
            case .done: return
            case .wantsRead: try await wait(.reading, until: deadline, endsOnDrain: false)
            case .wantsWrite: try await wait(.writing, until: deadline, endsOnDrain: false)
            case .closed: throw .disconnected
            case .failed(let reason):
                let isPlainHTTP = tls?.receivedPlainHTTP == true
                // From now on bytes are read as they come, with what OpenSSL left in the kernel:
                // this has it read until there is no more.
                tls = nil
                registration.isHungUp = true
                throw isPlainHTTP ? SocketError.plainHTTP : SocketError.tls(reason: reason)
            }
        }
    }

    /// Passes the loop's readiness to the session, which knows when it has read everything.
    private mutating func takeReadiness() {
        guard registration.isReadable || registration.isHungUp else { return }
        let isHungUp = registration.isHungUp
        registration.isReadable = false
        registration.isHungUp = false
        tls?.mayReceive(isHungUp: isHungUp)
    }

    private func wait(
        _ direction: Registration.Direction, until deadline: UInt64, endsOnDrain: Bool
    ) async throws(SocketError) {
        switch await loop.wait(
            direction, of: registration, until: deadline, endsOnDrain: endsOnDrain)
        {
        case .ready: return
        case .timedOut: throw .timedOut
        case .draining: throw .draining
        }
    }

    // MARK: Reading

    /// Receives more bytes after those in `buffer`, waiting for the first of them.
    ///
    /// - Parameters:
    ///   - deadline: on the loop's clock, in milliseconds; checked when no bytes are available.
    ///   - isIdle: whether no request has begun, so that a stopping server doesn't have to wait.
    /// - Returns: number of bytes received; 0 if the peer has shut down its side.
    ///
    /// Throws `disconnected`, `timedOut`, `draining`, `tls` or `system`.
    package mutating func read(
        into buffer: inout ReadBuffer, until deadline: UInt64, isIdle: Bool = false
    ) async throws(SocketError) -> Int {
        while true {
            if tls != nil {
                if let count = try await readTLS(into: &buffer, until: deadline) { return count }
            } else if let count = try receive(into: &buffer) {
                return count
            }
            if isIdle, buffer.isEmpty { recycle(&buffer) }
            try await wait(.reading, until: deadline, endsOnDrain: isIdle)
        }
    }

    /// Receives available bytes; nil if there are none.
    private func receive(into buffer: inout ReadBuffer) throws(SocketError) -> Int? {
        guard registration.isReadable || registration.isHungUp else { return nil }
        if buffer.capacity == 0 { buffer.replaceStorage(loop.takeBuffer()) }
        let (result, room) = buffer.receive(from: descriptor.number)
        if result < room { registration.isReadable = false }
        if result >= 0 { return result }
        guard result == Int(-EAGAIN) else { throw SocketError("recv", result) }
        registration.isHungUp = false
        return nil
    }

    /// Receives available bytes under TLS; nil if there are none.
    private mutating func readTLS(
        into buffer: inout ReadBuffer, until deadline: UInt64
    ) async throws(SocketError) -> Int? {
        while true {
            takeReadiness()
            if buffer.capacity == 0 { buffer.replaceStorage(loop.takeBuffer()) }
            switch readSession(into: &buffer) {
            case .done(let count): return count
            case .closed: return 0
            case .wantsRead: return nil
            // Reading needs to write only for a key update.
            case .wantsWrite: try await wait(.writing, until: deadline, endsOnDrain: false)
            case .failed(let reason): throw .tls(reason: reason)
            }
        }
    }

    private mutating func readSession(into buffer: inout ReadBuffer) -> TLSSession.Outcome {
        var outcome = TLSSession.Outcome.closed
        _ = unsafe buffer.receive { space in
            outcome = unsafe tls?.read(into: space) ?? .closed
            if case .done(let count) = outcome { return count }
            return 0
        }
        return outcome
    }

    // MARK: Watching the peer

    /// A waker for the next `waitForWake`; earlier wakers must not be used any more.
    package func makeWaker() -> Waker {
        registration.isWoken = false
        return Waker(registration: registration, loop: loop)
    }

    /// Waits until the latest waker ends the wait, and watches the peer.
    ///
    /// A peer that has shut down its side counts as gone, because its reading can't be observed.
    /// What it sent before is not lost: it stays in the kernel. Under TLS, where the closing alert
    /// comes after it (RFC 8446 §6.1), it is read into `buffer`, up to `readBufferBytes`. If more
    /// has arrived, only the end of the stream itself is noticed.
    ///
    /// - Parameters:
    ///   - deadline: on the loop's clock, in milliseconds.
    ///   - endsOnDrain: whether a stopping server ends the wait at once.
    ///
    /// Throws `disconnected` if the peer is gone, `timedOut`, `draining` or `tls`.
    package mutating func waitForWake(
        into buffer: inout ReadBuffer, until deadline: UInt64, endsOnDrain: Bool = true
    ) async throws(SocketError) {
        while !registration.isWoken {
            if try receiveAhead(into: &buffer) { continue }
            if registration.hasPeerEnded { throw .disconnected }
            if buffer.isEmpty { recycle(&buffer) }
            try await wait(.reading, until: deadline, endsOnDrain: endsOnDrain)
        }
    }

    /// Waits until the latest waker ends the wait, without looking at the peer.
    ///
    /// Throws `timedOut`, or `draining` when the server no longer waits for its connections.
    package func waitForWake(until deadline: UInt64) async throws(SocketError) {
        while !registration.isWoken {
            try await wait(.reading, until: deadline, endsOnDrain: false)
        }
    }

    /// Receives under TLS what is available and fits; false if nothing was received.
    ///
    /// If OpenSSL has to send something first, the next write does that, because a wait for the
    /// peer to take it could not be woken.
    private mutating func receiveAhead(into buffer: inout ReadBuffer) throws(SocketError) -> Bool {
        guard tls != nil, buffer.count < Limits.readBufferBytes else { return false }
        takeReadiness()
        guard tls?.mustReceive == true else { return false }
        if buffer.capacity == 0 { buffer.replaceStorage(loop.takeBuffer()) }
        switch readSession(into: &buffer) {
        case .done: return true
        case .wantsRead, .wantsWrite: return false
        case .closed: throw .disconnected
        case .failed(let reason): throw .tls(reason: reason)
        }
    }

    /// Calls `parse` with the received bytes, without consuming them, until it returns how many it
    /// takes: for bytes before TLS.
    ///
    /// - Parameter limit: maximum bytes that `parse` may ask for.
    /// - Returns: the result of `parse`; nil if the peer ends or `limit` is reached before.
    ///
    /// Throws `disconnected`, `timedOut`, `draining` or `system`.
    package func readPreface<Value>(
        upTo limit: Int, until deadline: UInt64,
        _ parse: (Span<UInt8>) -> (value: Value, size: Int)?
    ) async throws(SocketError) -> Value? {
        var bytes = [UInt8](repeating: 0, count: limit)
        while true {
            // Read before the call, because an end that the loop has seen already causes no further
            // event.
            let isLast = registration.isHungUp
            // SAFETY: the pointers are used within the closures, and `limit` is the array's count.
            let count = unsafe bytes.withUnsafeMutableBytes { raw in
                unsafe clinux_peek(descriptor.number, raw.baseAddress, limit)
            }
            if count == 0 { return nil }
            if count > 0 {
                if let (value, size) = parse(bytes.span.extracting(0..<count)) {
                    _ = unsafe bytes.withUnsafeMutableBytes { raw in
                        unsafe clinux_recv(descriptor.number, raw.baseAddress, min(size, count))
                    }
                    return value
                }
                // Peeked bytes stay, so the end doesn't show as 0 bytes.
                if count == limit || isLast { return nil }
            } else if count != Int(-EAGAIN) {
                throw SocketError("recv", count)
            }
            try await wait(.reading, until: deadline, endsOnDrain: false)
        }
    }

    /// Returns an empty buffer's storage to the loop, so that idle connections hold none.
    private func recycle(_ buffer: inout ReadBuffer) {
        guard buffer.capacity > 0 else { return }
        loop.returnBuffer(buffer.takeStorage())
    }

    // MARK: Writing

    /// Sends the part of `bytes` that the kernel takes at once, up to one turn; returns its size.
    ///
    /// Throws `disconnected`, `tls` or `system`.
    package mutating func writeNow(
        _ bytes: [UInt8], hasMore: Bool = false
    ) throws(SocketError) -> Int {
        var sent = 0
        let turn = min(bytes.count, Limits.turnBytes)
        while sent < turn {
            switch send(bytes, sent..<turn, hasMore: hasMore || turn < bytes.count) {
            case .done(let count): sent += count
            case .wantsWrite, .wantsRead: return sent
            case .closed: throw .disconnected
            case .failed(let reason): throw .tls(reason: reason)
            }
        }
        return sent
    }

    /// Sends `bytes`, waiting while the kernel's buffer is full.
    ///
    /// - Parameters:
    ///   - part: the part to be sent, which must be within the bytes; nil for all of them.
    ///   - taken: bytes of the part that `writeNow` has just sent.
    ///   - pace: how slow the peer may be.
    ///   - hasMore: whether more follows at once, so that the kernel may delay a short packet.
    ///
    /// Throws `disconnected`, `timedOut`, `tls` or `system`. After `timedOut`, nothing more can be
    /// sent.
    package mutating func write(
        _ bytes: [UInt8], _ part: Range<Int>? = nil, after taken: Int = 0, pace: WritePace,
        hasMore: Bool = false
    ) async throws(SocketError) {
        let part = part ?? bytes.indices
        precondition(part.lowerBound >= 0 && part.upperBound <= bytes.count && taken >= 0)
        var sent = taken
        var turn = min(part.count, sent + Limits.turnBytes)
        let start = loop.now
        while sent < part.count {
            let rest = (part.lowerBound + sent)..<(part.lowerBound + turn)
            let outcome = send(bytes, rest, hasMore: hasMore || turn < part.count)
            try await take(outcome, &sent, since: start, pace)
            await endTurn(&turn, sent, of: part.count)
        }
    }

    /// Sends a part of `held`, waiting while the kernel's buffer is full.
    ///
    /// Requires `range` to be within the bytes. Throws as `write` of an array does.
    package mutating func write(
        _ held: HeldBytes, _ range: Range<Int>, pace: WritePace
    ) async throws(SocketError) {
        guard tls == nil, let file = held.fileNumber else {
            return try await write(held.bytes, range, pace: pace)
        }
        var sent = 0
        var turn = min(range.count, Limits.turnBytes)
        let start = loop.now
        while sent < range.count {
            let result = clinux_send_file(
                descriptor.number, file, Int64(range.lowerBound + sent), turn - sent)
            // A sealed file is never truncated, so 0 is impossible.
            let outcome: TLSSession.Outcome =
                result > 0 ? .done(result) : result == Int(-EAGAIN) ? .wantsWrite : .closed
            try await take(outcome, &sent, since: start, pace)
            await endTurn(&turn, sent, of: range.count)
        }
    }

    /// Lets others go first when the bytes up to `turn` are sent, and begins the next turn.
    private func endTurn(_ turn: inout Int, _ sent: Int, of count: Int) async {
        guard sent == turn, sent < count else { return }
        await loop.yield()
        turn = min(count, sent + Limits.turnBytes)
    }

    /// Counts what was sent, or waits until more can be sent.
    private mutating func take(
        _ outcome: TLSSession.Outcome, _ sent: inout Int, since start: UInt64, _ pace: WritePace
    ) async throws(SocketError) {
        let direction: Registration.Direction
        switch outcome {
        case .done(let count):
            sent += count
            return
        case .wantsWrite: direction = .writing
        case .wantsRead: direction = .reading
        case .closed: throw .disconnected
        case .failed(let reason): throw .tls(reason: reason)
        }
        let began = loop.now
        while true {
            let deadline = pace.deadline(start: start, now: began, sent: sent)
            do throws(SocketError) {
                let step = min(deadline, pace.step(now: loop.now))
                try await wait(direction, until: step, endsOnDrain: false)
                if direction == .reading { takeReadiness() }
                return
            } catch {
                if error == .timedOut, loop.now < deadline { continue }
                // Half of a message has been sent, so the peer would misread anything after it.
                _ = clinux_shutdown_write(descriptor.number)
                throw .timedOut
            }
        }
    }

    private mutating func send(
        _ bytes: [UInt8], _ part: Range<Int>, hasMore: Bool
    ) -> TLSSession.Outcome {
        // SAFETY: the pointer is used within the closure, and `part` is within the array.
        unsafe bytes.withUnsafeBytes { raw in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[part])
            if tls != nil { return unsafe tls?.write(rest, hasMore: hasMore) ?? .closed }
            let result = unsafe clinux_send(
                descriptor.number, rest.baseAddress, rest.count, hasMore ? 1 : 0)
            if result >= 0 { return .done(result) }
            return result == Int(-EAGAIN) ? .wantsWrite : .closed
        }
    }

    /// Sends TLS's closing alert if the kernel takes it at once; does nothing without TLS.
    ///
    /// For a socket that is about to be closed.
    package mutating func sendClosingAlert() {
        _ = tls?.shutdown()
    }

    /// Shuts down the sending side; the peer can still be read.
    ///
    /// Under TLS the closing alert is sent first (RFC 8446 §6.1), if the kernel takes it at once.
    package mutating func shutdownWriting() {
        _ = tls?.shutdown()
        _ = clinux_shutdown_write(descriptor.number)
    }
}
