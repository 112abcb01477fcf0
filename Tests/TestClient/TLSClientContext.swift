// The client's side of TLS.

import CTestClient
import Sockets

/// A client's settings, ready for handshakes.
///
/// A connection resumes the session that `remember` was called with last, if the server issued a
/// ticket.
///
/// Many threads may use an OpenSSL context at once as long as it isn't changed.
@safe
package final class TLSClientContext:
    @unchecked Sendable  // SAFETY: tests that call `remember` use a client on one thread.
{
    private let handle: OpaquePointer

    /// Creates a client that trusts servers whose certificates are signed by one of `authorities`:
    /// a PEM bundle.
    ///
    /// - Parameters:
    ///   - identity: its own chain and key (PEM).
    ///   - protocols: offered by ALPN in this order; none if empty.
    ///   - isOld: whether it offers nothing newer than TLS 1.2.
    package init(
        trusting authorities: [UInt8], identity: (chain: [UInt8], key: [UInt8])? = nil,
        protocols: [String] = ["http/1.1"], isOld: Bool = false
    ) throws(TLSError) {
        guard let handle = unsafe ctestclient_new() else { throw .library("no client") }
        // SAFETY: the handle is freed by `deinit` only, which runs even if the rest throws.
        unsafe self.handle = handle
        try Self.check(unsafe ctestclient_trust(handle, authorities, authorities.count))
        if let (chain, key) = identity {
            try Self.check(
                unsafe ctestclient_identify(handle, chain, chain.count, key, key.count))
        }
        let names = protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
        try Self.check(unsafe ctestclient_offer(handle, names, names.count))
        if isOld { try Self.check(unsafe ctestclient_limit_to_12(handle)) }
    }

    deinit {
        unsafe ctestclient_free(handle)
    }

    private static func check(_ result: Int32) throws(TLSError) {
        if result < 0 { throw .library("the client can't be set up: \(result)") }
    }

    /// Starts a session over a descriptor that the caller owns; the server's certificate must cover
    /// `host`, a name or an IP address without brackets.
    package func session(
        over descriptor: Int32, host: String
    ) throws(TLSError) -> TLSSession {
        // SAFETY: the shim copies the C string.
        let begun = unsafe host.withCString { unsafe ctestclient_begin(handle, descriptor, $0) }
        guard let session = unsafe begun else { throw .library("no session") }
        return unsafe TLSSession(adopting: session, of: self)
    }

    /// Resumes a session from now on; call it when both sides have sent their closing alert.
    package func remember(_ session: borrowing TLSSession) {
        unsafe ctestclient_remember(handle, session.handle)
    }
}

extension TLSSession {
    /// `TLSv1.3` or `TLSv1.2`, after the handshake.
    package var negotiatedVersion: String {
        // SAFETY: a static string.
        unsafe String(cString: ctestclient_version(handle))
    }

    /// The host that the client named (SNI), as it wrote it.
    package var serverName: String? {
        // SAFETY: the string lives as long as the session, and is copied.
        guard let name = unsafe ctestclient_server_name(handle) else { return nil }
        return unsafe String(cString: name)
    }

    /// The subject of the peer's certificate (RFC 4514), such as `CN=phone,O=Example`; nil without
    /// a certificate.
    package var peerSubject: String? {
        var text = [UInt8](repeating: 0, count: 256)
        let count = unsafe ctestclient_peer_subject(handle, &text, text.count)
        return count == 0 ? nil : String(decoding: text[..<count], as: UTF8.self)
    }

    /// Whether the handshake resumed a session with a ticket.
    package var isResumed: Bool { unsafe ctestclient_is_resumed(handle) != 0 }
}
