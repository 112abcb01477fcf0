// One TLS connection: plain octets above, records below. It never waits: what can't be done now is
// said by the outcome, and whoever owns the descriptor waits for it.
//
// Invariant: used by one task at a time, and gone before the descriptor is closed.

import COpenSSL

/// One TLS connection over a non-blocking descriptor that somebody else owns and closes.
@safe
struct TLSSession: ~Copyable {
    /// How a call went.
    enum Outcome: Equatable {
        /// It is done; for as many octets as this where it moves any.
        case done(Int)
        /// Nothing more can come before the descriptor is readable: call again after `mayReceive`.
        case wantsRead
        /// The descriptor takes no more: call again, with the same octets, when it is writable.
        case wantsWrite
        /// The peer has said that it sends nothing more, has closed its side, or is gone.
        case closed
        /// The connection is of no more use; why, in OpenSSL's words, which are fit for a log.
        case failed(String)
    }

    private let handle: OpaquePointer
    // What the handle refers to must outlive it.
    private let context: AnyObject & Sendable

    /// Begins the server's side.
    ///
    /// Throws `library`.
    init(server context: TLSContext, descriptor: Int32) throws(TLSError) {
        guard let handle = unsafe copenssl_session_accept(context.handle, descriptor) else {
            throw .lastOnThread()
        }
        // SAFETY: the handle is freed by `deinit` only, before the context goes.
        unsafe self.handle = handle
        self.context = context
    }

    /// Begins the client's side; the server's certificate must cover `host`, which is a name or an
    /// IP address without brackets.
    ///
    /// Throws `library`.
    init(client context: TLSClientContext, descriptor: Int32, host: String) throws(TLSError) {
        // SAFETY: the shim copies the C string.
        let begun = unsafe host.withCString { host in
            unsafe copenssl_session_connect(context.handle, descriptor, host)
        }
        guard let handle = unsafe begun else { throw .lastOnThread() }
        unsafe self.handle = handle
        self.context = context
    }

    deinit {
        unsafe copenssl_session_free(handle)
    }

    // MARK: Octets

    /// Goes on with the handshake; `done` when it is complete.
    mutating func handshake() -> Outcome {
        outcome(Int(unsafe copenssl_session_handshake(handle)))
    }

    /// Receives what fits into `buffer`, which must not be empty: at the most one record.
    ///
    /// More may wait already: only `wantsRead` means that the descriptor has to be waited for.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        // SAFETY: the buffer is the caller's for the call, and the shim writes no more than fits.
        outcome(unsafe copenssl_session_read(handle, buffer.baseAddress, buffer.count))
    }

    /// Sends octets from the front of `octets`: at the most one record's 16 KiB.
    ///
    /// After `wantsWrite`, the same octets must come again, and may lie elsewhere.
    mutating func write(_ octets: UnsafeRawBufferPointer, hasMore: Bool = false) -> Outcome {
        // SAFETY: the buffer is the caller's for the call.
        outcome(
            unsafe copenssl_session_write(
                handle, octets.baseAddress, octets.count, hasMore ? 1 : 0))
    }

    /// Sends close_notify and doesn't wait for the peer's (RFC 9112, 9.8).
    ///
    /// `done` at once where it would make no sense: before the handshake is complete, after a
    /// failure, and behind a record that is only half out.
    mutating func shutdown() -> Outcome {
        outcome(Int(unsafe copenssl_session_shutdown(handle)))
    }

    // MARK: Readiness

    /// Says that the event loop saw the descriptor readable: the kernel is asked again.
    ///
    /// To be called before `handshake` or `read` for each edge, and at the beginning. Until then,
    /// once a `recv` came short, there are no more of them.
    ///
    /// - Parameter isHungUp: whether the peer may have shut down its side already: no further event
    ///   comes for that, so the kernel is asked until it has nothing or says that it is the end.
    ///   A loop that knows better spares a system call for each request by saying so.
    mutating func mayReceive(isHungUp: Bool = true) {
        unsafe copenssl_session_may_receive(handle, isHungUp ? 1 : 0)
    }

    /// Whether `read` may give something before the loop sees the descriptor readable again.
    ///
    /// When false, `read` makes no system call and gives `wantsRead`.
    var mustReceive: Bool { unsafe copenssl_session_may_read(handle) != 0 }

    // MARK: What is known

    /// `TLSv1.3` or `TLSv1.2`, once the handshake is complete.
    var negotiatedVersion: String {
        // SAFETY: a static string.
        unsafe String(cString: copenssl_session_version(handle))
    }

    /// The host that the client named (SNI), as it wrote it.
    var serverName: String? {
        // SAFETY: the string lives as long as the session, and is copied.
        guard let name = unsafe copenssl_session_server_name(handle) else { return nil }
        return unsafe String(cString: name)
    }

    /// The subject of the peer's certificate (RFC 4514), such as `CN=phone,O=Example`; nil without
    /// one.
    var clientSubject: String? {
        let subject = unsafe text(upTo: 1024) { buffer, capacity in
            _ = unsafe copenssl_session_peer_subject(handle, buffer, capacity)
        }
        return subject.isEmpty ? nil : subject
    }

    /// Whether the handshake was a short one, by a ticket.
    var isResumed: Bool { unsafe copenssl_session_is_resumed(handle) != 0 }

    /// Whether the handshake failed because the peer sent an HTTP request in plain text.
    ///
    /// It can be answered in plain text. OpenSSL knows GET, POST, HEAD and PUT.
    var spokePlainHTTP: Bool { unsafe copenssl_session_spoke_http(handle) != 0 }

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
