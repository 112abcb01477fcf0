// Requests of commands to a running server: how they are made and sent.

import ArgumentParser
import HTTPClient

/// The options of commands that may ask a running server.
struct ServerAccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's token; LANDFALL_TOKEN or LANDFALL_TOKEN_FILE otherwise.",
            valueName: "text"))
    var token: String?

    @OptionGroup var trust: TrustOption
}

extension ClientRequest {
    /// A request for `target` on a server, whose URL may end in a slash.
    init(
        _ method: Method, _ target: String, at server: String, token: String? = nil,
        trusting authorities: [UInt8]?
    ) {
        self.init(method, server.withoutLastSlash + target, trusting: authorities)
        if let token { fields.append(("Authorization", "Bearer \(token)")) }
    }

    /// Sends the request; throws a sentence if no response comes.
    func response() async throws(CommandFailure) -> ClientResponse {
        do throws(ClientError) {
            return try await Client.send(self)
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

extension String {
    /// The text without the slash at its end, if it has one.
    var withoutLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
