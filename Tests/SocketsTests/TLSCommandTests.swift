// Our server and OpenSSL's own client: what a client of ours doesn't do, and a second opinion.

import Foundation
import TestClient
import Testing

@testable import Sockets

@Suite struct TLSCommandTests {
    /// Serves one connection of `openssl s_client` and returns what that prints; `input` is what it
    /// is given to type.
    private func connect(
        to context: TLSContext, _ arguments: [String], input: String = "Q\n"
    ) throws -> (printed: String, handshake: TLSSession.Outcome, end: TLSSession.Outcome) {
        let (listening, port) = try listenOnLoopback()
        defer { close(listening) }
        let authority = try TLSCertificates.shared.get().folder.appending(path: "authority.pem")
        let fixed = ["s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority.path()]
        let command = try OpenSSLCommand(fixed + arguments, input: input)
        try #require(isReadable(listening))
        let accepted = accept(listening, nil, nil)
        try #require(accepted >= 0)
        try #require(fcntl(accepted, F_SETFL, O_NONBLOCK) == 0)
        let outcome = serve(try TLSEnd(context, accepted))
        return (try command.printed(), outcome.handshake, outcome.end)
    }

    /// Waits until something can be read; a signal, such as that of a child's end, is no reason to
    /// stop.
    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = unsafe poll(&entry, 1, Int32(patience))
            if count >= 0 || errno != EINTR { return count == 1 }
        }
    }

    private func listenOnLoopback() throws -> (descriptor: Int32, port: UInt16) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // SAFETY: the address is as large as its family says, and lives for the calls.
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe bind(descriptor, address, size) == 0 else { return -1 }
                guard listen(descriptor, 1) == 0 else { return -1 }
                return Int(unsafe getsockname(descriptor, address, &size))
            }
        }
        try #require(result == 0)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Takes a connection to its end, and returns how the handshake and the rest went.
    private func serve(
        _ end: TLSEnd
    ) -> (handshake: TLSSession.Outcome, end: TLSSession.Outcome) {
        func wait(_ step: () -> TLSSession.Outcome) -> TLSSession.Outcome {
            for _ in 0..<1000 {
                let outcome = step()
                if outcome != .wantsRead { return outcome }
                guard isReadable(end.descriptor) else { break }
                end.session.mayReceive()
            }
            return .wantsRead
        }
        let handshake = wait { end.handshake() }
        guard handshake == .done(0) else { return (handshake, handshake) }
        while true {
            let outcome = wait { end.readAll().outcome }
            if case .done = outcome { continue }
            _ = end.session.shutdown()
            return (handshake, outcome)
        }
    }

    @Test(arguments: [["-tls1_2"], ["-tls1_3"]])
    func theOCSPResponseIsStapled_RFC6066_8(version: [String]) throws {
        let response = try TLSCertificates.shared.get().octets("first.ocsp")
        let context = try serverContext(ocspResponse: response)
        let asking = version + ["-status", "-servername"]
        let first = try connect(to: context, asking + ["first.example"])
        #expect(first.printed.contains("OCSP Response Status: successful"))
        #expect(first.printed.contains("Cert Status: good"))
        #expect(first.printed.contains("Verify return code: 0 (ok)"))
        let other = try connect(to: context, asking + ["exact.wild.example"])
        #expect(other.printed.contains("OCSP response: no response sent"))
    }

    @Test func anOCSPResponseThatHasExpiredIsNotStapled() throws {
        let response = try TLSCertificates.shared.get().octets("first.ocsp")
        let context = try serverContext(ocspResponse: endedInTheYear2020(response))
        let (printed, _, _) = try connect(
            to: context, ["-status", "-servername", "first.example"])
        #expect(printed.contains("OCSP response: no response sent"))
        #expect(printed.contains("Verify return code: 0 (ok)"))
    }

    @Test func aClientWithoutAServerNameGetsTheDefaultAndItsWholeChain() throws {
        let (printed, _, _) = try connect(to: serverContext(), ["-noservername"])
        #expect(printed.contains("depth=1 CN = Middle"))
        #expect(printed.contains("depth=0 CN = default"))
        #expect(printed.contains("Verify return code: 0 (ok)"))
    }

    @Test func aDefaultThatHasExpiredGivesWayToAnotherForItsHost() throws {
        let context = try serverContext(["expired", "wild", "first"])
        let (printed, _, _) = try connect(to: context, ["-noservername"])
        #expect(printed.contains("depth=0 CN = first\n"))
    }

    @Test(arguments: [
        ("ECDHE-RSA-AES128-GCM-SHA256", "CN = first rsa"),
        ("ECDHE-ECDSA-AES128-GCM-SHA256", "CN = first\n"),
    ])
    func twoKindsOfKeysForOneHostServeEachClientWhatItCanVerify(
        suite: String, subject: String
    ) throws {
        // The first one has expired, and the names of the last are in another order.
        let context = try serverContext(["default", "expired", "first", "first-rsa"])
        let (printed, _, _) = try connect(
            to: context, ["-tls1_2", "-cipher", suite, "-servername", "first.example"])
        #expect(printed.contains("depth=0 \(subject)"))
        #expect(printed.contains("Cipher is \(suite)"))
    }

    @Test(arguments: [("FIRST.example", "Reused"), ("exact.wild.example", "New")])
    func aTicketIsResumedForTheNameOfItsIssueOnly_RFC6066_3(host: String, kind: String) throws {
        let context = try serverContext()
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let old = ["-tls1_2", "-servername"]
        _ = try connect(to: context, old + ["first.example", "-sess_out", file.path()])
        let (printed, _, _) = try connect(to: context, old + [host, "-sess_in", file.path()])
        #expect(printed.contains("\n\(kind), TLSv1.2"))
    }

    @Test(arguments: [
        (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "unsupported protocol"),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES128-SHA"], "no shared cipher"),
        (["-tls1_2", "-cipher", "AES128-GCM-SHA256"], "no shared cipher"),
        (["-tls1_3", "-groups", "P-521"], "no suitable key share"),
    ])
    func whatIsOutsideTheProfileIsRefused(arguments: [String], reason: String) throws {
        let context = try serverContext(["first-rsa"])
        let (_, handshake, _) = try connect(to: context, arguments)
        #expect(handshake == .failed(reason))
    }

    @Test(arguments: [
        (["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"], "Server Temp Key: DH, 2048 bits"),
        (["-groups", "P-384"], "Server Temp Key: ECDH, secp384r1, 384 bits"),
        (["-groups", "P-521:P-256"], "Server Temp Key: ECDH, prime256v1, 256 bits"),
        ([], "Server Temp Key: X25519, 253 bits"),
        (["-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"], "Cipher is TLS_CHACHA20_POLY1305"),
    ])
    func whatIsInsideTheProfileIsTheClientsChoice(
        arguments: [String], expected: String
    ) throws {
        let (printed, handshake, _) = try connect(to: serverContext(["first-rsa"]), arguments)
        #expect(handshake == .done(0))
        #expect(printed.contains(expected))
        #expect(printed.contains("Compression: NONE"))
    }

    @Test func renegotiationIsRefused() throws {
        let (printed, handshake, _) = try connect(to: serverContext(), ["-tls1_2"], input: "R\n")
        #expect(handshake == .done(0))
        #expect(printed.contains("RENEGOTIATING"))
        #expect(printed.contains("no renegotiation"))
    }
}
