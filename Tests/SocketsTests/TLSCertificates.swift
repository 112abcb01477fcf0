// Certificates and keys for the tests of TLS, made by the `openssl` command once a run: those that
// lie in a repository expire.

import Foundation
import TestClient
import Testing

@testable import Sockets

/// The files of one run, in a temporary folder.
struct TLSCertificates {
    /// Those of this run, which are removed when it ends.
    static let shared: Result<TLSCertificates, any Error> = Result {
        atexit {
            guard let folder = try? TLSCertificates.shared.get().folder else { return }
            try? FileManager.default.removeItem(at: folder)
        }
        return try TLSCertificates()
    }

    /// Days for which all of them are good.
    static let days = 2

    let folder: URL

    /// What servers' and clients' certificates are signed by.
    func authority() throws -> [UInt8] { try octets("authority.pem") }

    /// A chain and a key by their file names without the endings.
    func identity(_ name: String, ocspResponse: [UInt8]? = nil) throws -> TLSIdentity {
        TLSIdentity(
            name: name, chain: try octets(name + ".pem"), key: try octets(name + ".key"),
            ocspResponse: ocspResponse)
    }

    func octets(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: file)))
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "landfall-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sections = """
            [req]
            distinguished_name = empty
            [empty]
            [authority]
            basicConstraints = critical, CA:TRUE
            [leaf]
            basicConstraints = critical, CA:FALSE
            """
        try sections.write(to: path("openssl.cnf"), atomically: true, encoding: .utf8)
        try issue("authority", "/CN=Test Authority", by: nil, "authority")
        try issue("strangers", "/CN=Other Authority", by: nil, "authority")
        try issue("middle", "/CN=Middle", by: "authority", "authority")
        try issue("default", "/CN=default", "DNS:default.example,IP:127.0.0.1,IP:::1", by: "middle")
        try append("middle.pem", to: "default.pem")
        try issue("first", "/CN=first", "DNS:first.example,DNS:WWW.First.example", serial: 7)
        try issue(
            "first-rsa", "/CN=first rsa", "DNS:www.first.example,DNS:FIRST.example",
            key: ["rsa:2048"])
        try issue("expired", "/CN=expired", "DNS:first.example")
        try expire("expired")
        try issue("wild", "/CN=wild", "DNS:*.wild.example")
        try issue("exact", "/CN=exact", "DNS:exact.wild.example")
        try issue("named", "/CN=named.example")
        try issue("small", "/CN=small", "DNS:small.example", key: ["rsa:1024"])
        try issue("phone", "/O=Example/CN=phone")
        try issue("stranger", "/CN=stranger", by: "strangers")
        try OpenSSLCommand.run([
            "pkey", "-in", path("first.key").path(), "-aes256", "-passout", "pass:secret", "-out",
            path("encrypted.key").path(),
        ])
        try makeResponse()
    }

    private func path(_ file: String) -> URL { folder.appending(path: file) }

    private func append(_ file: String, to other: String) throws {
        try Data(try octets(other) + octets(file)).write(to: path(other))
    }

    private func issue(
        _ name: String, _ subject: String, _ alternatives: String? = nil,
        by issuer: String? = "authority", _ section: String = "leaf",
        key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], serial: Int? = nil
    ) throws {
        var arguments = ["req", "-x509", "-config", path("openssl.cnf").path(), "-newkey"] + key
        arguments += ["-nodes", "-subj", subject, "-extensions", section, "-days", "\(Self.days)"]
        arguments += ["-keyout", path(name + ".key").path(), "-out", path(name + ".pem").path()]
        if let alternatives { arguments += ["-addext", "subjectAltName=" + alternatives] }
        if let serial { arguments += ["-set_serial", "\(serial)"] }
        if let issuer {
            arguments += ["-CA", path(issuer + ".pem").path()]
            arguments += ["-CAkey", path(issuer + ".key").path()]
        }
        let printed = try OpenSSLCommand.run(arguments)
        try #require(
            FileManager.default.fileExists(atPath: path(name + ".pem").path()), "\(printed)")
    }

    /// Makes a certificate again, as one that ended yesterday.
    private func expire(_ name: String) throws {
        let (pem, request) = (path(name + ".pem").path(), path(name + ".csr").path())
        try OpenSSLCommand.run([
            "x509", "-x509toreq", "-in", pem, "-signkey", path(name + ".key").path(),
            "-copy_extensions", "copy", "-out", request,
        ])
        let printed = try OpenSSLCommand.run([
            "x509", "-req", "-in", request, "-CA", path("authority.pem").path(), "-CAkey",
            path("authority.key").path(), "-days", "-1", "-copy_extensions", "copy", "-set_serial",
            "9", "-out", pem,
        ])
        try #require(printed.contains("self-signature ok"), "\(printed)")
    }

    /// Answers for the certificate `first` as a responder would.
    private func makeResponse() throws {
        let line = "V\t491231235959Z\t\t07\tunknown\t/CN=first\n"
        try line.write(to: path("index.txt"), atomically: true, encoding: .utf8)
        let authority = path("authority.pem").path()
        let printed = try OpenSSLCommand.run([
            "ocsp", "-index", path("index.txt").path(), "-CA", authority, "-rsigner", authority,
            "-rkey", path("authority.key").path(), "-issuer", authority, "-cert",
            path("first.pem").path(), "-ndays", "1", "-respout", path("first.ocsp").path(),
        ])
        try #require(
            FileManager.default.fileExists(atPath: path("first.ocsp").path()), "\(printed)")
    }
}

/// An OCSP response with another nextUpdate (RFC 6960 §4.2.1), whose signature is wrong then.
func endedInTheYear2020(_ response: [UInt8]) throws -> [UInt8] {
    // DER: the explicit tag 0 around a GeneralizedTime of 15 characters.
    let mark: [UInt8] = [0xA0, 0x11, 0x18, 0x0F]
    let place = try #require(response.indices.first { response[$0...].starts(with: mark) })
    var ended = response
    ended.replaceSubrange(place + 4..<place + 8, with: Array("2020".utf8))
    return ended
}

/// A server with some identities, by default all that the tests have.
func serverContext(
    _ names: [String] = ["default", "wild", "first", "exact"],
    tickets: TLSTicketKeys? = nil, ocspResponse: [UInt8]? = nil, clients: [UInt8]? = nil,
    verification: TLSSettings.ClientVerification = .none
) throws -> TLSContext {
    let certificates = try TLSCertificates.shared.get()
    let identities = try names.map {
        try certificates.identity($0, ocspResponse: $0 == "first" ? ocspResponse : nil)
    }
    let settings = TLSSettings(
        identities: identities, clientAuthorities: clients, clientVerification: verification)
    return try TLSContext(settings, tickets: try tickets ?? TLSTicketKeys())
}

/// A client that trusts the tests' authority.
func clientContext(
    identity: String? = nil, protocols: [String] = ["http/1.1"], isOld: Bool = false
) throws -> TLSClientContext {
    let certificates = try TLSCertificates.shared.get()
    return try TLSClientContext(
        trusting: certificates.authority(),
        identity: identity.map {
            (try certificates.octets($0 + ".pem"), try certificates.octets($0 + ".key"))
        },
        protocols: protocols, isOld: isOld)
}
