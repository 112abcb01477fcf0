// `landfall health`: reports the state of a running server, for containers and scripts.

import ArgumentParser
import HTTPClient
import InstallationChecks

struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether a running server is healthy: exit code 0 for yes, 1 for no.",
        discussion: "Exit code 3 when no server is named and the configuration can't be read.")

    @Option(
        help: ArgumentHelp(
            "The server; otherwise LANDFALL_SERVER, the server of the configured data folder, or "
                + "the configured address.",
            valueName: "url"))
    var server: String?

    @OptionGroup var trust: TrustOption

    func validate() throws { try server?.requireServer("--server") }

    func run() async throws {
        let (server, expectsProxyHeader) = try KnownServer.usual(server)
        var request = ClientRequest(.get, "/healthz", at: server, trusting: try trust.authorities())
        request.sendsProxyHeader = expectsProxyHeader
        request.limitWaits(to: 3000)
        let answer: ClientResponse
        do throws(ClientError) {
            answer = try await Client.send(request)
        } catch {
            throw CommandFailure(no: "\(error)")
        }
        guard answer.isHealthy else { throw CommandFailure(no: "\(CommandFailure(answer))") }
        try Console.print("ok")
    }
}
