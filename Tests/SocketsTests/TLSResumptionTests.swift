// Session tickets: who may resume, after which changes on the server's side.

import Foundation
import Synchronization
import TestClient
import Testing

@testable import Sockets

@Suite struct TLSResumptionTests {
    /// Connects once and says whether that resumed an earlier session.
    @discardableResult
    private func connect(
        _ server: TLSContext, _ client: TLSClientContext, host: String = "first.example"
    ) throws -> Bool {
        let pair = try TLSPair(server, client, host: host)
        try pair.connect()
        pair.finish()
        #expect(pair.server.isResumed == pair.client.isResumed)
        return pair.server.isResumed
    }

    @Test(arguments: [false, true])
    func aClientResumesAgainAndAgain(isOld: Bool) throws {
        let (server, client) = (try serverContext(), try clientContext(isOld: isOld))
        #expect(try !connect(server, client))
        for _ in 1...3 { #expect(try connect(server, client)) }
    }

    @Test(arguments: [(0, true), (1, true), (2, true), (3, false)], [false, true])
    func theTwoFormerKeysStillDecrypt(rotations: (count: Int, resumes: Bool), isOld: Bool) throws {
        let tickets = try TLSTicketKeys()
        let server = try serverContext(tickets: tickets)
        let client = try clientContext(isOld: isOld)
        try connect(server, client)
        for _ in 0..<rotations.count { try tickets.rotate() }
        #expect(try connect(server, client) == rotations.resumes)
    }

    @Test(arguments: [false, true])
    func aTicketUnderAnOldKeyIsReplacedByOneUnderTheNewest(isOld: Bool) throws {
        let tickets = try TLSTicketKeys()
        let server = try serverContext(tickets: tickets)
        let client = try clientContext(isOld: isOld)
        try connect(server, client)
        for _ in 1...6 {
            try tickets.rotate()
            #expect(try connect(server, client))
        }
    }

    @Test(arguments: [false, true])
    func aReloadWithTheSameTicketKeysLetsClientsResume(isOld: Bool) throws {
        let tickets = try TLSTicketKeys()
        let client = try clientContext(isOld: isOld)
        try connect(try serverContext(tickets: tickets), client)
        // The identity is another one by its number, and the default is another.
        let reloaded = try serverContext(["wild", "first"], tickets: tickets)
        #expect(try connect(reloaded, client))
    }

    @Test(arguments: [false, true])
    func aServerWithOtherTicketKeysMakesAFullHandshake(isOld: Bool) throws {
        let client = try clientContext(isOld: isOld)
        try connect(try serverContext(), client)
        #expect(try !connect(try serverContext(), client))
    }

    @Test func aTicketForOneHostIsNotUsedForAnother() throws {
        let (server, client) = (try serverContext(), try clientContext())
        try connect(server, client)
        #expect(try !connect(server, client, host: "exact.wild.example"))
    }

    @Test(arguments: [false, true])
    func aResumedSessionKeepsWhoTheClientIs(isOld: Bool) throws {
        let authority = try TLSCertificates.shared.get().authority()
        let server = try serverContext(clients: authority, verification: .required)
        let client = try clientContext(identity: "phone", isOld: isOld)
        try connect(server, client)
        let pair = try TLSPair(server, client)
        try pair.connect()
        #expect(pair.server.isResumed)
        #expect(pair.server.subject == "CN=phone,O=Example")
        #expect(pair.server.serverName == "first.example")
    }

    @Test(arguments: [false, true])
    func aTicketIsNoWayAroundAVerificationThatCameLater(isOld: Bool) throws {
        let certificates = try TLSCertificates.shared.get()
        let tickets = try TLSTicketKeys()
        let client = try clientContext(identity: "phone", isOld: isOld)
        let authority = try certificates.authority()
        try connect(try serverContext(tickets: tickets), client)

        let asking = try serverContext(
            tickets: tickets, clients: authority, verification: .required)
        #expect(try !connect(asking, client))

        // The client's authority is trusted no longer.
        let strict = try serverContext(
            tickets: tickets, clients: certificates.octets("strangers.pem"),
            verification: .required)
        let outcome = try TLSPair(strict, client).handshake()
        let reason = "certificate verify failed: unable to get local issuer certificate"
        #expect(outcome.server == .failed(reason))
    }

    @Test(arguments: [false, true])
    func aTicketOfAClientThatShowedNoCertificateIsNoneForAServerThatRequiresOne(
        isOld: Bool
    ) throws {
        let authority = try TLSCertificates.shared.get().authority()
        let tickets = try TLSTicketKeys()
        let client = try clientContext(isOld: isOld)
        let lenient = try serverContext(
            tickets: tickets, clients: authority, verification: .optional)
        try connect(lenient, client)
        #expect(try connect(lenient, client))
        let strict = try serverContext(
            tickets: tickets, clients: authority, verification: .required)
        let outcome = try TLSPair(strict, client).handshake()
        #expect(outcome.server == .failed("peer did not return a certificate"))
    }

    @Test func manyThreadsMayUseOneContextWhileKeysRotate() throws {
        let tickets = try TLSTicketKeys()
        let server = try serverContext(tickets: tickets)
        let clients = try (0..<4).map { try clientContext(isOld: $0 % 2 == 0) }
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: clients.count) { index in
            do {
                for _ in 0..<20 {
                    try connect(server, clients[index])
                    try tickets.rotate()
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }
}
