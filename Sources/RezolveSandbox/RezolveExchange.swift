// Requests to the Rezolve sandbox and its responses, without sockets and stores.

import HTTP1
import LinkPatterns
import Vendors

/// A request to the sandbox.
package struct RezolveRequest: Sendable {
    package var method = Request.Method.get
    /// The path parameters of the route.
    package var path: [String: String] = [:]
    /// The query, decoded; of repeated names, the first is used.
    package var query: [(name: String, value: String)] = []
    package var contentType: String?
    /// `x-rezolve-partner-apikey`.
    package var apiKey: String?
    package var authorization: String?
    /// `x-rezolve-device-id`.
    package var deviceID: String?
    /// `scenario` of the query, or `Landfall-Scenario`.
    package var scenario: String?
    package var body: [UInt8] = []
    /// Seconds since 1970.
    package var now = 0.0

    package subscript(name: String) -> String? { query.first { $0.name == name }?.value }
}

extension RezolveRequest {
    /// Takes a request with its complete body.
    package init(_ request: Request, _ parameters: Parameters?, body: [UInt8], now: Double) {
        let text = { (name: FieldName) in
            request.first(name).map { String(decoding: $0, as: UTF8.self) }
        }
        method = request.method
        for capture in parameters?.captures ?? [] { path[capture.name] = capture.value }
        if let query = request.query {
            self.query = (Link(path: [], query: query)?.query ?? []).map {
                ($0.name, $0.value ?? "")
            }
        }
        contentType = text(.contentType)
        apiKey = text(.rezolveAPIKey)
        authorization = text(.authorization)
        deviceID = text(.rezolveDevice)
        scenario = self["scenario"] ?? text(.scenario)
        self.body = body
        self.now = now
    }

    /// The token of `Authorization: Bearer`; nil without one.
    var bearer: [UInt8]? {
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else { return nil }
        let token = authorization.dropFirst(7).drop { $0 == " " }
        return token.isEmpty ? nil : Array(token.utf8)
    }

    /// The token, also without `Bearer`: clients send the login's field back as it is.
    var token: [UInt8]? {
        if let bearer { return bearer }
        guard let authorization, !authorization.isEmpty, !authorization.contains(" ") else {
            return nil
        }
        return Array(authorization.utf8)
    }

    /// Offset of the token in `Authorization`.
    var tokenOffset: Int { (authorization?.utf8.count ?? 0) - (token?.count ?? 0) }

    /// Whether the token is one of `OAuthProxy/token`, which belongs to a server: it comes without
    /// API key, and names no entity.
    var hasServersToken: Bool {
        token.flatMap { RezolveToken($0).claim("rezolve_entity_id") } == RezolveToken.noEntity
    }

    /// Remarks about an accepted call: what the vendor's documents require of a token, and real
    /// clients leave out.
    package var remarks: [Diagnostic] {
        if authorization == nil { return [] }
        var remarks: [Diagnostic] = []
        if bearer == nil {
            remarks.append(
                .field(
                    "token_without_bearer", .info, expected: "Authorization: Bearer TOKEN",
                    found: "the token alone"))
        }
        if deviceID == nil, !hasServersToken {
            remarks.append(
                .field(
                    "missing_device_id", .info,
                    expected: "x-rezolve-device-id: the deviceId of the login", found: "none"))
        }
        return remarks
    }

    /// The error for a request without a required token.
    var withoutToken: RezolveRefusal {
        .masked(
            .field(
                "token_not_found", expected: "Authorization: Bearer TOKEN",
                found: authorization == nil ? "none" : "a value in another form"))
    }
}

extension FieldName {
    fileprivate static let rezolveAPIKey = FieldName("x-rezolve-partner-apikey")
    fileprivate static let rezolveDevice = FieldName("x-rezolve-device-id")
    fileprivate static let scenario = FieldName("landfall-scenario")
}

/// A response of the sandbox.
package struct RezolveResponse: Sendable {
    package var status = Status.ok
    /// JSON text; empty for 204.
    package var body: [UInt8] = []
    package var fields: [(name: String, value: String)] = []
    /// What is stored in addition to the request; nil if nothing is stored.
    package var note: RezolveNote?
    /// What is only logged about an accepted request.
    package var remarks: [Diagnostic] = []

    /// The HTTP response.
    package var response: Response {
        var response =
            body.isEmpty
            ? Response(status) : Response(status, contentType: "application/json", body: body)
        response.add("Cache-Control", "no-store")
        for field in fields { response.add(field.name, field.value) }
        return response
    }
}

/// What the sandbox knows about a request but the vendor would not reveal.
package struct RezolveNote: Sendable {
    /// The JSON text of the value; nil keeps the decoded one.
    package var value: [UInt8]?
    package var isRefused = false
    /// The reasons; a decoder can't find them without keys, clock and fixtures.
    package var diagnostics: [Diagnostic] = []

    package init(
        value: [UInt8]? = nil, isRefused: Bool = false, diagnostics: [Diagnostic] = []
    ) {
        self.value = value
        self.isRefused = isRefused
        self.diagnostics = diagnostics
    }

    /// The first reason of a refusal.
    package var reason: String? { isRefused ? diagnostics.first?.code : nil }
}
