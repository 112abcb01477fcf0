// The peer that does the whole job: a receiver of Flux's callbacks as a Hummingbird user would write
// it, with Codable and GRDB.
//
// Each callback is decoded, checked, stored in one durable transaction with the fields and words that
// Landfall indexes too, and answered with its id and number.

import Foundation
import GRDB
import Hummingbird
import Logging

/// The answer to a callback.
struct Receipt: ResponseEncodable {
    let id: String
    let seq: Int64
    let verdict: String
}

@main
enum HummingbirdStorePeer {
    /// Bytes that a callback's body may have: Landfall's default.
    static let callbackBodyBytes = 4 * 1024 * 1024

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[1]) else {
            let usage = "usage: hummingbird-store-peer <port> <database>\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(2)
        }
        let store = try CallbackStore(at: arguments[2])
        var logger = Logger(label: "hummingbird-store-peer")
        logger.logLevel = .error
        let application = Application(
            router: router(store),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger)
        try await application.runService()
    }

    static func router(_ store: CallbackStore) -> Router<BasicRequestContext> {
        let router = Router()
        router.post("callbacks/dimmy") { request, _ in
            let body = try await request.body.collect(upTo: callbackBodyBytes)
            guard let callback = FluxCallback(form: String(buffer: body)) else {
                throw HTTPError(.unprocessableContent, message: "This is no callback of Flux.")
            }
            let id = UUID().uuidString.lowercased()
            let number = try await store.append(
                StoredCallback(callback, id: id, body: String(buffer: body)))
            return EditedResponse(
                status: .created, response: Receipt(id: id, seq: number, verdict: "decoded"))
        }
        router.get("healthz") { _, _ in HTTPResponse.Status.ok }
        return router
    }
}
