// The other end of a connection, as raw as the tests need it: it sends bytes and reads answers. All
// waits end (`patience`), so that a fault shows as a failure and never as a test that hangs.

import Sockets
import TestClient
import Testing

@testable import HTTP1

/// One final or interim response.
struct Answer: Sendable {
    var statusLine = ""
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var status: Int { Int(statusLine.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0 }

    /// The only value of a field, named in any case; nil when there is none, or more than one.
    subscript(name: String) -> String? {
        let found = fields.filter { $0.name.lowercased() == name.lowercased() }
        return found.count == 1 ? found[0].value : nil
    }

    var closes: Bool { self["Connection"] == "close" }
}

/// What went wrong at the peer's end.
struct PeerError: Error {
    let text: String
}

/// A connection to a server under test.
struct Peer: ~Copyable {
    private var socket: Socket
    private var pending: [UInt8] = []

    init(port: UInt16, on loop: EventLoop) throws {
        let accepted = try AcceptedSocket(connectingTo: "127.0.0.1", port: port)
        socket = try Socket(adopting: accepted, on: loop)
    }

    mutating func startTLS(_ context: TLSClientContext) async throws {
        let deadline = socket.loop.now + patience
        try await socket.startTLS(context, host: "127.0.0.1", until: deadline)
    }

    mutating func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    mutating func send(_ bytes: [UInt8]) async throws {
        try await socket.write(bytes, pace: patient)
    }

    /// Sends no more, but goes on reading.
    mutating func finishSending() {
        socket.shutdownWriting()
    }

    /// Says under TLS that it sends no more, and leaves the stream as it is.
    mutating func sayGoodbye() {
        socket.sendClosingAlert()
    }

    /// Reads one answer; one to HEAD has no content.
    mutating func answer(toHead: Bool = false) async throws -> Answer {
        while true {
            if let answer = try takeAnswer(toHead: toHead) { return answer }
            guard try await receive() else { throw PeerError(text: "the connection has ended") }
        }
    }

    /// Reads what still comes, to the end of the connection.
    mutating func rest() async throws -> [UInt8] {
        while try await receive() {}
        defer { pending = [] }
        return pending
    }

    /// Reads all answers that still come, to the end of the connection.
    ///
    /// - Parameter heads: which of them, counted from 0 without interim ones, are to HEAD.
    mutating func answers(heads: Set<Int> = []) async throws -> [Answer] {
        while try await receive() {}
        var answers: [Answer] = []
        while !pending.isEmpty {
            let isHead = heads.contains(answers.count { $0.status >= 200 })
            guard let answer = try takeAnswer(toHead: isHead) else {
                throw PeerError(text: "half an answer: \(text(pending).debugDescription)")
            }
            answers.append(answer)
        }
        return answers
    }

    private mutating func receive() async throws -> Bool {
        var buffer = ReadBuffer()
        let deadline = socket.loop.now + patience
        guard try await socket.read(into: &buffer, until: deadline) > 0 else { return false }
        buffer.move(buffer.count, to: &pending)
        return true
    }

    /// Takes an answer off `pending`; nil when it isn't whole yet.
    private mutating func takeAnswer(toHead: Bool) throws -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        guard let split = pending.indices.first(where: { pending[$0...].starts(with: end) }) else {
            return nil
        }
        var lines = text(pending[..<split]).split(separator: "\r\n").map(String.init)
        var answer = Answer()
        answer.statusLine = lines.isEmpty ? "" : lines.removeFirst()
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw PeerError(text: line) }
            let value = line[colon...].dropFirst(2)
            answer.fields.append((name: String(line[..<colon]), value: String(value)))
        }
        guard answer.statusLine.hasPrefix("HTTP/1.1 ") else {
            throw PeerError(text: "no status line: \(answer.statusLine.debugDescription)")
        }
        let hasContent = !toHead && answer.status >= 200 && ![204, 304].contains(answer.status)
        let length = hasContent ? Int(answer["Content-Length"] ?? "0") ?? 0 : 0
        let start = split + end.count
        guard pending.count >= start + length else { return nil }
        answer.body = Array(pending[start..<(start + length)])
        pending.removeFirst(start + length)
        return answer
    }
}
