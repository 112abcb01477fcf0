// A server's TLS settings. Versions, suites and groups are not configurable: they are Mozilla's
// "intermediate" profile 5.7, TLS 1.2 and 1.3.

/// A server's identities, and its requirements for clients.
package struct TLSSettings: Sendable {
    /// Whether clients must present a certificate.
    ///
    /// A presented certificate is always verified: the handshake fails if it is invalid.
    package enum ClientVerification: Sendable {
        /// Clients are not asked for one.
        case none
        /// Clients are asked for one, but may omit it.
        case optional
        /// The handshake fails without one.
        case required
    }

    /// At least one.
    ///
    /// The first is the default for clients that name no host, or a host that no identity covers.
    /// Two identities for the same hosts with different kinds of keys (RSA and ECDSA) are combined.
    package var identities: [TLSIdentity]

    /// The authorities that sign clients' certificates, as a PEM bundle.
    package var clientAuthorities: [UInt8]?

    /// Whether clients must present a certificate.
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
