// The certificate authority of one developer's machine: creates itself and signs for host names.
//
// The damage that a stolen key can do is limited: name constraints restrict the authority to the
// given hosts and names below them; it is valid for a year, signs server certificates only and
// can't create further authorities. Its key file has mode 0600. The cost: a host that it doesn't
// cover needs a new authority, which must be installed again.

import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A self-signed authority for development.
struct DevelopmentAuthority: Sendable {
    /// Validity of an authority, in days.
    static let authorityDays = 365
    /// The prefix of its name; eight random hex digits follow.
    static let namePrefix = "Landfall Development CA "
    /// Tolerance for slow clocks of devices, in seconds.
    private static let leewaySeconds: TimeInterval = 3600

    let identity: CertificateIdentity

    /// Its common name, which identifies it where it is installed.
    var name: String { Self.commonName(identity.certificate.subject) ?? "" }

    /// The hosts that it may sign for, and names below each (RFC 5280 §4.2.1.10), sorted; nil
    /// without critical constraints.
    var hosts: [String]? {
        let extensions = identity.certificate.extensions
        guard extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true,
            let constraints = try? extensions.nameConstraints,
            !constraints.permittedDNSDomains.isEmpty, !constraints.permittedIPRanges.isEmpty
        else { return nil }
        return constraints.permittedDNSDomains.sorted()
    }

    /// Whether its name shows that it was created here.
    var isLandfalls: Bool { name.hasPrefix(Self.namePrefix) }

    /// Creates an authority for these domains and `localhost`; each one is different.
    static func make(
        for domains: [DomainName], now: Date
    ) throws(DevelopmentCertificateError) -> DevelopmentAuthority {
        let suffix = String(UInt64.random(in: 1 << 32..<1 << 33), radix: 16).dropFirst()
        let key = P256.Signing.PrivateKey()
        let (notBefore, notAfter) = period(days: authorityDays, now: now)
        do {
            let name = try DistinguishedName { CommonName(namePrefix + suffix) }
            let publicKey = Certificate.PublicKey(key.publicKey)
            let certificate = try Certificate(
                version: .v3, serialNumber: serialNumber(), publicKey: publicKey,
                notValidBefore: notBefore, notValidAfter: notAfter, issuer: name, subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    Critical(constraints(domains))
                    SubjectKeyIdentifier(hash: publicKey)
                },
                issuerPrivateKey: Certificate.PrivateKey(key))
            return DevelopmentAuthority(
                identity: CertificateIdentity(certificate: certificate, key: key))
        } catch {
            throw .unsignable(reason: "\(error)")
        }
    }

    /// The domains without wildcards, and the loopback addresses as single-address masks.
    private static func constraints(_ domains: [DomainName]) -> NameConstraints {
        let hosts = Set(([.localhost] + domains).map(\.constraint)).sorted()
        return NameConstraints(
            permittedDNSDomains: hosts,
            permittedIPRanges: DomainName.loopbackAddresses.map { address in
                ASN1OctetString(
                    contentBytes: (address + [UInt8](repeating: 0xFF, count: address.count))[...])
            })
    }

    /// Signs a server certificate with a new key; valid for `validDays` days, and never longer than
    /// the authority.
    func sign(
        for domain: DomainName, validDays: Int, now: Date
    ) throws(DevelopmentCertificateError) -> CertificateIdentity {
        let key = P256.Signing.PrivateKey()
        let (notBefore, notAfter) = Self.period(days: validDays, now: now)
        do {
            let publicKey = Certificate.PublicKey(key.publicKey)
            let certificate = try Certificate(
                version: .v3, serialNumber: Self.serialNumber(), publicKey: publicKey,
                notValidBefore: notBefore,
                notValidAfter: min(notAfter, identity.certificate.notValidAfter),
                issuer: identity.certificate.subject,
                // For people only: clients read the alternative names. RFC 5280 appendix A.1
                // allows 64 characters.
                subject: try DistinguishedName {
                    CommonName(domain.text.utf8.count <= 64 ? domain.text : "Landfall")
                },
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectAlternativeNames(domain.alternativeNames)
                    SubjectKeyIdentifier(hash: publicKey)
                    AuthorityKeyIdentifier(
                        keyIdentifier: try identity.certificate.extensions.subjectKeyIdentifier?
                            .keyIdentifier)
                },
                issuerPrivateKey: Certificate.PrivateKey(identity.key))
            return CertificateIdentity(certificate: certificate, key: key)
        } catch {
            throw .unsignable(reason: "\(error)")
        }
    }

    /// Whether this authority signed a certificate.
    func signed(_ certificate: Certificate) -> Bool {
        certificate.issuer == identity.certificate.subject
            && identity.certificate.publicKey.isValidSignature(
                certificate.signature, for: certificate)
    }

    /// Whether a development authority, this one or another, issued a certificate.
    static func issued(_ certificate: Certificate) -> Bool {
        commonName(certificate.issuer)?.hasPrefix(namePrefix) == true
    }

    /// The first common name of a subject or issuer.
    static func commonName(_ name: DistinguishedName) -> String? {
        name.lazy.flatMap { $0 }.first { $0.type == .RDNAttributeType.commonName }
            .flatMap { String($0.value) }
    }

    /// The first and last second of a number of days that includes both (RFC 5280 §4.1.2.5).
    private static func period(days: Int, now: Date) -> (first: Date, last: Date) {
        let second = now.timeIntervalSince1970.rounded(.down)
        let first = Date(timeIntervalSince1970: second - leewaySeconds)
        return (first, first.addingTimeInterval(TimeInterval(days) * 86_400 - 1))
    }

    /// A random positive number of 16 bytes; at most 20 are allowed (RFC 5280 §4.1.2.2).
    private static func serialNumber() -> Certificate.SerialNumber {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // The first byte is neither negative nor zero, so that the length is always the same.
        bytes[0] = bytes[0] & 0x3F | 0x40
        return Certificate.SerialNumber(bytes: bytes)
    }
}
