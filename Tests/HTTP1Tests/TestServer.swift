// A server with a small handler on a port of its own, for as long as a test needs it.
// It is drained and waited for at the end of each test, so that draining is tested all the time.

import Sockets
import TestClient
import Testing

@testable import HTTP1

/// Answers by path; every other path is told back with its method.
struct TestHandler: RequestHandler {
    /// Bytes of a body that `/echo` takes.
    static let bodyLimit = 1_000

    /// Told when `/held`, `/wait` or the second part of `/live` has begun.
    let onHeld: @Sendable () -> Void

    /// Ends when `/held` may answer.
    let release: AsyncStream<Void>

    /// Told how a wait ended, or that a live stream was cancelled.
    let onEnd: @Sendable (String) -> Void

    func respond(to request: Request, over connection: inout Connection) async -> Response {
        switch text(request.path) {
        case "/echo", "/large/echo":
            let limit = text(request.path) == "/echo" ? Self.bodyLimit : 1_000_000
            do throws(Connection.BodyFailure) {
                return Response(.ok, body: try await connection.readBody(upTo: limit))
            } catch {
                switch error {
                case .refused(let refusal): return respond(to: refusal)
                case .disconnected: return Response(.badRequest, body: Array("gone".utf8))
                }
            }
        case "/parts":
            do throws(Connection.BodyFailure) {
                var sizes: [Int] = []
                while let part = try await connection.readBodyPart(upTo: TestServer.large.count) {
                    sizes.append(part.count)
                }
                let sum = sizes.reduce(0, +)
                return Response(.ok, body: Array("\(sum) \((sizes.max() ?? 0) <= 65_536)".utf8))
            } catch {
                guard case .refused(let refusal) = error else { return Response(.badRequest) }
                return respond(to: refusal)
            }
        case "/stream", "/stream/known", "/stream/wrong", "/stream/broken", "/stream/trailers":
            return Self.stream(text(request.path))
        case "/file":
            do throws(Refusal) {
                return try TestServer.file.respond(to: request)
            } catch {
                return respond(to: error)
            }
        case "/origin":
            let origin = request.origin
            let line = "\(origin.client) \(origin.isSecure) \(text(request.authority ?? []))"
            return Response(.ok, body: Array(line.utf8))
        case "/compressible":
            var response = Response(.ok, contentType: "text/plain", body: TestServer.large)
            response.isCompressible = true
            try? response.name("W/\"v1\"", for: request)
            return response
        case "/held":
            onHeld()
            for await _ in release {}
            return Response(.ok, body: Array("held".utf8))
        case "/wait": return await wait(over: &connection, within: patience)
        case "/work": return await work(over: &connection)
        case "/busy/parts":
            return Response(
                .ok, contentType: "text/plain",
                stream: ContentStream(LiveParts(path: "/busy/parts", handler: self)))
        case "/wait/briefly": return await wait(over: &connection, within: 50)
        case "/live", "/live/broken", "/live/stubborn": return live(text(request.path))
        case "/ignore": return Response(.ok, body: Array("ignored".utf8))
        case "/close":
            var response = Response(.ok, body: Array("bye".utf8))
            response.closesConnection = true
            return response
        case "/empty": return Response(.noContent, body: Array("never".utf8))
        case "/unchanged": return Response(.notModified, body: TestServer.large)
        case "/large": return Response(.ok, body: TestServer.large)
        case "/huge": return Response(.ok, body: TestServer.huge)
        case "/slow":
            try? await Task.sleep(for: .milliseconds(100))
            return Response(.ok, body: Array("slow".utf8))
        default:
            let line = request.method.rawValue + " " + text(request.path)
            return Response(.ok, contentType: "text/plain", body: Array(line.utf8))
        }
    }

    /// `one`, `two`, `three`: of unknown length, of a known one, of a wrong one, with an error in
    /// place of the last, or with trailers.
    private static func stream(_ path: String) -> Response {
        let parts = AsyncThrowingStream<[UInt8], any Error> { continuation in
            for part in ["one", "", "two"] { continuation.yield(Array(part.utf8)) }
            if path == "/stream/broken" {
                continuation.finish(throwing: PeerError(text: "broken"))
            } else {
                continuation.yield(Array("three".utf8))
                continuation.finish()
            }
        }
        let length: Int? = path == "/stream/known" ? 11 : path == "/stream/wrong" ? 12 : nil
        return Response(
            .ok, contentType: "text/plain",
            stream: ContentStream(
                parts, length: length,
                trailers: { path == "/stream/trailers" ? [("Parts", "3"), ("End", "yes")] : [] }))
    }

