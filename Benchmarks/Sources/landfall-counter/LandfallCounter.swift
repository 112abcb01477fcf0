// Landfall's own HTTP server with the one endpoint that the Hummingbird peer has and the product
// has not: a POST whose body is read and counted, and that is all.
//
// Event loops, parser, body reader, router and JSON are the product's, at their defaults. What the
// product does beside them is left out: sites, access, the store, logging.

import Foundation
import HTTP1
import JSON
import LinkPatterns
import Sockets

@main
enum LandfallCounter {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 2, let port = UInt16(arguments[1]) else {
            FileHandle.standardError.write(Data("usage: landfall-counter <port>\n".utf8))
            exit(2)
        }
        var loops: [EventLoop] = []
        for number in 0..<EventLoop.count(descriptors: DescriptorLimit.raise()) {
            loops.append(try EventLoop(name: "loop-\(number)"))
        }
        let listeners = try loops.map { _ in
            try Listener(host: "127.0.0.1", port: port, isShared: true)
        }
        try await Server(loops: loops, handler: try Counter()).run([Binding(listeners)])
    }
}

/// Counts the bytes of callbacks.
struct Counter: RequestHandler {
    /// What a path stands for.
    private enum Endpoint {
        case callback
        case health
    }

    /// Bytes that a callback's body may have: the product's default.
    private static let callbackBodyBytes = 4 * 1024 * 1024

    private var router = Router<Endpoint>()

    /// Builds the routes.
    init() throws(LinkPatternError) {
        router.add(try LinkPattern("callbacks/:vendor"), .callback)
        router.add(try LinkPattern("healthz"), .health)
    }

    func respond(to request: Request, over connection: inout Connection) async -> Response {
        guard let link = Link(path: request.path), let found = router.match(link) else {
            return Response(.notFound)
        }
        switch (found.value, request.method) {
        case (.health, .get): return Response(.ok)
        case (.callback, .post): return await count(over: &connection)
        default: return Response(.methodNotAllowed)
        }
    }

    func respond(to refusal: Refusal) -> Response { Response(refusal.status) }

    private func count(over connection: inout Connection) async -> Response {
        let body: [UInt8]
        do throws(Connection.BodyFailure) {
            body = try await connection.readBody(upTo: Self.callbackBodyBytes)
        } catch {
            return Response(.badRequest)
        }
        var json = JSONWriter(reservingCapacity: 32)
        json.object { $0.member("bytes", body.count) }
        return Response(.created, contentType: "application/json", body: json.bytes)
    }
}
