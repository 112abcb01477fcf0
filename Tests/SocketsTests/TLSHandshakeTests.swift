// Handshakes between a server and a client of our own: versions, protocols, server names.

import TestClient
import Testing

@testable import Sockets

@Suite struct TLSHandshakeTests {
    @Test(arguments: [(true, "TLSv1.2"), (false, "TLSv1.3")])
    func theNewestCommonVersionIsSpoken(isOld: Bool, version: String) throws {
        let pair = try TLSPair(serverContext(), clientContext(isOld: isOld))
        try pair.connect()
        #expect(pair.server.version == version)
        #expect(pair.client.version == version)
        #expect(!pair.server.isResumed)
    }

    @Test(arguments: [["http/1.1"], ["h2", "http/1.1"], []])
    func aClientThatCanSpeakHTTP11IsServed(protocols: [String]) throws {
        let pair = try TLSPair(serverContext(), clientContext(protocols: protocols))
        try pair.connect()
    }

    @Test(arguments: [["h2"], ["http/1.0", "spdy/1"]])
    func aClientThatCanNotIsToldSo_RFC7301_3_2(protocols: [String]) throws {
        let pair = try TLSPair(serverContext(), clientContext(protocols: protocols))
        let outcome = pair.handshake()
        #expect(outcome.server == .failed("no application protocol"))
        #expect(outcome.client == .failed("tlsv1 alert no application protocol"))
    }

    @Test(arguments: [
        ("first.example", "CN=first"), ("FIRST.example", "CN=first"),
        ("www.first.example", "CN=first"), ("a.wild.example", "CN=wild"),
        ("exact.wild.example", "CN=exact"), ("default.example", "CN=default"),
    ])
    func theServerNameChoosesTheCertificate_RFC6066_3(host: String, subject: String) throws {
        let pair = try TLSPair(serverContext(), clientContext(), host: host)
        try pair.connect()
        #expect(pair.client.subject == subject)
        #expect(pair.server.serverName == host)
    }

    @Test(arguments: [["expired", "first"], ["first", "expired"], ["wild", "expired", "first"]])
    func aCertificateThatIsValidIsPreferred(names: [String]) throws {
        let pair = try TLSPair(serverContext(names), clientContext())
        try pair.connect()
        #expect(pair.client.subject == "CN=first")
    }

    @Test func anExpiredCertificateIsShownIfThereIsNoOther() throws {
        let pair = try TLSPair(serverContext(["default", "expired"]), clientContext())
        #expect(
            pair.handshake().client
                == .failed("certificate verify failed: certificate has expired"))
    }

    @Test(arguments: [
        "nobody.example", "wild.example", "a.b.wild.example", ".wild.example", "first.example.org",
    ])
    func aNameThatNobodyCoversGetsTheDefault(host: String) throws {
        let pair = try TLSPair(serverContext(), clientContext(), host: host)
        let outcome = pair.handshake()
        // The client minds, for it gets the certificate of another host.
        #expect(outcome.client == .failed("certificate verify failed: hostname mismatch"))
        #expect(pair.server.serverName == host)
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func anAddressIsNoServerNameAndGetsTheDefault(host: String) throws {
        let pair = try TLSPair(serverContext(), clientContext(), host: host)
        try pair.connect()
        #expect(pair.client.subject == "CN=default")
        #expect(pair.server.serverName == nil)
    }

    @Test func anAddressThatTheCertificateLacksIsRefusedByTheClient() throws {
        let pair = try TLSPair(serverContext(), clientContext(), host: "127.0.0.2")
        let outcome = pair.handshake()
        #expect(outcome.client == .failed("certificate verify failed: IP address mismatch"))
    }

    @Test func aServerOfAnotherAuthorityIsRefusedByTheClient() throws {
        let certificates = try TLSCertificates.shared.get()
        let client = try TLSClientContext(trusting: certificates.octets("strangers.pem"))
        let outcome = try TLSPair(serverContext(), client).handshake()
        let reason = "certificate verify failed: unable to get local issuer certificate"
        #expect(outcome.client == .failed(reason))
        #expect(outcome.server == .failed("tlsv1 alert unknown ca"))
    }

    @Test(arguments: [false, true])
    func octetsMayArriveOneByOne(isOld: Bool) throws {
        let (serverSide, relayServer) = try connectedDescriptors()
        let (clientSide, relayClient) = try connectedDescriptors()
        let server = try TLSEnd(serverContext(), serverSide)
        let client = try TLSEnd(clientContext(isOld: isOld), clientSide, host: "first.example")
        let relay = Relay(relayServer, relayClient)
        var (ofServer, ofClient) = (TLSSession.Outcome.wantsRead, TLSSession.Outcome.wantsRead)
        while ofServer == .wantsRead || ofClient == .wantsRead {
            if ofClient == .wantsRead { ofClient = client.handshake() }
            if ofServer == .wantsRead { ofServer = server.handshake() }
            guard relay.moveOneOctetEachWay() else { break }
        }
        #expect(ofServer == .done(0))
        #expect(ofClient == .done(0))

        #expect(client.write("question".utf8) == .done(8))
        #expect(server.write("answer".utf8) == .done(6))
        var (atServer, atClient): ([UInt8], [UInt8]) = ([], [])
        while relay.moveOneOctetEachWay() {
            atServer += server.readAll().octets
            atClient += client.readAll().octets
        }
        #expect(atServer == Array("question".utf8))
        #expect(atClient == Array("answer".utf8))
    }
}
