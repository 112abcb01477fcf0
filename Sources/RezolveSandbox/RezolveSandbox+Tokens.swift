// Authorization: partners by API key, people by token (vendor document 4.1 and 4.3). Invariant: the
// signature is checked before the time, so that only a holder of the key learns that a token has
// expired.

import Settings
import Text
import Vendors

extension RezolveSandbox {
    typealias Partner = Configuration.Rezolve.Partner

    /// The partner of a request's API key.
    ///
    /// Throws the vendor's masked error if there is none.
    func partner(of request: RezolveRequest) throws(RezolveRefusal) -> Partner {
        let given = request.apiKey.map { Array($0.utf8) } ?? []
        let partner = partners.first { Array($0.apiKey.utf8).equalsInConstantTime(given) }
        if request.apiKey != nil, let partner { return partner }
        throw .masked(
            .field(
                "invalid_api_key", expected: "x-rezolve-partner-apikey: a partner's API key",
                found: request.apiKey == nil ? "none" : "an unknown key"))
    }

    /// The partner has no key and can't have signed anything.
    static let noAuthKey = Diagnostic.field(
        "partner_without_auth_key", expected: "an API key of a partner who has an auth key",
        found: "a partner without auth_key in the configuration")

    /// Throws the vendor's error for problems of a token, if there are any.
    ///
    /// - Parameter start: offset of the token in its field.
    static func refuse(_ problems: [TokenProblem], at start: Int) throws(RezolveRefusal) {
        if problems.isEmpty { return }
        let reasons = problems.map { problem in
            Diagnostic.field(
                problem.code.rawValue, at: problem.offset.map { $0 + start },
                expected: "Authorization: Bearer and a valid token", found: problem.message)
        }
        throw problems.allSatisfy { $0.code == .expired } ? .expired(reasons) : .masked(reasons)
    }

    /// The partner whose login token the request carries, for the entity and device that it names.
    ///
    /// Throws the vendor's masked error.
    func authorize(_ request: RezolveRequest) throws(RezolveRefusal) -> Partner {
        let partner = try partner(of: request)
        if let id = request.path["partner"], id != partner.id {
            throw .masked(
                .target(
                    "wrong_partner", expected: "the partner of the API key: \(partner.id)",
                    found: Excerpt.quoted(Array(id.utf8)[...])))
        }
        let token = try checkedToken(request, partner)
        if let entity = request.path["entity"], entity != token.claim("rezolve_entity_id") {
            throw .masked(
                .target(
                    TokenProblem.Code.wrongEntityID.rawValue,
                    expected: "the entity of the token",
                    found: "another entity: the token is another user's"))
        }
        return partner
    }

    /// The login token of a request, if it is valid.
    func checkedToken(
        _ request: RezolveRequest, _ partner: Partner
    ) throws(RezolveRefusal) -> RezolveToken {
        guard let sent = request.token else { throw request.withoutToken }
        let inspection = try inspect(sent, of: partner, request, device: request.deviceID)
        var problems = inspection.problems
        if inspection.token.kind != .login {
            problems.append(
                TokenProblem(.wrongKind, "This is a registration token; calls need a login token."))
        }
        try Self.refuse(problems, at: request.tokenOffset)
        let entity = inspection.token.claim("rezolve_entity_id") ?? ""
        guard RezolveEntity.isIssued(entity, by: partner) else {
            throw .masked(
                .field(
                    "unknown_entity",
                    expected: "Authorization: a token of an entity that registration or login gave",
                    found: "an unregistered entity"))
        }
        try checkPerson(of: inspection.token, entity, partner)
        return inspection.token
    }

    /// Throws the vendor's masked error for a token of another person than the one who registered
    /// the entity.
    ///
    /// A token of the test login names the person as the login did, which the entity's id shows.
    private func checkPerson(
        of token: RezolveToken, _ entity: String, _ partner: Partner
    ) throws(RezolveRefusal) {
        guard let registered = persons.person(of: entity) else { return }
        let person = token.claim("partner_entity_id") ?? ""
        if person == registered || RezolveEntity.id(of: person, at: partner) == entity { return }
        throw .masked(Self.wrongPerson)
    }

    /// The entity belongs to another person.
    static let wrongPerson = Diagnostic.field(
        "wrong_partner_entity_id",
        expected: "Authorization: a token whose partner_entity_id is the one that registered the "
            + "entity",
        found: "another partner_entity_id: the token is another user's")

    /// Checks the token of a request to the servers of acts and engagements, which may have none.
    ///
    /// - Parameter entity: whose submissions the request is about.
    package func checkSentToken(
        _ request: RezolveRequest, of entity: String? = nil
    ) throws(RezolveRefusal) {
        if request.authorization == nil { return }
        var request = request
        if request.hasServersToken, let sent = request.token {
            let inspection = try inspect(sent, of: try client(request), request)
            return try Self.refuse(inspection.problems, at: request.tokenOffset)
        }
        if let entity { request.path["entity"] = entity }
        _ = try authorize(request)
    }

    /// The partner of the API key, or the first one if there is no key.
    func client(_ request: RezolveRequest) throws(RezolveRefusal) -> Partner {
        if request.apiKey == nil, let first = partners.first { return first }
        return try partner(of: request)
    }

    /// Inspects a token with a partner's key.
    func inspect(
        _ token: [UInt8], of partner: Partner, _ request: RezolveRequest, device: String? = nil
    ) throws(RezolveRefusal) -> TokenInspection {
        guard let key = partner.authKey else {
            throw .masked(Self.noAuthKey)
        }
        return TokenInspection(token, key: Array(key.utf8), now: request.now, device: device)
    }
}