    func respond(to refusal: Refusal) -> Response {
        var response = Response(
            refusal.status, contentType: "text/plain", body: Array(refusal.detail.utf8))
        if let field = refusal.field { response.add(field.name, field.value) }
        return response
    }
}

/// A running server.
struct TestServer: Sendable {
    /// More than the server gathers before it sends.
    static let large = [UInt8](repeating: 0x61, count: 300_000)

    /// More than the kernel's buffers of both ends take.
    static let huge = [UInt8](repeating: 0x61, count: 16_000_000)

    /// A file that the kernel sends by itself.
    static let file = StaticResource(
        (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) },
        contentType: "application/octet-stream", entityTag: "\"v1\"")

    let port: UInt16

    /// An element for each request to `/held` or the like that has begun.
    let heldRequests: AsyncStream<Void>

    /// Lets `/held` answer.
    let release: @Sendable () -> Void

    /// How waits ended, and which live streams were cancelled.
    let ends: AsyncStream<String>

    /// What went wrong before a request came.
    let events: AsyncStream<ServerEvent>

    /// Drains within so many milliseconds.
    let drain: @Sendable (UInt64) -> Void
    fileprivate let loop: EventLoop

    /// How peers speak TLS; nil for plain HTTP.
    fileprivate let tls: TLSClientContext?

    /// Waits that a test can sit through.
    static var limits: HTTP1.Limits {
        var limits = HTTP1.Limits()
        limits.idleMilliseconds = 10_000
        limits.headMilliseconds = 10_000
        limits.lingerMilliseconds = 10_000
        limits.absentPeerMilliseconds = 10_000
        return limits
    }

    /// Runs `body` against a server, then drains the server and waits for its end.
    static func run(
        limits: HTTP1.Limits = limits, settings: ServerSettings? = nil, loopCount: Int = 1,
        isSecure: Bool = false, expectsProxyHeader: Bool = false,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let clientLoop = try EventLoop(name: "peers")
        var loops: [EventLoop] = []
        for number in 0..<loopCount { loops.append(try EventLoop(name: "server-\(number)")) }
        let (heldRequests, heldRequest) = AsyncStream.makeStream(of: Void.self)
        let (events, eventSeen) = AsyncStream.makeStream(of: ServerEvent.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: String.self)
        let certificate = isSecure ? try TestCertificate.shared.get() : nil
        let handler = TestHandler(
            onHeld: { heldRequest.yield() }, release: releases, onEnd: { ended.yield($0) })
        let server = Server(
            loops: loops, settings: settings ?? ServerSettings(limits: limits), handler: handler,
            onEvent: { eventSeen.yield($0) })
        let listener = try Listener(host: "127.0.0.1", port: 0, isShared: true)
        let port = listener.port
        let binding = Binding(
            [listener], tls: certificate.map { LiveTLSContext($0.server) },
            expectsProxyHeader: expectsProxyHeader)
        let running = Task { try await server.run([binding]) }
        // What a test waits for comes long before, or never.
        let limit = Task {
            try await Task.sleep(for: .milliseconds(patience))
            heldRequest.finish()
            ended.finish()
        }
        defer { limit.cancel() }
        let result: Result<Void, any Error>
        do {
            try await body(
                TestServer(
                    port: port, heldRequests: heldRequests, release: { release.finish() },
                    ends: ends, events: events, drain: { server.drain(within: $0) },
                    loop: clientLoop, tls: certificate?.client))
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
        let (loop, port, tls) = (loop, port, tls)
        return try await Task(executorPreference: loop) {
            var peer = try Peer(port: port, on: loop)
            if let tls { try await peer.startTLS(tls) }
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
            } catch SocketError.disconnected {
                // Accepted, and closed at once.
            } catch SocketError.system(_, code: 104) {
                // Reset: it waited to be accepted when the server stopped listening.
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
