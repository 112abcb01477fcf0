// `landfall health`: reports the state of a running server, for containers and scripts.

import ArgumentParser
import HTTPClient

struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether a running server is healthy: exit code 0 for yes, 1 for no.")

    @Option(
        help: ArgumentHelp(
            "The server; otherwise LANDFALL_SERVER, the server of the configured data folder, or "
                + "http://127.0.0.1:8080.",
            valueName: "url"))
    var server: String?

    @OptionGroup var trust: TrustOption

    func validate() throws { try server?.requireServer("--server") }

    func run() async throws {
        do {
            let server = try KnownServer.usual(server)
            var request = ClientRequest(
                .get, "/healthz", at: server, trusting: try trust.authorities())
            request.limitWaits(to: 3000)
            let answer = try await Client.send(request)
            guard answer.status == 200 else { throw Exit.no }
            try Console.print("ok")
        } catch let error as ClientError {
            Console.printError("\(error)")
            throw Exit.no
        }
    }
}
