// Development certificates in memory: an authority and the certificates that it signed. Files are
// left to `CertificateFolder`.

import FoundationEssentials

/// An authority and its server certificates.
package struct DevelopmentCertificates: Sendable {
    /// Default validity of a server certificate, in days.
    package static let defaultDays = 90
    /// Allowed validity, in days: no certificate outlives its authority.
    package static let allowedDays = 1...DevelopmentAuthority.authorityDays

    let authority: DevelopmentAuthority
    /// In the order of the requested domains.
    let servers: [(domain: DomainName, identity: CertificateIdentity)]

    /// Makes one certificate for each domain, signed by `authority`, or by a new one if it is nil.
    ///
    /// Throws `badDays` for days out of range, `unsignable` if the library fails.
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
