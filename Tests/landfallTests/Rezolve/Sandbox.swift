// A Rezolve sandbox for tests: the shipped fixtures, keys of its own, and a clock that stands still.

import Foundation
import HTTP1
import JSON
import Logging
import Testing
import Vendors

@testable import RezolveSandbox
@testable import Settings
@testable import landfall

struct Sandbox {
    static let now = 1_700_000_000.0
    static let key = String(repeating: "kQ7", count: 30)
    static let partner = Configuration.Rezolve.Partner(
        id: "12", name: "P", apiKey: "api", authKey: key)
    static let keyless = Configuration.Rezolve.Partner(
        id: "13", name: "Q", apiKey: "keyless", authKey: nil)
    static let accented = Configuration.Rezolve.Partner(
        id: "14", name: "R", apiKey: "caf\u{E9}", authKey: nil)

    /// Who is logged in, and somebody else.
    static let entity = RezolveEntity.id(of: "ada@example.com", at: partner) ?? ""
    static let other = RezolveEntity.id(of: "bob@example.com", at: partner) ?? ""

    let sandbox: RezolveSandbox

    init() {
        var configuration = Configuration.Rezolve()
        configuration.partners = [Self.partner, Self.keyless, Self.accented]
        configuration.fixturesFolder = Self.folder
        sandbox = RezolveSandbox(configuration, isOpen: false, log: Logger(label: "test"))
    }

    static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Config/rezolve").path()

    /// A token of a subject, valid for 10 minutes.
    static func token(
        _ subject: RezolveToken.Subject = .newcomer, in seconds: Double = 600, key: String = key
    ) -> String {
        TokenSignature.token(subject, "person-7", now + seconds, Array(key.utf8))
    }

    /// A request with everything that registration needs.
    static func registration(_ body: String = #"{"email":"ada@example.com"}"#) -> RezolveRequest {
        RezolveRequest(
            method: .post, contentType: "application/json; charset=utf-8", apiKey: "api",
            authorization: "Bearer \(token())", body: Array(body.utf8), now: now)
    }

    /// A request of the logged-in entity.
    static func call(
        _ method: Request.Method = .get, _ path: [String: String] = [:],
        query: [(String, String)] = [], _ body: String = ""
    ) -> RezolveRequest {
        RezolveRequest(
            method: method,
            path: path.merging(["partner": "12", "entity": entity]) { own, _ in own },
            query: query.map { ($0.0, $0.1) }, contentType: "application/json", apiKey: "api",
            authorization: "Bearer \(token(.entity(entity, device: "d-1")))", deviceID: "d-1",
            body: Array(body.utf8), now: now)
    }

    /// The answer, with its body read.
    func answer(
        _ call: RezolveCall, _ request: RezolveRequest, _ injected: RezolveRefusal? = nil
    ) throws -> (status: Int, body: JSONNode?, note: RezolveNote?) {
        let answer = try sandbox.answer(call, request, injected)
        let body = answer.body.isEmpty ? nil : try JSONDocument(parsing: answer.body).root
        return (answer.status.code, body, answer.note)
    }
}
