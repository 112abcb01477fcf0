// One TLS connection: plaintext above, records below. It never waits: an outcome says what it
// needs, and the owner of the descriptor waits for that.
//
// Invariant: used by one task at a time, and destroyed before the descriptor is closed.

import COpenSSL

/// One TLS connection over a non-blocking descriptor that its caller owns and closes.
@safe
package struct TLSSession: ~Copyable {
    /// The result of a call.
    enum Outcome: Equatable {
        /// Done; the number of octets moved, if any.
        case done(Int)
        /// Nothing more is available until the descriptor is readable: call again after
        /// `mayReceive`.
        case wantsRead
        /// The descriptor takes no more: call again, with the same octets, when it is writable.
        case wantsWrite
        /// The peer has sent its closing alert, has closed its side, or is gone.
        case closed
        /// The connection is unusable; the reason is OpenSSL's text, which may be logged.
        case failed(String)
    }

    /// The shim's session; valid as long as this value exists.
    package let handle: OpaquePointer
    // Objects that the handle refers to must outlive it.
    private let context: AnyObject & Sendable

    /// Starts the server's side.
    ///
    /// Throws `library`.
    init(server context: TLSContext, descriptor: Int32) throws(TLSError) {
        guard let handle = unsafe copenssl_session_accept(context.handle, descriptor) else {
            throw .lastOnThread()
        }
        unsafe self.init(adopting: handle, of: context)
    }

    /// Takes over a session of the shim, which no other code may free.
    package init(adopting handle: OpaquePointer, of context: AnyObject & Sendable) {
        // SAFETY: the handle is freed by `deinit` only, before the context is released.
        unsafe self.handle = handle
        self.context = context
    }

    deinit {
        unsafe copenssl_session_free(handle)
    }

    // MARK: Octets

    /// Continues the handshake; returns `done` when it is complete.
    mutating func handshake() -> Outcome {
        outcome(Int(unsafe copenssl_session_handshake(handle)))
    }

    /// Receives into `buffer`, which must not be empty: one record or less.
    ///
    /// More may be available: only `wantsRead` means that the caller has to wait for the
    /// descriptor.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        // SAFETY: the buffer is the caller's for the call, and the shim writes no more than fits.
        outcome(unsafe copenssl_session_read(handle, buffer.baseAddress, buffer.count))
    }

    /// Sends octets from the beginning of `octets`, up to one record's 16 KiB.
    ///
    /// After `wantsWrite`, the next call must pass the same octets, possibly at another address.
    mutating func write(_ octets: UnsafeRawBufferPointer, hasMore: Bool = false) -> Outcome {
        // SAFETY: the buffer is the caller's for the call.
        outcome(
            unsafe copenssl_session_write(
                handle, octets.baseAddress, octets.count, hasMore ? 1 : 0))
    }

    /// Sends close_notify and doesn't wait for the peer's (RFC 9112 §9.8).
    ///
    /// Does nothing and returns `done` before the handshake is complete, after a failure, and after
    /// a record that was sent only in part.
    mutating func shutdown() -> Outcome {
        outcome(Int(unsafe copenssl_session_shutdown(handle)))
    }

    // MARK: Readiness

    /// Records that the event loop saw the descriptor readable, so the kernel is asked again.
    ///
    /// Call it before `handshake` or `read` for each edge, and at the beginning. Without it, no
    /// more `recv` calls follow a short one.
    ///
    /// - Parameter isHungUp: whether the peer may have shut down its side already. That causes no
    ///   further event, so the kernel is asked until it has nothing or reports the end. Passing
    ///   false if the loop knows better saves a system call for each request.
    mutating func mayReceive(isHungUp: Bool = true) {
        unsafe copenssl_session_may_receive(handle, isHungUp ? 1 : 0)
    }

    /// Whether `read` may return something before the loop sees the descriptor readable again.
    ///
    /// If false, `read` makes no system call and returns `wantsRead`.
    var mustReceive: Bool { unsafe copenssl_session_may_read(handle) != 0 }

    // MARK: Properties

    /// Whether the handshake failed because the peer sent an unencrypted HTTP request.
    ///
    /// The response can be sent unencrypted. OpenSSL recognises GET, POST, HEAD and PUT.
    var receivedPlainHTTP: Bool { unsafe copenssl_session_spoke_http(handle) != 0 }

    private func outcome(_ result: Int) -> Outcome {
        switch result {
        case 0...: .done(result)
        case copenssl_wants_read: .wantsRead
        case copenssl_wants_write: .wantsWrite
        case copenssl_closed: .closed
        default:
            .failed(
                unsafe text(upTo: 256) { unsafe copenssl_session_take_reason(handle, $0, $1) })
        }
    }
}
