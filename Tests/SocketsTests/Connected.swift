// Two loops and one connection between them, which most tests of this target begin with. Every wait
// of the tests has a deadline, so that a fault shows as a failure and never as a test that hangs.

import TestClient
import Testing

@testable import Sockets

/// Lends two running loops, and ends them afterwards.
func withLoops<Value>(
    _ body: (_ first: EventLoop, _ second: EventLoop) async throws -> Value
) async throws -> Value {
    let first = try EventLoop(name: "first")
    let second = try EventLoop(name: "second")
    defer {
        first.stop()
        second.stop()
    }
    return try await body(first, second)
}

/// Runs `server` and `client` at the two ends of one connection, each on its own loop.
@discardableResult
func withConnection<ServerValue: Sendable, ClientValue: Sendable>(
    host: String = "127.0.0.1",
    server: @escaping @Sendable (inout Socket) async throws -> ServerValue,
    client: @escaping @Sendable (inout Socket) async throws -> ClientValue
) async throws -> (server: ServerValue, client: ClientValue) {
    try await withLoops { serverLoop, clientLoop in
        let listener = try Listener(host: host, port: 0, isShared: false)
        let (arrivals, arrival) = AsyncStream.makeStream(of: AcceptedSocket.self)
        let listening = Task(executorPreference: serverLoop) {
            try await listener.run(on: serverLoop, onFailure: { Issue.record($0) }) {
                arrival.yield($0)
            }
        }
        let clientTask = Task(executorPreference: clientLoop) {
            let accepted = try AcceptedSocket(connectingTo: host, port: listener.port)
            var socket = try Socket(adopting: accepted, on: clientLoop)
            return try await client(&socket)
        }
        let accepted = try #require(await arrivals.first { _ in true })
        let serverTask = Task(executorPreference: serverLoop) {
            var socket = try Socket(adopting: accepted, on: serverLoop)
            return try await server(&socket)
        }
        let served = await serverTask.result
        let asked = await clientTask.result
        serverLoop.drain()
        try await listening.value
        return (try served.get(), try asked.get())
    }
}

extension Socket {
    /// Reads until the peer finishes, or `limit` bytes have come.
    mutating func readAll(upTo limit: Int = .max) async throws -> [UInt8] {
        var buffer = ReadBuffer()
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard try await read(into: &buffer, until: loop.now + patience) > 0 else { break }
            buffer.move(buffer.count, to: &bytes)
        }
        return bytes
    }
}
