// What a server's certificates say, and what is wrong with some.

import Foundation
import Testing

@testable import Sockets

@Suite struct TLSContextTests {
    private func certificates() throws -> TLSCertificates { try TLSCertificates.shared.get() }

    private func error(
        _ identities: [TLSIdentity], clients: [UInt8]? = nil,
        verification: TLSSettings.ClientVerification = .none
    ) throws -> TLSError? {
        let tickets = try TLSTicketKeys()
        let settings = TLSSettings(
            identities: identities, clientAuthorities: clients, clientVerification: verification)
        return #expect(throws: TLSError.self) { try TLSContext(settings, tickets: tickets) }
    }

    @Test func theHostsAndTheExpiryOfEachIdentityAreTold() throws {
        let context = try serverContext(["first", "wild", "named", "phone", "default"])
        #expect(
            context.identities.map(\.name) == ["first", "wild", "named", "phone", "default"])
        #expect(
            context.identities.map(\.hosts) == [
                ["first.example", "WWW.First.example"], ["*.wild.example"],
                // RFC 9525 §6.3: a common name is no host.
                [], [],
                ["default.example", "127.0.0.1", "::1"],
            ])
        let expected = Date.now.timeIntervalSince1970 + Double(TLSCertificates.days) * 86_400
        for identity in context.identities {
            #expect(abs(Double(identity.expiresAt) - expected) < 3600)
        }
    }

    @Test(arguments: [
        "", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ])
    func aCertificateThatIsNoneIsNamed(chain: String) throws {
        let key = try certificates().octets("first.key")
        let identity = TLSIdentity(name: "first.pem", chain: Array(chain.utf8), key: key)
        #expect(try error([identity]) == .certificateUnreadable(name: "first.pem"))
    }

    @Test func aDamagedCertificateBehindAGoodOneIsNoticed() throws {
        let octets = try certificates().octets("first.pem")
        let damaged = octets + octets.prefix(100)
        let key = try certificates().octets("first.key")
        let identity = TLSIdentity(name: "first.pem", chain: damaged, key: key)
        #expect(try error([identity]) == .certificateUnreadable(name: "first.pem"))
    }

    @Test(arguments: [
        ("encrypted.key", TLSError.keyEncrypted(name: "first.pem")),
        ("first.pem", TLSError.keyUnreadable(name: "first.pem")),
        ("index.txt", TLSError.keyUnreadable(name: "first.pem")),
    ])
    func aKeyThatCanNotBeReadIsNamed(file: String, expected: TLSError) throws {
        let identity = TLSIdentity(
            name: "first.pem", chain: try certificates().octets("first.pem"),
            key: try certificates().octets(file))
        #expect(try error([identity]) == expected)
    }

    @Test(arguments: ["wild.key", "first-rsa.key"])
    func aKeyOfAnotherCertificateIsNoticed(file: String) throws {
        let identity = TLSIdentity(
            name: "first.pem", chain: try certificates().octets("first.pem"),
            key: try certificates().octets(file))
        #expect(try error([identity]) == .keyMismatch(name: "first.pem"))
    }

    @Test func aKeyThatIsTooSmallIsRefusedByOpenSSL() throws {
        #expect(try error([certificates().identity("small")]) == .library("ee key too small"))
    }

    @Test func anOCSPResponseMustBeOne() throws {
        let good = try certificates().octets("first.ocsp")
        // RFC 6960, 4.2.1: the last is one that says `tryLater`.
        let bad = [[], Array("OCSP".utf8), good + [0], Array(good.dropLast()), [48, 3, 10, 1, 3]]
        for octets in bad {
            let identity = try certificates().identity("first", ocspResponse: octets)
            #expect(try error([identity]) == .ocspResponseMalformed(name: "first"))
        }
    }

    @Test func anOCSPResponseIsUsedForItsOwnCertificateOnly() throws {
        let response = try certificates().octets("first.ocsp")
        func end(_ name: String, _ response: [UInt8]?) throws -> Int64? {
            let identity = try certificates().identity(name, ocspResponse: response)
            let settings = TLSSettings(identities: [identity])
            let context = try TLSContext(settings, tickets: TLSTicketKeys())
            return context.identities[0].responseExpiresAt
        }
        #expect(try end("first", nil) == nil)
        #expect(try end("wild", response) == 0)
        let expected = Int64(Date.now.timeIntervalSince1970) + 86_400
        let own = try #require(try end("first", response))
        #expect(abs(own - expected) < 3600)
        let former = try #require(try end("first", endedInTheYear2020(response)))
        #expect(former > 0 && former < expected - 86_400)
    }

    @Test(arguments: [
        (nil, TLSError.noClientAuthorities), ("index.txt", TLSError.authoritiesUnreadable),
        ("first.key", TLSError.authoritiesUnreadable),
    ])
    func whoAsksForClientCertificatesMustNameAuthorities(file: String?, expected: TLSError) throws {
        let pem = try file.map { try certificates().octets($0) }
        let identity = try certificates().identity("first")
        #expect(try error([identity], clients: pem, verification: .optional) == expected)
    }

    @Test func aServerNeedsAnIdentity() throws {
        #expect(try error([]) == .noIdentity)
    }

    @Test func noWayOfShowingAnIdentityShowsItsKey() throws {
        let identity = try certificates().identity("first")
        let key = try String(decoding: certificates().octets("first.key"), as: UTF8.self)
        let secret = key.split(separator: "\n")[1].prefix(16)
        let octets = Array(secret.utf8).map(String.init).joined(separator: ", ")
        var shown = "\(identity) \(String(reflecting: identity)) "
        dump(identity, to: &shown)
        dump(TLSSettings(identities: [identity]), to: &shown)
        shown += String(describing: TLSSettings(identities: [identity]))
        #expect(!shown.contains(secret))
        #expect(!shown.contains(octets))
    }

    @Test func everyErrorIsAClause() {
        let errors: [TLSError] = [
            .certificateUnreadable(name: "a"), .keyUnreadable(name: "a"), .keyMismatch(name: "a"),
            .keyEncrypted(name: "a"), .ocspResponseMalformed(name: "a"), .authoritiesUnreadable,
            .noClientAuthorities,
            .noIdentity, .library("a"),
        ]
        for error in errors {
            #expect(!"\(error)".hasSuffix("."))
            #expect("\(error)".contains(" "))
        }
    }
}
