// The server's side of TLS, parsed and checked once, before any handshake.

import COpenSSL

/// A server's certificates and settings, ready for handshakes.
///
/// Immutable: a reload makes a new one, and connections keep the one that they began with.
///
/// Many threads may use an OpenSSL context at once as long as it isn't changed.
@safe
package final class TLSContext: @unchecked Sendable {  // SAFETY: not changed after `init`.
    let handle: OpaquePointer
    private let tickets: TLSTicketKeys

    /// Data of the certificates, in the order of the settings.
    ///
    /// `hosts` are the names and addresses of subjectAltName, including wildcards; `expiresAt` is
    /// in Unix seconds. So is `responseExpiresAt`, after which the OCSP response isn't sent: nil
    /// without a response, `Int64.max` if it has no end, 0 if it is about other certificates.
    package let identities:
        [(name: String, hosts: [String], expiresAt: Int64, responseExpiresAt: Int64?)]

    /// Parses certificates and keys, and checks that they match.
    ///
    /// Throws any `TLSError`.
    package init(_ settings: TLSSettings, tickets: TLSTicketKeys) throws(TLSError) {
        if settings.identities.isEmpty { throw .noIdentity }
        guard let handle = unsafe copenssl_server_new(tickets.handle) else {
            throw .lastOnThread()
        }
        do throws(TLSError) {
            try unsafe Self.fill(handle, with: settings)
        } catch {
            unsafe copenssl_server_free(handle)
            throw error
        }
        // SAFETY: the handle is freed by `deinit` only: sessions hold their context, and the
        // context holds the tickets that the handle refers to.
        unsafe self.handle = handle
        self.tickets = tickets
        identities = settings.identities.enumerated().map { index, identity in
            unsafe (
                name: identity.name, hosts: Self.hosts(of: Int32(index), in: handle),
                expiresAt: copenssl_server_expiry(handle, Int32(index)),
                responseExpiresAt: identity.ocspResponse == nil
                    ? nil : copenssl_server_ocsp_end(handle, Int32(index))
            )
        }
    }

    deinit {
        unsafe copenssl_server_free(handle)
    }

    private static func fill(
        _ handle: OpaquePointer, with settings: TLSSettings
    ) throws(TLSError) {
        let verification =
            switch settings.clientVerification {
            case .none: copenssl_verify_none
            case .optional: copenssl_verify_optional
            case .required: copenssl_verify_required
            }
        if settings.clientVerification != .none {
            guard let pem = settings.clientAuthorities else { throw .noClientAuthorities }
            try TLSError.check(
                unsafe copenssl_server_verify(handle, Int32(verification), pem, pem.count))
        }
        for identity in settings.identities {
            let chain = identity.chain
            let result = unsafe identity.key.withOctets { key, count in
                // SAFETY: the shim keeps neither the chain's octets nor the key's.
                unsafe copenssl_server_add(handle, chain, chain.count, key, count)
            }
            try TLSError.check(result, name: identity.name)
            guard let response = identity.ocspResponse else { continue }
            try TLSError.check(
                unsafe copenssl_server_staple(handle, response, response.count),
                name: identity.name)
        }
    }

    private static func hosts(of index: Int32, in handle: OpaquePointer) -> [String] {
        var hosts: [String] = []
        while let host = unsafe copenssl_server_host(handle, index, Int32(hosts.count)) {
            unsafe hosts.append(String(cString: host))
        }
        return hosts
    }
}
