// A running server as a source of results.

import HTTPClient
import Server
import Text

/// Queries a server by its API.
struct ServerSource: ResultSource {
    private let server: String
    private let token: String?
    private let authorities: [UInt8]?

    /// - Parameters:
    ///   - server: a URL without a path; it may end in a slash.
    ///   - token: nil if the server requires none.
    ///   - authorities: certificates (PEM) to trust; nil for the system's.
    init(_ server: String, token: String?, trusting authorities: [UInt8]?) {
        self.server = server
        self.token = token
        self.authorities = authorities
    }

    func ask(
        _ query: CommandQuery, handing take: @escaping Client.PartTaker
    ) async throws(CommandFailure) -> ResponseHead {
        var request = self.request(query.method, query.target)
        request.fields.append(("Accept", query.form.rawValue))
        request.limitWaits(to: query.milliseconds)
        do throws(ClientError) {
            return try await Client.send(request, handing: take)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    func importLines(_ parts: FileParts) async throws(CommandFailure) -> ClientResponse {
        var request = self.request(.post, Routes.importPath)
        request.fields.append(("Content-Type", "application/x-ndjson"))
        request.body = .parts(parts)
        request.limitWaits(to: 120_000)
        let answer = try await request.response()
        guard answer.status == 200 else { throw CommandFailure(answer) }
        return answer
    }

    /// The response to a request that isn't about results.
    ///
    /// Throws for a refusal, too, and for a response that isn't Landfall's.
    func answer(
        _ method: ClientRequest.Method, _ path: String,
        _ parameters: [(name: String, value: String?)]
    ) async throws(CommandFailure) -> [UInt8] {
        let given = parameters.compactMap { name, value in value.map { (name: name, value: $0) } }
        let query = given.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        let target = query.isEmpty ? path : "\(path)?\(query)"
        let answer = try await request(method, target).response()
        guard 200...299 ~= answer.status, answer.head.mediaType == "application/json" else {
            throw CommandFailure(answer, parameters: given)
        }
        return answer.body
    }

    func close() async {}

    private func request(_ method: ClientRequest.Method, _ target: String) -> ClientRequest {
        ClientRequest(method, target, at: server, token: token, trusting: authorities)
    }
}
