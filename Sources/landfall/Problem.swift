// Errors as clients get them: RFC 9457, with a stable type, a sentence that says what to do, and
// one entry for each thing that is wrong.

import HTTP1
import JSON
import ResultStore

/// An error answer (`application/problem+json`).
struct Problem: Error, Sendable {
    /// One thing that is wrong with a request.
    struct Finding: Sendable {
        /// The parameter, member or part of the path.
        let name: String
        let detail: String
        /// Characters before the fault in the value, where that is known.
        var position: Int?
    }

    let status: Status
    /// The last part of the problem's type.
    let kind: String
    let detail: String
    var findings: [Finding] = []
    var fields: [(name: String, value: String)] = []
    /// Further members, with their JSON text.
    var members: [(name: String, value: [UInt8])] = []

    /// The answer.
    ///
    /// O(size).
    var response: Response {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "urn:landfall:problem:\(kind)")
            json.member("title", status.phrase)
            json.member("status", status.code)
            json.member("detail", detail)
            json.key("errors")
            json.array { json in
                for finding in findings {
                    json.object { json in
                        json.member("name", finding.name)
                        json.member("detail", finding.detail)
                        if let position = finding.position {
                            json.member("position", position)
                        }
                    }
                }
            }
            for member in members {
                json.key(member.name)
                json.raw(member.value)
            }
        }
        var response = Response(
            status, contentType: "application/problem+json", body: json.bytes)
        response.add("Cache-Control", "no-store")
        for field in fields { response.add(field.name, field.value) }
        return response
    }
}

extension Problem {
    /// Nothing is served under this path.
    static let notFound = Problem(
        status: .notFound, kind: "not-found",
        detail: "Nothing is served here; the API's routes begin with /api/v1/.")

    /// The path is served, but not for this method (RFC 9110 §15.5.6).
    static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(
            status: .methodNotAllowed, kind: "method-not-allowed",
            detail: "Use \(allowed) here.", fields: [("Allow", allowed)])
    }

    /// The request is wrong as HTTP.
    init(_ refusal: Refusal) {
        self.init(
            status: refusal.status, kind: Self.kind(of: refusal.status), detail: refusal.detail,
            fields: refusal.field.map { [($0.name, $0.value)] } ?? [])
    }

    private static func kind(of status: Status) -> String {
        String(status.phrase.lowercased().map { $0 == " " ? "-" : $0 })
    }

    /// The store could not do it.
    init(_ error: StoreError) {
        switch error {
        case .full:
            self.init(
                status: .insufficientStorage, kind: "disk-full",
                detail:
                    "The disk is full: the callback was not stored. Make room and send it again.",
                fields: [("Retry-After", "30")])
        case .closed:
            self.init(
                status: .serviceUnavailable, kind: "stopping",
                detail: "The server is stopping: send the request again in a moment.",
                fields: [("Retry-After", "5")])
        case .rebuilding(let done, let total):
            self.init(
                status: .serviceUnavailable, kind: "index-rebuilding",
                detail:
                    "The index is being made anew from the files; callbacks are stored meanwhile. "
                    + "Ask again in a moment.",
                fields: [("Retry-After", "2")],
                members: [
                    ("done_bytes", Array("\(done)".utf8)), ("total_bytes", Array("\(total)".utf8)),
                ])
        case .damaged(let segment, let offset):
            self.init(
                status: .internalServerError, kind: "damaged-record",
                detail:
                    "The stored record is damaged: see byte \(offset) of results/\(segment).")
        case .locked, .file, .syncFailed, .index, .unreadable, .erased:
            self.init(
                status: .internalServerError, kind: "store-failed",
                detail: "The store failed; the server's log says why.")
        }
    }
}
