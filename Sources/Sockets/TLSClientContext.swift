// The client's side of TLS, for the program's own commands and for tests.

import COpenSSL

/// A client's settings, ready for handshakes.
///
/// A connection resumes the latest session with the same host, if the server issued a ticket.
///
/// SAFETY: `@unchecked Sendable`, because OpenSSL's contexts may be used by many threads at once as
/// long as they aren't changed, and the shim guards the latest session with a lock.
@safe
package final class TLSClientContext: @unchecked Sendable {
    let handle: OpaquePointer

    /// Creates a client that trusts servers whose certificates are signed by one of `authorities`:
    /// a PEM bundle, or nil for the system's.
    ///
    /// It offers `http/1.1`.
    ///
    /// Throws `authoritiesUnreadable` or `library`.
    package convenience init(trusting authorities: [UInt8]?) throws(TLSError) {
        try self.init(trusting: authorities, identity: nil)
    }

    /// Creates a client, also for tests: `protocols` are offered by ALPN in this order, none if
    /// empty; `isOld` offers nothing newer than TLS 1.2.
    init(
        trusting authorities: [UInt8]?, identity: TLSIdentity?,
        protocols: [String] = ["http/1.1"], isOld: Bool = false
    ) throws(TLSError) {
        guard let handle = unsafe copenssl_client_new() else { throw .lastOnThread() }
        // SAFETY: the handle is freed by `deinit` only, which runs even if the rest throws.
        unsafe self.handle = handle
        if let pem = authorities {
            try TLSError.check(unsafe copenssl_client_trust(handle, pem, pem.count))
        }
        if let identity {
            let chain = identity.chain
            let result = unsafe identity.key.withOctets { key, count in
                unsafe copenssl_client_identify(handle, chain, chain.count, key, count)
            }
            try TLSError.check(result, name: identity.name)
        }
        let names = protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
        try TLSError.check(unsafe copenssl_client_offer(handle, names, names.count))
        if isOld { try TLSError.check(unsafe copenssl_client_limit_to_12(handle)) }
    }

    deinit {
        unsafe copenssl_client_free(handle)
    }
}
