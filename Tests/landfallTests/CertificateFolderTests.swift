// What an update of a folder makes, keeps and leaves alone.

import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import DevelopmentCertificates
@testable import LinkHosting
@testable import ResultAPI
@testable import RezolveSandbox
@testable import Text
@testable import landfall

@Suite final class CertificateFolderTests {
    private let now = Date(timeIntervalSince1970: 1_795_262_400)
    private let root = FileManager.default.temporaryDirectory
        .appending(path: "landfall-\(UUID().uuidString)").path()

    private var path: String { root + "/tls" }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    @discardableResult
    private func update(
        _ names: [String] = [], days: Int = 90, after seconds: TimeInterval = 0,
        force: Bool = false
    ) throws -> CertificateReport {
        try CertificateFolder(path: path).update(
            domains: names.map { try DomainName($0) }, validDays: days,
            now: now.addingTimeInterval(seconds), force: force)
    }

    private func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
        return attributes[.posixPermissions] as? Int
    }

    private func content(_ name: String) throws -> String {
        try String(contentsOfFile: path + name, encoding: .utf8)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + name))
    }

    private func statuses(_ report: CertificateReport) -> [String: CertificateReport.Status] {
        Dictionary(uniqueKeysWithValues: report.certificates.map { ($0.domain, $0.status) })
    }

    @Test func aNewFolderHasTheServersLayout() throws {
        let report = try update(["www.example.com", "*.example.com", "WWW.example.com"])
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: path).sorted() == [
                "_.example.com.key", "_.example.com.pem", "authority", "authority/ca.key",
                "authority/ca.pem", "localhost.key", "localhost.pem", "www.example.com.key",
                "www.example.com.pem",
            ])
        #expect(
            report.certificates.map(\.domain) == ["localhost", "*.example.com", "www.example.com"])
        #expect(report.certificates.allSatisfy { $0.status == .made && $0.notAfter != nil })
        #expect(report.authority.status == .made)
        #expect(report.authority.replaced == nil)
        #expect(
            try content("/localhost.pem").components(separatedBy: "BEGIN CERTIFICATE").count == 2)
    }

    @Test func aFirstRunThatWasInterruptedIsFinished() throws {
        try update()
        let authority = try content("/authority/ca.pem")
        // The key has no name yet, and nothing was signed.
        try FileManager.default.moveItem(
            atPath: path + "/authority/ca.key", toPath: path + "/authority/ca.key.new")
        for name in ["/localhost.pem", "/localhost.key"] {
            try FileManager.default.removeItem(atPath: path + name)
        }
        #expect(try update().authority.status == .kept)
        #expect(try content("/authority/ca.pem") == authority)
        #expect(try mode("/authority/ca.key") == 0o600)
        #expect(!FileManager.default.fileExists(atPath: path + "/authority/ca.key.new"))
    }

    @Test func aReplacementThatWasInterruptedIsFinished() throws {
        try update()
        let formerKey = try content("/authority/ca.key")
        try update(force: true)
        // The certificate is the new one, the key still the former one.
        let key = try content("/authority/ca.key")
        try write(key, to: "/authority/ca.key.new")
        try write(formerKey, to: "/authority/ca.key")
        #expect(try update().authority.status == .kept)
        #expect(try content("/authority/ca.key") == key)
        // Before the certificate: the former pair is in force.
        try write(formerKey, to: "/authority/ca.key.new")
        #expect(try update().authority.status == .kept)
        #expect(try content("/authority/ca.key") == key)
    }

    @Test(arguments: [
        ("", 0o700), ("/authority", 0o700), ("/authority/ca.key", 0o600), ("/localhost.key", 0o600),
        ("/authority/ca.pem", 0o644), ("/localhost.pem", 0o644),
    ])
    func keysAreTheirOwnersAlone(name: String, expected: Int) throws {
        try update()
        #expect(try mode(name) == expected)
    }

    @Test func whatIsGoodIsKept() throws {
        let first = try update(["a.example"])
        let texts = try ["/authority/ca.pem", "/a.example.pem", "/a.example.key"].map(content)
        let second = try update(["a.example", "b.a.example"], after: 86_400)
        #expect(
            try ["/authority/ca.pem", "/a.example.pem", "/a.example.key"].map(content) == texts)
        #expect(second.authority.status == .kept)
        #expect(second.authority.name == first.authority.name)
        #expect(
            statuses(second) == ["localhost": .kept, "a.example": .kept, "b.a.example": .made])
        #expect(second.certificates[1].notAfter == first.certificates[1].notAfter)
    }

    // Leaves begin an hour before they are made, and so end an hour early.
    @Test(arguments: [(days: 83.0, hours: -1.1, isAnew: false), (83.0, -0.9, true)])
    func whatEndsWithinAWeekIsMadeAnew(days: Double, hours: Double, isAnew: Bool) throws {
        try update()
        let text = try content("/localhost.pem")
        let report = try update(after: days * 86_400 + hours * 3600)
        #expect(report.authority.status == .kept)
        #expect(statuses(report) == ["localhost": isAnew ? .made : .kept])
        #expect((try content("/localhost.pem") != text) == isAnew)
    }

    @Test func domainsOfEarlierTimesStayInForce() throws {
        try update(["a.example"])
        let kept = try update()
        #expect(statuses(kept) == ["localhost": .kept, "a.example": .kept])
        let forced = try update(force: true)
        #expect(statuses(forced) == ["localhost": .made, "a.example": .made])
    }

    @Test func forceMakesEverythingAnew() throws {
        let first = try update()
        let second = try update(force: true)
        #expect(second.authority.status == .made)
        #expect(second.authority.name != first.authority.name)
        #expect(second.authority.replaced == first.authority.name)
        #expect(second.text(port: 8443).contains("\"\(first.authority.name)\" was replaced"))
        let ca = try Certificate(pemEncoded: try content("/authority/ca.pem"))
        let leaf = try Certificate(pemEncoded: try content("/localhost.pem"))
        #expect(ca.publicKey.isValidSignature(leaf.signature, for: leaf))
    }

    @Test(arguments: ["key of another", "no key", "no certificate", "names of another"])
    func whatIsDamagedIsMadeAnew(damage: String) throws {
        try update(["a.example", "b.example"])
        switch damage {
        case "key of another": try write(try content("/b.example.key"), to: "/a.example.key")
        case "no key": try FileManager.default.removeItem(atPath: path + "/a.example.key")
        case "no certificate":
            try FileManager.default.removeItem(atPath: path + "/a.example.key")
            try FileManager.default.removeItem(atPath: path + "/a.example.pem")
        default:
            try write(try content("/b.example.key"), to: "/a.example.key")
            try write(try content("/b.example.pem"), to: "/a.example.pem")
        }
        let report = try update(["a.example"])
        #expect(
            statuses(report) == ["localhost": .kept, "a.example": .made, "b.example": .kept])
    }

    @Test func certificatesOfAReplacedAuthorityAreMadeAnew() throws {
        try update(["a.example"])
        let other = try DevelopmentAuthority.make(
            for: [try DomainName("a.example")], now: now
        ).identity
        try write(other.certificatePEM, to: "/authority/ca.pem")
        try write(other.keyPEM, to: "/authority/ca.key")
        let report = try update()
        #expect(report.authority.status == .kept)
        #expect(statuses(report) == ["localhost": .made, "a.example": .made])
    }

    @Test(arguments: [true, false])
    func certificatesOfOthersAreLeftAlone(force: Bool) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("A public authority") }
        let end = now.addingTimeInterval(-86_400)
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: end.addingTimeInterval(-86_400), notValidAfter: end, issuer: name,
            subject: name, signatureAlgorithm: .ecdsaWithSHA256, extensions: .init(),
            issuerPrivateKey: .init(key))
        let texts = [
            "/a.example.pem": try certificate.serializeAsPEM().pemString,
            "/a.example.key": "a key", "/b.example.key": "a key that waits for its certificate",
            "/c.example.pem": "no certificate",
        ]
        for (name, text) in texts { try write(text, to: name) }
        let report = try update(["a.example", "b.example", "c.example"], force: force)
        #expect(
            statuses(report) == [
                "localhost": .made, "a.example": .foreign, "b.example": .foreign,
                "c.example": .foreign,
            ])
        #expect(report.certificates[1].notAfter == end)
        #expect(report.text(port: 8443).contains("foreign"))
        for (name, text) in texts { #expect(try content(name) == text) }
    }

    @Test(arguments: [
        ("/authority/ca.key", "nonsense", "not a certificate and its P-256 key"),
        ("/authority/ca.pem", "nonsense", "not a certificate and its P-256 key"),
        ("/authority/ca.key", nil, "not a certificate and its P-256 key"),
        ("/authority/ca.pem", nil, "not a certificate and its P-256 key"),
    ])
    func aDamagedAuthorityIsNotReplacedUnasked(
        file: String, text: String?, reason: String
    ) throws {
        try update()
        let leaf = try content("/localhost.pem")
        if let text {
            try write(text, to: file)
        } else {
            try FileManager.default.removeItem(atPath: path + file)
        }
        let error = #expect(throws: DevelopmentCertificateError.self) { try update() }
        let sentence = error?.description ?? ""
        #expect(sentence.contains(reason), "\(sentence)")
        #expect(sentence.contains("--force"))
        #expect(try content("/localhost.pem") == leaf)
        #expect(try update(force: true).authority.status == .made)
    }

    @Test func aServersCertificateIsNoAuthority() throws {
        try update()
        try write(try content("/localhost.pem"), to: "/authority/ca.pem")
        try write(try content("/localhost.key"), to: "/authority/ca.key")
        let error = #expect(throws: DevelopmentCertificateError.self) { try update() }
        #expect(error?.description.contains("not a certificate of an authority") == true)
    }

    @Test(
        arguments: [
            (357.9, nil), (358.1, "it expires within a week"), (3650, "it has expired"),
        ] as [(Double, String?)])
    func anAuthorityThatEndsIsReplaced(days: Double, reason: String?) throws {
        let first = try update(["a.example"])
        let report = try update(after: days * 86_400)
        #expect(report.authority.reason == reason)
        #expect(report.authority.status == (reason == nil ? .kept : .made))
        #expect(report.authority.replaced == (reason == nil ? nil : first.authority.name))
        #expect(statuses(report) == ["localhost": .made, "a.example": .made])
    }

    @Test func anAuthorityThatLacksADomainIsReplacedForAllOfThem() throws {
        let first = try update(["a.example"])
        #expect(first.authority.hosts == ["a.example", "localhost"])
        let report = try update(["www.a.example", "*.b.example", "c.example"])
        #expect(report.authority.reason == "it may not sign for b.example, c.example")
        #expect(report.authority.replaced == first.authority.name)
        #expect(
            report.text(port: 8443)
                .contains("since it may not sign for b.example, c.example: remove it"))
        #expect(
            report.authority.hosts == [
                "a.example", "b.example", "c.example", "localhost", "www.a.example",
            ])
        #expect(report.certificates.allSatisfy { $0.status == .made })
        #expect(try update().authority.status == .kept)
    }

    /// An authority as a name and an extension make it, in the place of the folder's.
    private func writeAuthority(_ name: String, _ constraints: NameConstraints?) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: now, notValidAfter: now.addingTimeInterval(3650 * 86_400),
            issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                // Not critical: clients that don't know it need not obey.
                if let constraints { constraints }
            },
            issuerPrivateKey: .init(key))
        let identity = CertificateIdentity(certificate: certificate, key: key)
        try write(identity.certificatePEM, to: "/authority/ca.pem")
        try write(identity.keyPEM, to: "/authority/ca.key")
    }

    @Test(arguments: [true, false])
    func anAuthorityOfEarlierTimesThatCouldPoseAsAnySiteIsReplaced(isLoose: Bool) throws {
        try update()
        try writeAuthority(
            "Landfall Development CA 12345678",
            isLoose ? NameConstraints(permittedDNSDomains: ["localhost"]) : nil)
        let report = try update()
        #expect(
            report.authority.reason
                == "it had no name constraints, so its key could impersonate any site")
        #expect(report.authority.replaced == "Landfall Development CA 12345678")
        #expect(report.authority.hosts == ["localhost"])
        #expect(statuses(report) == ["localhost": .made])
    }

    @Test func anAuthorityOfOthersIsUsedAsItIs() throws {
        try update()
        try writeAuthority("Our own CA", nil)
        let text = try content("/authority/ca.pem")
        let report = try update()
        #expect(report.authority.status == .kept)
        #expect(report.authority.hosts == nil)
        #expect(report.text(port: 8443).contains("can impersonate any site"))
        #expect(try content("/authority/ca.pem") == text)
        let error = #expect(throws: DevelopmentCertificateError.self) {
            try update(after: 3651 * 86_400)
        }
        #expect(error?.description.contains("it has expired") == true)
    }

    @Test func anUnwritableFolderIsNamed() throws {
        try Data().write(to: URL(filePath: path))
        #expect(throws: DevelopmentCertificateError.unwritable(path: path)) { try update() }
    }

    @Test func anUnreadableFileIsNamed() throws {
        try FileManager.default.createDirectory(
            atPath: path + "/authority/ca.pem/in-the-way", withIntermediateDirectories: true)
        let error = #expect(throws: DevelopmentCertificateError.self) { try update(force: true) }
        #expect(error?.description.hasPrefix("\(path)/authority/ca.pem can't be read") == true)
    }

    @Test func theReportIsOneJSONDocumentInSnakeCase() throws {
        let report = try update(["a.example"])
        let json = try report.json()
        #expect(
            json.hasPrefix(
                "{\"authority\":{\"certificate\":\"\(path)/authority/ca.pem\",\"hosts\":"))
        #expect(json.contains("\"not_after\":\"2027-02-19T10:59:59Z\""))
        #expect(json.contains("\"domain\":\"a.example\""))
        #expect(!json.contains("PRIVATE"))
        #expect(!json.contains("\n"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(CertificateReport.self, from: Data(json.utf8)) == report)
    }
}

@Suite struct CertsCommandTests {
    @Test(arguments: [
        (["--days", "0"], "--days is 1 to 365:"), (["--days", "366"], "--days is 1 to 365:"),
        (["--folder", ""], "--folder must not be empty"),
        (["--domain", "a.example", "--domain", "a b"], "\"a b\""),
        (["--domain", "127.0.0.1"], "\"127.0.0.1\""),
    ])
    func badArgumentsAreRefused(arguments: [String], reason: String) {
        let error = #expect(throws: (any Error).self) { try Certs.Init.parse(arguments) }
        let message = error.map { Certs.Init.message(for: $0) } ?? ""
        #expect(message.contains(reason), "\(message)")
    }

    @Test func domainsMayBeRepeated() throws {
        let command = try Certs.Init.parse(["--domain", "a.example", "--domain", "*.b.example"])
        #expect(command.names == ["a.example", "*.b.example"])
        #expect(command.folder == nil)
        #expect(command.days == 90)
    }
}
