// Development certificates in memory: an authority and what it signed. Nothing is read or written
// here; `CertificateFolder` does that.

import FoundationEssentials

/// An authority and its server certificates.
package struct DevelopmentCertificates: Sendable {
    /// Days that a server certificate is valid when nothing else is said.
    package static let defaultDays = 90
    /// Days that one may be valid: none outlives its authority.
    package static let allowedDays = 1...DevelopmentAuthority.authorityDays

    let authority: DevelopmentAuthority
    /// In the order of the domains that were asked for.
    let servers: [(domain: DomainName, identity: CertificateIdentity)]

    /// Makes one certificate a domain, signed by `authority` or, without one, by a new one for all of
    /// them.
    ///
    /// Throws `badDays` for days that aren't allowed, `unsignable` when the library refuses.
    static func make(
        domains: [DomainName], validDays: Int = defaultDays, now: Date,
        authority existing: DevelopmentAuthority? = nil
    ) throws(DevelopmentCertificateError) -> DevelopmentCertificates {
        guard allowedDays.contains(validDays) else { throw .badDays }
        let authority: DevelopmentAuthority
        if let existing {
            authority = existing
        } else {
            authority = try .make(for: domains, now: now)
        }
        var servers: [(domain: DomainName, identity: CertificateIdentity)] = []
        for domain in domains {
            let identity = try authority.sign(for: domain, validDays: validDays, now: now)
            servers.append((domain, identity))
        }
        return DevelopmentCertificates(authority: authority, servers: servers)
    }
}
