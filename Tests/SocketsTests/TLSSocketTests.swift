// Sockets under TLS on real loops, whose events are edge-triggered.

import TestClient
import Testing

@testable import Sockets

@Suite struct TLSSocketTests {
    /// Runs a server and a client under TLS at the two ends of one connection.
    private func withTLS<ServerValue: Sendable, ClientValue: Sendable>(
        isOld: Bool = false,
        server: @escaping @Sendable (inout Socket) async throws -> ServerValue,
        client: @escaping @Sendable (inout Socket) async throws -> ClientValue
    ) async throws -> (server: ServerValue, client: ClientValue) {
        let (forServer, forClient) = (try serverContext(), try clientContext(isOld: isOld))
        return try await withConnection { socket in
            try await socket.startTLS(forServer, until: socket.loop.now + patience)
            return try await server(&socket)
        } client: { socket in
            let deadline = socket.loop.now + patience
            try await socket.startTLS(forClient, host: "first.example", until: deadline)
            return try await client(&socket)
        }
    }

    @Test(arguments: [false, true])
    func questionsAndAnswersAlternate(isOld: Bool) async throws {
        let result = try await withTLS(isOld: isOld) { socket in
            var buffer = ReadBuffer()
            var count = 0
            while try await socket.read(into: &buffer, until: socket.loop.now + patience) > 0 {
                var question: [UInt8] = []
                buffer.move(buffer.count, to: &question)
                try await socket.write(question.map { $0 &+ 1 }, pace: patient)
                count += 1
            }
            return count
        } client: { socket in
            var buffer = ReadBuffer()
            var answers: [UInt8] = []
            for question in 0..<50 {
                try await socket.write([UInt8(question)], pace: patient)
                let deadline = socket.loop.now + patience
                _ = try await socket.read(into: &buffer, until: deadline)
                buffer.move(buffer.count, to: &answers)
            }
            socket.shutdownWriting()
            return answers
        }
        #expect(result.server == 50)
        #expect(result.client == (1...50).map { UInt8($0) })
    }

    @Test(arguments: [false, true])
    func muchGoesBothWaysAtOnce(isOld: Bool) async throws {
        let sent = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let result = try await withTLS(isOld: isOld) { socket in
            var received: [UInt8] = []
            var buffer = ReadBuffer()
            while try await socket.read(into: &buffer, until: socket.loop.now + patience) > 0 {
                var part: [UInt8] = []
                buffer.move(buffer.count, to: &part)
                received += part
                if received.count == sent.count { break }
            }
            try await socket.write(received, pace: patient)
            socket.shutdownWriting()
            return received
        } client: { socket in
            try await socket.write(sent, pace: patient)
            return try await socket.readAll()
        }
        #expect(result.server == sent)
        #expect(result.client == sent)
    }

    @Test func theEndThatComesWithTheLastOctetsIsSeen() async throws {
        let result = try await withTLS { socket in
            try await socket.readAll()
        } client: { socket in
            // Octets, the closing alert and the end of the stream lie in the kernel together.
            try await socket.write([1, 2, 3], pace: patient)
            socket.shutdownWriting()
        }
        #expect(result.server == [1, 2, 3])
    }

    @Test func whoTalksHTTPInPlainTextCanBeAnsweredInPlainText() async throws {
        let forServer = try serverContext()
        let result = try await withConnection { socket in
            let deadline = socket.loop.now + patience
            await #expect(throws: SocketError.plainHTTP) {
                try await socket.startTLS(forServer, until: deadline)
            }
            try await socket.write(Array("HTTP/1.1 400\r\n".utf8), pace: patient)
            socket.shutdownWriting()
        } client: { socket in
            try await socket.write(Array("GET / HTTP/1.1\r\n\r\n".utf8), pace: patient)
            return String(decoding: try await socket.readAll(), as: UTF8.self)
        }
        #expect(result.client == "HTTP/1.1 400\r\n")
    }
}
