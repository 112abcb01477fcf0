// Registration, as a partner's back end calls it (vendor document 4.2): all checks, and a response
// that reveals none of them. Invariant: the same e-mail address always gives the same entity.

import JSON
import Vendors

extension RezolveSandbox {
    /// `POST /api/v1/authentication/register`.
    ///
    /// - Parameter injected: the error of a scenario.
    func register(_ request: RezolveRequest, _ injected: RezolveRefusal?) -> RezolveResponse {
        let partner = try? partner(of: request)
        let key = partner?.authKey.map { Array($0.utf8) }
        let inspection = request.bearer.map {
            TokenInspection($0, key: key, now: request.now)
        }
        var answer: RezolveResponse
        var note = RezolveNote()
        var entity: String?
        do throws(RezolveRefusal) {
            if let injected { throw injected }
            let registered = try entityID(request, inspection)
            if let person = inspection?.token.claim("partner_entity_id"),
                !persons.bind(registered, to: person)
            {
                throw .masked(Self.wrongPerson)
            }
            entity = registered
            answer = RezolveResponse(
                body: Self.object([
                    ("entity_id", registered), ("partner_id", partner?.id ?? ""),
                ]))
            note.diagnostics = Self.remarks(partner, inspection)
        } catch {
            answer = error.answer
            note = answer.note ?? note
        }
        var json = JSONWriter(reservingCapacity: 512)
        json.object { json in
            json.member("kind", "registration")
            json.member("http_status", answer.status.code)
            json.member("reason", note.reason)
            json.member("registered_partner_id", partner?.id)
            json.member("entity_id", entity)
            json.key("token")
            if let inspection {
                json.object { inspection.writeMembers(to: &$0) }
            } else {
                json.null()
            }
        }
        note.value = json.bytes
        answer.note = note
        return answer
    }

    /// Runs all checks, in the order in which the vendor's server would.
    private func entityID(
        _ request: RezolveRequest, _ inspection: TokenInspection?
    ) throws(RezolveRefusal) -> String {
        try request.requireJSON()
        let partner = try partner(of: request)
        guard let inspection else { throw request.withoutToken }
        if partner.authKey == nil { throw .masked(Self.noAuthKey) }
        var problems = inspection.problems
        if inspection.token.kind != .registration {
            problems.append(
                TokenProblem(
                    .wrongKind,
                    "This is a login token: registration needs one with rezolve_entity_id :NONE:, "
                        + "not the token of another user."))
        }
        try Self.refuse(problems, at: request.tokenOffset)
        let body = try request.jsonObject()
        guard let email = body.member("email") else {
            throw .missing(["email"], in: body, code: "missing_email")
        }
        guard let address = email.string, Self.isAddress(address),
            let entity = RezolveEntity.id(of: address, at: partner)
        else {
            throw .registration(
                "The e-mail address is not valid.",
                .body(
                    "invalid_email", about: email, expected: "an e-mail address, with one @",
                    found: email.kind == .string ? "a string that isn't one" : nil))
        }
        return entity
    }

    /// Remarks about an accepted token.
    private static func remarks(
        _ partner: Partner?, _ inspection: TokenInspection?
    ) -> [Diagnostic] {
        guard let partner, inspection?.token.claim("partner_entity_id") == partner.id else {
            return []
        }
        return [
            Diagnostic(
                severity: .info, layer: .model, code: "partner_id_as_entity_id", part: .head,
                expected: "Authorization: a token whose partner_entity_id is the partner's id of "
                    + "the person",
                found: "the partner's own id, as in the vendor's samples")
        ]
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
            && !text.contains { $0.isWhitespace }
    }

    /// An object of strings.
    package static func object(_ members: [(String, String)]) -> [UInt8] {
        JSONWriter.object { json in
            for (name, value) in members { json.member(name, value) }
        }
    }
}
