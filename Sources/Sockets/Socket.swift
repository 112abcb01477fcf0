// A connected stream on its loop. Reading and writing wait by `await`, never by blocking.
//
// Invariant: used only by the one task that owns it, on the loop's thread. Left out: TLS, which
// will be another kind of stream with the same four operations.

import CLinux

/// One connected TCP socket, closed when the value ends.
package struct Socket: ~Copyable {
    private let descriptor: Descriptor
    private let registration: Registration
    package let loop: EventLoop

    /// The peer's address and port, such as `127.0.0.1:51512` or `[::1]:51512`.
    package let peer: String

    /// Takes over an accepted descriptor.
    ///
    /// Must run on the loop.
    ///
    /// Throws `system` when the kernel can't watch the descriptor.
    package init(adopting accepted: AcceptedSocket, on loop: EventLoop) throws(SocketError) {
        let descriptor = Descriptor(adopting: accepted.number)
        registration = try loop.register(descriptor.number)
        self.descriptor = descriptor
        self.loop = loop
        peer = accepted.peer
    }

    deinit {
        loop.unregister(registration)
    }

    /// Receives more bytes behind those in `buffer`, waiting for the first of them.
    ///
    /// - Parameters:
    ///   - deadline: on the loop's clock, in milliseconds; checked when nothing is there.
    ///   - isIdle: whether nothing has been begun, so that a stopping server need not wait.
    /// - Returns: how many bytes came; 0 when the peer has shut down its side.
    ///
    /// Throws `disconnected`, `timedOut`, `draining` or `system`.
    package func read(
        into buffer: inout ReadBuffer, until deadline: UInt64, isIdle: Bool = false
    ) async throws(SocketError) -> Int {
        while true {
            if registration.isReadable || registration.isHungUp {
                if buffer.capacity == 0 { buffer.replaceStorage(loop.takeBuffer()) }
                let (result, room) = buffer.receive(from: descriptor.number)
                if result < room { registration.isReadable = false }
                if result >= 0 { return result }
                guard result == Int(-EAGAIN) else { throw SocketError("recv", result) }
                registration.isHungUp = false
            }
            if isIdle, buffer.isEmpty { giveBack(&buffer) }
            switch await loop.wait(
                \.reader, of: registration, until: deadline, endsOnDrain: isIdle)
            {
            case .ready: continue
            case .timedOut: throw .timedOut
            case .draining: throw .draining
            }
        }
    }

    /// Sends all of `bytes`, waiting while the kernel's buffer is full.
    ///
    /// - Parameters:
    ///   - stallLimit: for how many milliseconds the peer may take nothing at all.
    ///   - hasMore: whether more follows at once, so that the kernel may hold a short packet back.
    ///
    /// Throws `disconnected`, `timedOut` or `system`. After `timedOut` nothing more can be sent.
    package func write(
        _ bytes: [UInt8], stallLimit: UInt64, hasMore: Bool = false
    ) async throws(SocketError) {
        var sent = 0
        while sent < bytes.count {
            let offset = sent
            // SAFETY: the pointer is used within the closure, and `offset` is inside the array.
            let result = unsafe bytes.withUnsafeBytes { raw in
                guard let base = raw.baseAddress else { return 0 }
                return unsafe clinux_send(
                    descriptor.number, base + offset, raw.count - offset, hasMore ? 1 : 0)
            }
            if result >= 0 {
                sent += result
                continue
            }
            guard result == Int(-EAGAIN) else { throw SocketError("send", result) }
            switch await loop.wait(
                \.writer, of: registration, until: loop.now + stallLimit, endsOnDrain: false)
            {
            case .ready: continue
            case .timedOut, .draining:
                // Half a message is out: what would follow could only be misread.
                shutdownWriting()
                throw .timedOut
            }
        }
    }

    /// Says that nothing more will be sent; the peer can still be read.
    package func shutdownWriting() {
        _ = clinux_shutdown_write(descriptor.number)
    }

    /// Returns an empty buffer's storage to the loop: idle connections hold none.
    private func giveBack(_ buffer: inout ReadBuffer) {
        guard buffer.capacity > 0 else { return }
        loop.returnBuffer(buffer.takeStorage())
    }
}
