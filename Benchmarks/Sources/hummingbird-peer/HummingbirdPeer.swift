// The peer: Landfall's two measured routes as a Hummingbird user would write them.
//
// Everything is Hummingbird's default: its event loops, its router, its JSON encoder. The link file
// is held in memory, as Landfall does. A callback's body is collected and counted, and that is all:
// no decoding, no disk.

import Foundation
import Hummingbird
import Logging

/// The answer to a callback.
struct Receipt: ResponseEncodable {
    /// Size of the body in bytes.
    let bytes: Int
}

@main
enum HummingbirdPeer {
    /// Bytes that a callback's body may have: Landfall's default.
    static let callbackBodyBytes = 4 * 1024 * 1024

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[1]) else {
            FileHandle.standardError.write(Data("usage: hummingbird-peer <port> <file>\n".utf8))
            exit(2)
        }
        let association = ByteBuffer(data: try Data(contentsOf: URL(filePath: arguments[2])))
        var logger = Logger(label: "hummingbird-peer")
        logger.logLevel = .error
        let application = Application(
            router: router(association: association),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger)
        try await application.runService()
    }

    /// The routes.
    ///
    /// - Parameter association: the content of `apple-app-site-association`.
    static func router(association: ByteBuffer) -> Router<BasicRequestContext> {
        let router = Router()
        router.get(".well-known/apple-app-site-association") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: association))
        }
        router.post("callbacks/:vendor") { request, _ in
            let body = try await request.body.collect(upTo: callbackBodyBytes)
            return EditedResponse(
                status: .created, response: Receipt(bytes: body.readableBytes))
        }
        router.get("healthz") { _, _ in HTTPResponse.Status.ok }
        return router
    }
}
