// What a server's TLS is made of. Versions, suites and groups are no settings: they are Mozilla's
// "intermediate" profile 5.7, TLS 1.2 and 1.3.

/// A server's identities, and what it asks of its clients.
package struct TLSSettings: Sendable {
    /// Whether clients must show a certificate.
    ///
    /// One that is shown is always verified: a handshake with a bad one fails.
    package enum ClientVerification: Sendable {
        /// They are not asked.
        case none
        /// They are asked, and may show none.
        case optional
        /// The handshake fails without one.
        case required
    }

    /// At least one.
    ///
    /// The first is the default, for clients that name no host, or one that nobody covers. Two
    /// for the same hosts with different kinds of keys (RSA and ECDSA) serve as one.
    package var identities: [TLSIdentity]

    /// The authorities that sign clients' certificates: a PEM bundle.
    package var clientAuthorities: [UInt8]?

    /// Whether clients must show a certificate.
    package var clientVerification: ClientVerification

    /// Creates settings.
    package init(
        identities: [TLSIdentity], clientAuthorities: [UInt8]? = nil,
        clientVerification: ClientVerification = .none
    ) {
        self.identities = identities
        self.clientAuthorities = clientAuthorities
        self.clientVerification = clientVerification
    }
}
