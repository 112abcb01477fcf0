// Makes trips to a running server over HTTP.

import Emulator
import Foundation
import HTTPClient
import Text

/// Makes trips to one server, one after the other.
struct TripRunner: Sendable {
    private let server: String
    private let token: String?
    private let authorities: [UInt8]?

    init(_ server: String, token: String?, trusting authorities: [UInt8]?) {
        self.server = server
        self.token = token
        self.authorities = authorities
    }

    /// Makes one trip; throws a sentence if the server can't be reached or refuses.
    func run(_ plan: TripPlan) async throws(CommandFailure) -> TripReport {
        do throws(TripFailure) {
            return try await plan.run { request async throws(TripFailure) in
                try await send(request)
            }
        } catch {
            if error.description.isEmpty { throw .exit(Exit.no) }
            let sentence = error.description.split(separator: "\n").map {
                TerminalText.visible(String($0))
            }.joined(separator: "\n")
            switch error.status {
            case 400: throw CommandFailure(usage: sentence)
            // The vendor's app would refuse the launch.
            case 422: throw CommandFailure(no: sentence)
            default: throw CommandFailure(sentence)
            }
        }
    }

    private func send(_ step: TripRequest) async throws(TripFailure) -> TripResponse {
        if step.after > .zero {
            try? await Task.sleep(for: step.after)
            if Task.isCancelled { throw TripFailure("") }
        }
        var request = ClientRequest(
            step.method == "POST" ? .post : .get, step.target, at: server,
            token: step.isCallback ? nil : token, trusting: authorities)
        if !step.isCallback { request.fields.append(("Accept", "application/json")) }
        if let type = step.contentType { request.fields.append(("Content-Type", type)) }
        if !step.body.isEmpty { request.body = .bytes(step.body) }
        let answer: ClientResponse
        do throws(ClientError) {
            answer = try await Client.send(request)
        } catch {
            throw TripFailure("\(error)")
        }
        // An emulated app may answer 401 too; the launch is made by the server's API.
        if case .launch = step.purpose, answer.status == 401 {
            throw TripFailure("\(CommandFailure(answer))")
        }
        return TripResponse(status: answer.status, body: answer.body)
    }
}
