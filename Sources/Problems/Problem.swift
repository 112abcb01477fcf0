// Errors as clients get them: RFC 9457, with a stable type, a sentence that says what to do, and
// one entry for each error.

import HTTP1
import JSON

/// An error response (`application/problem+json`).
package struct Problem: Error, Sendable {
    /// One error in a request.
    package struct Finding: Sendable {
        /// The parameter, member or part of the path.
        package let name: String
        let detail: String
        /// Characters before the error in the value, if known.
        var position: Int?

        package init(name: String, detail: String, position: Int? = nil) {
            self.name = name
            self.detail = detail
            self.position = position
        }
    }

    package let status: Status
    /// The last component of the problem's type URI.
    package let kind: String
    package let detail: String
    var findings: [Finding]
    package var fields: [(name: String, value: String)]
    /// Additional members, with their JSON text.
    package var members: [(name: String, value: [UInt8])]

    package init(
        status: Status, kind: String, detail: String, findings: [Finding] = [],
        fields: [(name: String, value: String)] = [], members: [(name: String, value: [UInt8])] = []
    ) {
        self.status = status
        self.kind = kind
        self.detail = detail
        self.findings = findings
        self.fields = fields
        self.members = members
    }

    /// The phrase of the status, or the words of the kind if the status has none (RFC 9457 §3.1.3).
    private var title: String {
        guard status.phrase.isEmpty else { return status.phrase }
        return kind.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: " ")
    }

    /// The response.
    ///
    /// O(size).
    package var response: Response { response(in: nil) }

    /// The response to a request of a trace, whose id it names.
    ///
    /// O(size).
    package func response(in trace: String?) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "urn:landfall:problem:\(kind)")
            json.member("title", title)
            json.member("status", status.code)
            json.member("detail", detail)
            json.objects("errors", of: findings) { json, finding in
                json.member("name", finding.name)
                json.member("detail", finding.detail)
                if let position = finding.position {
                    json.member("position", position)
                }
            }
            for member in members {
                json.member(member.name, raw: member.value)
            }
            if let trace { json.member("trace_id", trace) }
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
    package static let notFound = Problem(
        status: .notFound, kind: "not-found",
        detail: "No such route: callbacks are received at /callbacks/VENDOR, and the routes of the "
            + "API begin with /api/v1/.")

    /// The path exists, but not for this method (RFC 9110 §15.5.6).
    package static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(
            status: .methodNotAllowed, kind: "method-not-allowed",
            detail: "Use \(allowed) here.", fields: [("Allow", allowed)])
    }

    /// The request is invalid HTTP.
    package init(_ refusal: Refusal) {
        self.init(
            status: refusal.status, kind: Self.kind(of: refusal.status), detail: refusal.detail,
            fields: refusal.field.map { [($0.name, $0.value)] } ?? [])
    }

    private static func kind(of status: Status) -> String {
        String(status.phrase.lowercased().map { $0 == " " ? "-" : $0 })
    }
}

extension StaticResource {
    /// The response to a request for the file; throws a problem for invalid conditions or ranges.
    package func response(to request: Request) throws(Problem) -> Response {
        do throws(Refusal) {
            return try respond(to: request)
        } catch {
            throw Problem(error)
        }
    }
}

extension Connection {
    /// The body of a request; throws a problem if it is too large or incomplete.
    package mutating func content(upTo limit: Int) async throws(Problem) -> [UInt8] {
        do throws(BodyFailure) {
            return try await readBody(upTo: limit)
        } catch {
            switch error {
            case .refused(let refusal): throw Problem(refusal)
            case .disconnected: throw Problem(.incompleteBody)
            }
        }
    }
}

extension Refusal {
    /// The peer closed before its body was complete (RFC 9112 §8).
    package static let incompleteBody = Refusal(
        .badRequest, "The connection ended before the body was complete.")
}
