// The vendor's test server for logins (vendor document 4.7), which its sample apps use.
//
// Invariant: stateless. Any name with a password logs in and always gives the same entity; a token
// stays valid after logging out, as the vendor's do until they expire. Left out: sending the
// confirmation code; any code is accepted.

import Crypto
import Foundation
import JSON
import Vendors

extension RezolveSandbox {
    func account(
        _ call: RezolveCall, _ request: RezolveRequest
    ) throws(RezolveRefusal) -> RezolveResponse {
        switch call {
        case .accountRegistration: return try registerAccount(request)
        case .appVersion: return try appVersion(request)
        case .login: return try logIn(request)
        case .ping: return try ping(request)
        case .clientToken: return try clientToken(request)
        default: return RezolveResponse(body: Array("{}".utf8))
        }
    }

    /// `POST /v2/credentials/register` with phone and password.
    private func registerAccount(_ request: RezolveRequest) throws(RezolveRefusal)
        -> RezolveResponse
    {
        let texts = try Self.texts(["phone", "password"], request)
        let (body, _) = try account(of: texts[0], try client(request))
        return RezolveResponse(status: .created, body: body)
    }

    /// `POST /v2/credentials/login`: the token is in the field `authorization`.
    private func logIn(_ request: RezolveRequest) throws(RezolveRefusal) -> RezolveResponse {
        let texts = try Self.texts(["username", "password", "deviceId"], request)
        let partner = try client(request)
        let (body, entity) = try account(of: texts[0], partner)
        let token = try mint(.entity(entity, device: texts[2]), texts[0], partner, request)
        return RezolveResponse(body: body, fields: [("authorization", token)])
    }

    /// The account of a name, as JSON text, and its entity.
    private func account(
        of name: String, _ partner: Partner
    ) throws(RezolveRefusal) -> (body: [UInt8], entity: String) {
        guard let entity = RezolveEntity.id(of: name, at: partner) else {
            throw .masked(Self.noAuthKey)
        }
        let isAddress = name.contains("@")
        let content = JSONWriter.object { json in
            json.member("id", Self.number(of: name))
            json.member("username", name)
            json.member("firstName", "Sandbox")
            json.member("lastName", "Person")
            json.member("email", isAddress ? name : "person@sandbox.example")
            json.member("phone", isAddress ? "+4400000000" : name)
            json.member("sdkEntity", entity)
            json.member("sdkPartner", partner.id)
            json.member("partnerId", partner.id)
        }
        return (content, entity)
    }

    /// `POST /api/v1/device/appversion`: no version of an app is too old for the sandbox.
    ///
    /// The response is ours: no public client reads the vendor's.
    private func appVersion(_ request: RezolveRequest) throws(RezolveRefusal) -> RezolveResponse {
        let partner = try partner(of: request)
        if request.authorization != nil { _ = try checkedToken(request, partner) }
        let texts = try Self.texts(["platform", "package_name"], request)
        let content = JSONWriter.object { json in
            json.member("platform", texts[0])
            json.member("package_name", texts[1])
            json.member("update_required", false)
        }
        return RezolveResponse(body: content, remarks: request.remarks)
    }

    /// `GET /v2/credentials/ping`: a new token for a valid one.
    private func ping(_ request: RezolveRequest) throws(RezolveRefusal) -> RezolveResponse {
        let partner = try client(request)
        let token = try checkedToken(request, partner)
        guard let entity = token.claim("rezolve_entity_id"), let device = token.claim("device_id"),
            let person = token.claim("partner_entity_id")
        else {
            throw .masked(
                .field(
                    "missing_claim", expected: "a login token with all its claims",
                    found: "a token that lacks one"))
        }
        let fresh = try mint(.entity(entity, device: device), person, partner, request)
        return RezolveResponse(
            body: Self.object([("accessToken", fresh)]), remarks: request.remarks)
    }

    /// `POST /v1/OAuthProxy/token`.
    private func clientToken(_ request: RezolveRequest) throws(RezolveRefusal) -> RezolveResponse {
        let texts = try Self.texts(["clientId", "clientSecret", "apiAudience"], request)
        let token = try mint(.newcomer, texts[0], try client(request), request)
        return RezolveResponse(body: Self.object([("bearerToken", token)]))
    }

    private func mint(
        _ subject: RezolveToken.Subject, _ person: String, _ partner: Partner,
        _ request: RezolveRequest
    ) throws(RezolveRefusal) -> String {
        guard let key = partner.authKey else {
            throw .masked(Self.noAuthKey)
        }
        let expiry = request.now.rounded(.down) + RezolveToken.longestSeconds
        return TokenSignature.token(subject, person, expiry, Array(key.utf8))
    }

    /// Members of the body that must be non-empty strings, in the given order.
    private static func texts(
        _ names: [String], _ request: RezolveRequest
    ) throws(RezolveRefusal) -> [String] {
        let body = try request.jsonObject()
        let texts = names.map { body[$0]?.string ?? "" }
        let missing = zip(names, texts).filter { $0.1.isEmpty }.map(\.0)
        if !missing.isEmpty { throw .missing(missing, in: body) }
        return texts
    }

    /// A number derived from a name: always the same, from 1 to 2^31.
    private static func number(of name: String) -> Int {
        SHA256.hash(data: Array(name.lowercased().utf8)).prefix(4)
            .reduce(0) { $0 << 8 | Int($1) } >> 1 + 1
    }
}
