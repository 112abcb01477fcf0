// A certificate for 127.0.0.1 that signs itself, made by the `openssl` command once a run: one that
// lies in a repository expires.

import Foundation
import Sockets
import TestClient
import Testing

/// What a server and its client need to speak TLS with each other.
struct TestCertificate: Sendable {
    /// The one of this run.
    static let shared: Result<TestCertificate, any Error> = Result { try TestCertificate() }

    let server: TLSContext
    let client: TLSClientContext

    /// The certificate itself (PEM), which clients have to trust.
    let authority: [UInt8]

    private init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "landfall-certificate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (chain, key) = (folder.appending(path: "a.pem"), folder.appending(path: "a.key"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
            "-keyout", key.path(), "-out", chain.path(),
        ]
        process.standardError = Pipe()
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let certificate = Array(try Data(contentsOf: chain))
        let identity = TLSIdentity(
            name: "test", chain: certificate, key: Array(try Data(contentsOf: key)))
        server = try TLSContext(TLSSettings(identities: [identity]), tickets: TLSTicketKeys())
        client = try TLSClientContext(trusting: certificate)
        authority = certificate
    }
}
