// The identity of a server. The files are read elsewhere; this has their content.

import COpenSSL

/// One certificate chain with its private key.
package struct TLSIdentity: Sendable, CustomStringConvertible {
    /// Its name in messages: a file name.
    package let name: String

    let chain: [UInt8]
    let key: SecretOctets
    let ocspResponse: [UInt8]?

    /// Creates an identity; its parts are checked when it is used.
    ///
    /// - Parameters:
    ///   - chain: certificates in PEM: the identity's own first, then its signers in order.
    ///   - key: the private key in PEM, not encrypted. The octets are overwritten at the end,
    ///     unless the caller keeps a copy.
    ///   - ocspResponse: in DER; sent unchanged to clients that ask for the certificate's status.
    package init(
        name: String, chain: [UInt8], key: consuming [UInt8], ocspResponse: [UInt8]? = nil
    ) {
        self.name = name
        self.chain = chain
        self.key = SecretOctets(key)
        self.ocspResponse = ocspResponse
    }

    /// The name, never the key.
    package var description: String { name }

    /// What clients may mind in a server's chain.
    package enum Fault: CaseIterable, Sendable {
        /// It doesn't lead to an authority that they trust.
        case issuerUnknown
        /// A certificate has expired, or isn't valid yet.
        case outOfDate
        /// Anything else: a certificate isn't for servers, say.
        case unsuitable
    }

    /// The chain's fault of this kind, as OpenSSL puts it; nil if the chain has no such fault.
    ///
    /// - Parameter authorities: certificates (PEM) that clients trust; nil for the system's.
    ///
    /// Throws `certificateUnreadable` or `authoritiesUnreadable`.
    package func reason(
        for fault: Fault, trusting authorities: [UInt8]? = nil
    ) throws(TLSError) -> String? {
        let kind =
            switch fault {
            case .issuerUnknown: copenssl_issuer_unknown
            case .outOfDate: copenssl_out_of_date
            case .unsuitable: copenssl_unsuitable
            }
        let trusted = authorities ?? []
        var result: Int32 = 0
        let reason = unsafe text(upTo: 256) { buffer, capacity in
            // SAFETY: the shim keeps none of the octets, and ends the reason with NUL.
            result = unsafe copenssl_check_chain(
                chain, chain.count, trusted, trusted.count, Int32(kind), buffer, capacity)
        }
        try TLSError.check(result, name: name)
        return result == 0 ? nil : reason
    }
}
