// Certificates are read back from their PEM texts and verified as a client would.

import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import DevelopmentCertificates
@testable import LinkHosting
@testable import ResultAPI
@testable import Text

@Suite struct DevelopmentCertificatesTests {
    private let now = Date(timeIntervalSince1970: 1_795_262_400.75)

    private func made(
        _ names: [String], days: Int = DevelopmentCertificates.defaultDays, now: Date? = nil,
        authority: DevelopmentAuthority? = nil
    ) throws -> DevelopmentCertificates {
        try .make(
            domains: names.map { try DomainName($0) }, validDays: days, now: now ?? self.now,
            authority: authority)
    }

    /// What a client knows: the texts.
    private func readBack(_ identity: CertificateIdentity) throws -> Certificate {
        try Certificate(pemEncoded: identity.certificatePEM)
    }

    private func isTrusted(
        _ leaf: Certificate, root: Certificate, host: String?, address: String? = nil
    ) async -> Bool {
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RFC5280Policy()
            ServerIdentityPolicy(serverHostname: host, serverIP: address)
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore())
        if case .validCertificate = result { return true }
        return false
    }

    @Test(
        "RFC 5280 §6 and RFC 9525 §6: a certificate is valid for its names and no others",
        arguments: [
            ("www.example.com", "www.example.com", true),
            ("www.example.com", "WWW.EXAMPLE.COM", true),
            ("www.example.com", "example.com", false),
            ("www.example.com", "a.www.example.com", false),
            ("*.example.com", "a.example.com", true),
            ("*.example.com", "example.com", false), ("*.example.com", "a.b.example.com", false),
            ("localhost", "localhost", true), ("localhost", "www.example.com", false),
            ("xn--bcher-kva.example", "xn--bcher-kva.example", true),
        ])
    func certificatesAreValidForTheirNames(domain: String, host: String, isValid: Bool) async throws
    {
        let made = try made([domain], now: .now)
        let leaf = try readBack(try #require(made.servers.first).identity)
        let root = try readBack(made.authority.identity)
        #expect(await isTrusted(leaf, root: root, host: host) == isValid)
    }

    @Test(arguments: [("127.0.0.1", true), ("::1", true), ("127.0.0.2", false), ("::2", false)])
    func localhostIncludesTheLoopbackAddresses(address: String, isValid: Bool) async throws {
        let made = try made(["localhost"], now: .now)
        let leaf = try readBack(try #require(made.servers.first).identity)
        let root = try readBack(made.authority.identity)
        #expect(await isTrusted(leaf, root: root, host: nil, address: address) == isValid)
    }

    @Test func anotherAuthorityIsNotTrusted() async throws {
        let made = try made(["a.example"], now: .now)
        let other = try DevelopmentAuthority.make(for: [], now: .now)
        let leaf = try readBack(try #require(made.servers.first).identity)
        let root = try readBack(other.identity)
        #expect(await isTrusted(leaf, root: root, host: "a.example") == false)
        #expect(made.authority.signed(leaf))
        #expect(!other.signed(leaf))
        #expect(other.name != made.authority.name)
    }

    @Test("RFC 5280 §4.2.1.9: the authority can make no further ones")
    func theAuthorityMakesNoOthers() throws {
        let root = try readBack(try DevelopmentAuthority.make(for: [], now: now).identity)
        guard case .isCertificateAuthority(let depth) = try root.extensions.basicConstraints else {
            Issue.record("the root is no authority")
            return
        }
        #expect(depth == 0)
        #expect(root.extensions[oid: .X509ExtensionID.basicConstraints]?.critical == true)
        #expect(root.extensions[oid: .X509ExtensionID.keyUsage]?.critical == true)
        #expect(try root.extensions.keyUsage == KeyUsage(keyCertSign: true, cRLSign: true))
        #expect(root.subject == root.issuer)
        #expect(root.notValidAfter.timeIntervalSince(now) < 365 * 86_400)
    }

    @Test("RFC 5280 §4.2.1.10: the authority may sign for its own hosts only")
    func theAuthorityIsConstrained() throws {
        let domains = try ["www.b.example", "*.a.example", "a.example"].map { try DomainName($0) }
        let authority = try DevelopmentAuthority.make(for: domains, now: now)
        let root = try readBack(authority.identity)
        #expect(root.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
        let constraints = try #require(try root.extensions.nameConstraints)
        #expect(
            Array(constraints.permittedDNSDomains) == ["a.example", "localhost", "www.b.example"])
        #expect(
            constraints.permittedIPRanges.map { Array($0.bytes) } == [
                [127, 0, 0, 1, 255, 255, 255, 255],
                [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 255, count: 16),
            ])
        #expect(constraints.excludedSubtrees.isEmpty)
        #expect(authority.hosts == ["a.example", "localhost", "www.b.example"])
    }

    @Test(
        "RFC 5280 §6.1.4: a certificate for another name is refused, though its signature is right",
        arguments: [
            ("www.a.example", "www.a.example", true), ("*.a.example", "x.a.example", true),
            ("b.example", "b.example", false), ("xa.example", "xa.example", false),
            ("example", "example", false),
        ])
    func whatIsSignedForOtherNamesIsRefused(
        name: String, host: String, isValid: Bool
    ) async throws {
        let authority = try DevelopmentAuthority.make(
            for: [try DomainName("a.example")], now: .now)
        let leaf = try readBack(
            authority.sign(for: try DomainName(name), validDays: 1, now: .now))
        let root = try readBack(authority.identity)
        #expect(authority.signed(leaf))
        #expect(await isTrusted(leaf, root: root, host: host) == isValid)
    }

    @Test("RFC 5280 §4.2.1: a server's certificate says what it is for")
    func serversHaveTheirExtensions() throws {
        let made = try made(["a.example"])
        let leaf = try readBack(try #require(made.servers.first).identity)
        let root = try readBack(made.authority.identity)
        #expect(leaf.version == .v3)
        #expect(try leaf.extensions.basicConstraints == .notCertificateAuthority)
        #expect(try leaf.extensions.keyUsage == KeyUsage(digitalSignature: true))
        #expect(try leaf.extensions.extendedKeyUsage.map(Array.init) == [.serverAuth])
        #expect(
            try leaf.extensions.subjectAlternativeNames.map(Array.init) == [.dnsName("a.example")])
        let issuerKey = try leaf.extensions.authorityKeyIdentifier?.keyIdentifier
        #expect(issuerKey != nil)
        #expect(issuerKey == (try root.extensions.subjectKeyIdentifier?.keyIdentifier))
        #expect(try leaf.extensions.subjectKeyIdentifier?.keyIdentifier != issuerKey)
        #expect(leaf.signatureAlgorithm == .ecdsaWithSHA256)
    }

    @Test("RFC 5280 §4.1.2.5: first and last second both count", arguments: [1, 90, 365])
    func certificatesAreValidForTheDaysAskedFor(days: Int) throws {
        let made = try made(["a.example"], days: days)
        let leaf = try readBack(try #require(made.servers.first).identity)
        let seconds = leaf.notValidAfter.timeIntervalSince(leaf.notValidBefore) + 1
        #expect(seconds == Double(days) * 86_400)
        #expect(leaf.notValidBefore == Date(timeIntervalSince1970: 1_795_262_400 - 3600))
    }

    @Test(arguments: [Int.min, -1, 0, 366, Int.max])
    func otherDaysAreRefused(days: Int) {
        #expect(throws: DevelopmentCertificateError.badDays) { try made(["a.example"], days: days) }
    }

    @Test func noCertificateOutlivesItsAuthority() throws {
        let authority = try DevelopmentAuthority.make(
            for: [try DomainName("a.example")], now: now.addingTimeInterval(-360 * 86_400))
        let made = try made(["a.example"], authority: authority)
        let leaf = try #require(made.servers.first).identity.certificate
        #expect(leaf.notValidAfter == authority.identity.certificate.notValidAfter)
        #expect(made.authority.name == authority.name)
    }

    @Test("RFC 5280 §4.1.2.2: serial numbers are positive, of 20 octets at most, and unlike")
    func serialNumbersAreValid() throws {
        let names = (0..<50).map { "a\($0).example" }
        let serials = try made(names).servers.map {
            Array($0.identity.certificate.serialNumber.bytes)
        }
        #expect(Set(serials).count == names.count)
        for serial in serials {
            #expect(serial.count == 16)
            #expect((0x40...0x7F).contains(try #require(serial.first)))
        }
    }

    @Test func longNamesHaveCertificatesToo() async throws {
        let name = String(repeating: "a123456789.", count: 22) + "example"
        let made = try made([name], now: .now)
        let leaf = try readBack(try #require(made.servers.first).identity)
        #expect(await isTrusted(leaf, root: made.authority.identity.certificate, host: name))
    }

    @Test func keysArePKCS8AndBelongToTheirCertificates() throws {
        let made = try made(["a.example", "b.example"])
        let first = made.servers[0].identity
        let second = made.servers[1].identity
        #expect(first.keyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(first.keyPEM.hasSuffix("-----END PRIVATE KEY-----\n"))
        let certificate = Array(try first.certificatePEM.utf8)
        #expect(
            CertificateIdentity(certificatePEM: certificate, keyPEM: Array(first.keyPEM.utf8))?
                .certificate == first.certificate)
        #expect(
            CertificateIdentity(certificatePEM: certificate, keyPEM: Array(second.keyPEM.utf8))
                == nil)
        #expect(CertificateIdentity(certificatePEM: certificate, keyPEM: []) == nil)
        #expect(
            CertificateIdentity(certificatePEM: [0xFF], keyPEM: Array(first.keyPEM.utf8)) == nil)
    }

    @Test(arguments: [
        ("a/b.pem", "a/b.pem"), ("", "''"), ("my folder", "'my folder'"), ("it's", "'it'\\''s'"),
        ("a;b", "'a;b'"), ("$(x)", "'$(x)'"), ("é", "'é'"),
    ])
    func commandsQuoteTheirWords(word: String, quoted: String) {
        #expect(TrustCommands.quoted(word) == quoted)
    }

    @Test func trustCommandsNameFileAndAuthority() {
        let text = TrustCommands(
            name: "Some CA 1", certificate: "my tls/ca.pem", hosts: ["a.example", "localhost"],
            port: 9443
        ).text
        #expect(text.contains("these hosts and those below them: a.example, localhost: never copy"))
        #expect(
            text.contains(
                "sudo security add-trusted-cert -d -r trustRoot "
                    + "-k /Library/Keychains/System.keychain 'my tls/ca.pem'"))
        #expect(text.contains("xcrun simctl keychain booted add-root-cert 'my tls/ca.pem'"))
        #expect(text.contains("delete-certificate -c 'Some CA 1'"))
        #expect(text.contains("curl --cacert 'my tls/ca.pem' https://localhost:9443/healthz"))
    }
}
