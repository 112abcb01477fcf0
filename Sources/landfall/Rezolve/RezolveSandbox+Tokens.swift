// Who may do what: partners by their API key, people by their tokens (vendor document 4.1 and 4.3).
// Invariant: the signature is looked at before the time, so that only who knows the key learns that a
// token has expired.

import Crypto
import FoundationEssentials
import Vendors

extension RezolveSandbox {
    typealias Partner = Configuration.Rezolve.Partner

    /// The partner of an API key; nil where there is none.
    func partner(of apiKey: String?) -> Partner? {
        guard let apiKey else { return nil }
        return partners.first { $0.apiKey == apiKey }
    }

    /// Throws the vendor's answer to problems of a token, if there are any.
    static func refuse(_ problems: [TokenProblem]) throws(RezolveRefusal) {
        if problems.isEmpty { return }
        let reasons = problems.map { RezolveRefusal.Reason($0) }
        throw problems.allSatisfy { $0.code == .expired } ? .expired(reasons) : .masked(reasons)
    }

    /// The partner whose login token a request carries, for the entity and device that it names.
    ///
    /// Throws the vendor's masked refusal.
    func authorize(_ request: RezolveRequest) throws(RezolveRefusal) -> Partner {
        guard let partner = partner(of: request.apiKey) else {
            throw .masked(
                "invalid_api_key",
                "x-rezolve-partner-apikey is \(request.apiKey == nil ? "missing" : "of no partner")."
            )
        }
        if let id = request.path["partner"], id != partner.id {
            throw .masked("wrong_partner", "The path names another partner than the API key's.")
        }
        let token = try checkedToken(request, partner)
        if let entity = request.path["entity"], entity != token.claim("rezolve_entity_id") {
            throw .masked(
                TokenProblem.Code.wrongEntityID.rawValue,
                "The path names another entity than the token: a token of another user.")
        }
        return partner
    }

    /// The login token of a request, when nothing is wrong with it.
    func checkedToken(
        _ request: RezolveRequest, _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveToken {
        guard let bearer = request.bearer else {
            throw .masked("token_not_found", "There is no Authorization: Bearer TOKEN.")
        }
        let inspection = try inspect(bearer, of: partner, request, device: request.deviceID ?? "")
        var problems = inspection.problems
        if inspection.token.kind != .login {
            problems.append(
                TokenProblem(.wrongKind, "This is a registration token; calls need a login token."))
        }
        try Self.refuse(problems)
        return inspection.token
    }

    /// Looks at a token with the key of a partner.
    func inspect(
        _ token: [UInt8], of partner: Partner, _ request: RezolveRequest, device: String? = nil
    ) throws(RezolveRefusal) -> TokenInspection {
        guard let key = partner.authKey else {
            throw .masked("partner_without_auth_key", "The partner has no auth key to check with.")
        }
        return TokenInspection(token, key: Array(key.utf8), now: request.now, device: device)
    }

    /// The entity of a person: the same for the same partner and name, whatever its letter case.
    static func entityID(of name: String, _ partner: Partner) -> String {
        var bytes = Array(
            SHA256.hash(data: Array("\(partner.id)\n\(name.lowercased())".utf8)).prefix(16))
        // Version 8 (RFC 9562 §5.8).
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
        return text
    }
}
