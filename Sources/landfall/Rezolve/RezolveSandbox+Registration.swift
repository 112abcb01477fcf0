// Registration, as a partner's back end calls it (vendor document 4.2): every check, and an answer
// that tells none of them.
// Invariant: the same e-mail address gives the same entity, whenever it comes.

import JSONText
import PositionedJSON
import Vendors

extension RezolveSandbox {
    /// The contract under which registrations are stored; they are no callbacks.
    static let registrationContract = "rezolve-registration"

    /// `POST /api/v1/authentication/register`.
    ///
    /// - Parameter injected: the refusal that the request asked for.
    func register(_ request: RezolveRequest, _ injected: RezolveRefusal?) -> RezolveAnswer {
        let partner = partner(of: request.apiKey)
        let key = partner?.authKey.map { Array($0.utf8) }
        let inspection = request.bearer.map {
            TokenInspection($0, key: key, now: request.now)
        }
        var answer: RezolveAnswer
        var note = RezolveNote()
        var entity: String?
        do throws(RezolveRefusal) {
            if let injected { throw injected }
            let registered = try entityID(request, partner, inspection)
            entity = registered
            answer = RezolveAnswer(
                body: Self.object([
                    ("entity_id", registered), ("partner_id", partner?.id ?? ""),
                ]))
            note.diagnostics = Self.remarks(partner, inspection)
        } catch {
            answer = error.answer
            note = error.note
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

    /// Checks everything, in the order in which the vendor's server may learn it.
    private func entityID(
        _ request: RezolveRequest, _ partner: Partner?, _ inspection: TokenInspection?
    ) throws(RezolveRefusal) -> String {
        guard request.isJSON else {
            throw .malformed(
                "wrong_content_type",
                "Content-Type must be application/json; it is \(request.contentType == nil ? "missing" : "another")."
            )
        }
        guard let partner else {
            throw .masked(
                "invalid_api_key",
                "x-rezolve-partner-apikey is \(request.apiKey == nil ? "missing" : "of no partner")."
            )
        }
        guard let inspection else {
            throw .masked(
                "token_not_found",
                request.authorization == nil
                    ? "There is no Authorization: Bearer TOKEN."
                    : "Authorization is not of the form Bearer TOKEN.")
        }
        if partner.authKey == nil {
            throw .masked("partner_without_auth_key", "The partner has no auth key to check with.")
        }
        var problems = inspection.problems
        if inspection.token.kind != .registration {
            problems.append(
                TokenProblem(
                    .wrongKind,
                    "This is a login token: registration needs one with rezolve_entity_id :NONE:, "
                        + "not the token of another user."))
        }
        try Self.refuse(problems)
        let body = try Self.jsonObject(request)
        guard let email = body["email"], email.kind != .null else {
            throw .missing(["email"], "missing_email")
        }
        guard let address = email.string, Self.isAddress(address) else {
            throw .registration("invalid_email", "The e-mail address is not valid.")
        }
        return Self.entityID(of: address, partner)
    }

    /// What is odd about a token that is accepted.
    private static func remarks(
        _ partner: Partner?, _ inspection: TokenInspection?
    ) -> [Diagnostic] {
        guard let partner, inspection?.token.claim("partner_entity_id") == partner.id else {
            return []
        }
        let reason = RezolveRefusal.Reason(
            code: "partner_id_as_entity_id",
            sentence: "partner_entity_id is the partner's own id, as in the vendor's samples; the "
                + "vendor's text wants the partner's id of the person.")
        return [reason.diagnostic(.info)]
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
            && !text.contains { $0.isWhitespace }
    }

    /// The content as a JSON object.
    ///
    /// Throws the vendor's refusal of malformed requests.
    static func jsonObject(_ request: RezolveRequest) throws(RezolveRefusal) -> JSONNode {
        guard request.isJSON else {
            throw .malformed("wrong_content_type", "Content-Type must be application/json.")
        }
        do throws(JSONFault) {
            let root = try JSONDocument(parsing: request.body).root
            if root.kind == .object { return root }
        } catch {
            throw .malformed(
                "broken_json",
                "The body is no JSON at byte \(error.offset): expected \(error.expected), found "
                    + "\(error.found).")
        }
        throw .malformed("not_an_object", "The body must be a JSON object.")
    }

    /// An object of texts.
    static func object(_ members: [(String, String)]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            for (name, value) in members { json.member(name, value) }
        }
        return json.bytes
    }
}
