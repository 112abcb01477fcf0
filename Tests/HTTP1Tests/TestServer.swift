// A server with a small handler on a port of its own, for as long as a test needs it.
// It is drained and waited for at the end of each test, so that draining is tested all the time.

import Sockets
import Testing

@testable import HTTP1

/// Answers by path; every other path is told back with its method.
struct TestHandler: RequestHandler {
    /// Bytes of a body that `/echo` takes.
    static let bodyLimit = 1_000

    /// Told when `/held` has begun.
    let onHeld: @Sendable () -> Void

    /// Ends when `/held` may answer.
    let release: AsyncStream<Void>

    func respond(to request: Request, over connection: inout Connection) async -> Response {
        switch text(request.path) {
        case "/echo":
            do throws(Connection.BodyFailure) {
                return Response(.ok, body: try await connection.readBody(upTo: Self.bodyLimit))
            } catch {
                switch error {
                case .refused(let refusal): return respond(to: refusal)
                case .disconnected: return Response(.badRequest, body: Array("gone".utf8))
                }
            }
        case "/held":
            onHeld()
            for await _ in release {}
            return Response(.ok, body: Array("held".utf8))
        case "/ignore": return Response(.ok, body: Array("ignored".utf8))
        case "/close":
            var response = Response(.ok, body: Array("bye".utf8))
            response.closesConnection = true
            return response
        case "/empty": return Response(.noContent, body: Array("never".utf8))
        case "/unchanged": return Response(.notModified, body: TestServer.large)
        case "/large": return Response(.ok, body: TestServer.large)
        case "/slow":
            try? await Task.sleep(for: .milliseconds(100))
            return Response(.ok, body: Array("slow".utf8))
        default:
            let line = request.method.rawValue + " " + text(request.path)
            return Response(.ok, contentType: "text/plain", body: Array(line.utf8))
        }
    }

    func respond(to refusal: Refusal) -> Response {
        Response(refusal.status, contentType: "text/plain", body: Array(refusal.detail.utf8))
    }
}

/// A running server.
struct TestServer: Sendable {
    /// More than the server gathers before it sends.
    static let large = [UInt8](repeating: 0x61, count: 300_000)

    let port: UInt16

    /// An element for each request to `/held` that has begun.
    let heldRequests: AsyncStream<Void>

    /// Lets `/held` answer.
    let release: @Sendable () -> Void

    let drain: @Sendable () -> Void
    fileprivate let loop: EventLoop

    /// Waits that a test can sit through.
    static var limits: HTTP1.Limits {
        var limits = HTTP1.Limits()
        limits.idleMilliseconds = 10_000
        limits.headMilliseconds = 10_000
        limits.lingerMilliseconds = 10_000
        return limits
    }

    /// Runs `body` against a server, then drains the server and waits for its end.
    static func run(
        limits: HTTP1.Limits = limits, loopCount: Int = 1,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let clientLoop = try EventLoop(name: "peers")
        var loops: [EventLoop] = []
        for number in 0..<loopCount { loops.append(try EventLoop(name: "server-\(number)")) }
        let (heldRequests, heldRequest) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let handler = TestHandler(onHeld: { heldRequest.yield() }, release: releases)
        let server = Server(loops: loops, limits: limits, handler: handler) { error in
            Issue.record(error)
        }
        let (ports, portFound) = AsyncStream.makeStream(of: UInt16.self)
        let running = Task {
            defer { portFound.finish() }
            try await server.run(host: "127.0.0.1", port: 0) { portFound.yield($0) }
        }
        let port = try #require(await ports.first { _ in true })
        let result: Result<Void, any Error>
        do {
            try await body(
                TestServer(
                    port: port, heldRequests: heldRequests, release: { release.finish() },
                    drain: { server.drain() }, loop: clientLoop))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        release.finish()
        server.drain()
        try await running.value
        for loop in loops + [clientLoop] { loop.stop() }
        try result.get()
    }

    /// Runs `body` at the other end of a new connection.
    @discardableResult
    func connect<Value: Sendable>(
        _ body: @escaping @Sendable (inout Peer) async throws -> Value
    ) async throws -> Value {
        let (loop, port) = (loop, port)
        return try await Task(executorPreference: loop) {
            var peer = try Peer(port: port, on: loop)
            return try await body(&peer)
        }.value
    }

    /// Sends `bytes`, shuts down sending, and reads all answers.
    func exchange(_ bytes: String, heads: Set<Int> = []) async throws -> [Answer] {
        try await connect { peer in
            try await peer.send(bytes)
            peer.finishSending()
            return try await peer.answers(heads: heads)
        }
    }

    /// Waits until new connections are refused; false when they never are.
    func refusesConnections() async throws -> Bool {
        for _ in 0..<500 {
            do {
                try await connect { _ in () }
            } catch SocketError.system(_, code: 111) {
                return true
            } catch SocketError.disconnected {}
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
