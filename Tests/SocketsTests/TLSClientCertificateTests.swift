// What a server asks of its clients.

import Testing

@testable import Sockets

@Suite struct TLSClientCertificateTests {
    private func server(_ verification: TLSSettings.ClientVerification) throws -> TLSContext {
        try serverContext(
            clients: TLSCertificates.shared.get().authority(), verification: verification)
    }

    @Test(
        arguments: [
            (.none, nil, nil), (.none, "phone", nil), (.optional, nil, nil),
            (.optional, "phone", "CN=phone,O=Example"),
            (.required, "phone", "CN=phone,O=Example"),
        ] as [(TLSSettings.ClientVerification, String?, String?)], [false, true])
    func aClientIsLetIn(
        with: (verification: TLSSettings.ClientVerification, identity: String?, subject: String?),
        isOld: Bool
    ) throws {
        let client = try clientContext(identity: with.identity, isOld: isOld)
        let pair = try TLSPair(server(with.verification), client)
        try pair.connect()
        #expect(pair.server.subject == with.subject)
    }

    @Test(
        arguments: [
            (.required, nil, "peer did not return a certificate"),
            (
                .required, "stranger",
                "certificate verify failed: unable to get local issuer certificate"
            ),
            (
                .optional, "stranger",
                "certificate verify failed: unable to get local issuer certificate"
            ),
        ] as [(TLSSettings.ClientVerification, String?, String)], [false, true])
    func aClientIsRefused(
        with: (verification: TLSSettings.ClientVerification, identity: String?, reason: String),
        isOld: Bool
    ) throws {
        let client = try clientContext(identity: with.identity, isOld: isOld)
        let pair = try TLSPair(server(with.verification), client)
        let outcome = pair.handshake()
        #expect(outcome.server == .failed(with.reason))
        // The alert comes when a client of TLS 1.3 believes itself connected.
        let end = isOld ? outcome.client : pair.client.read().outcome
        guard case .failed(let reason) = end else {
            Issue.record("the client isn't told")
            return
        }
        #expect(reason.contains("alert"))
    }
}
