// Registration: what the vendor's server says, which is little, and what is stored, which is all
// (vendor document 4.1 to 4.3).

import HTTP1
import JSON
import Testing
import Vendors

@testable import Problems
@testable import ResultAPI
@testable import RezolveSandbox
@testable import landfall

@Suite struct RezolveRegistrationTests {
    private let sandbox = Sandbox()

    /// A request with one thing wrong with it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let reason: String
        let status: Int
        let code: String
        let change: @Sendable (inout RezolveRequest) -> Void

        var testDescription: String { reason }

        init(
            _ reason: String, _ status: Int, _ code: String,
            _ change: @escaping @Sendable (inout RezolveRequest) -> Void
        ) {
            self.reason = reason
            self.status = status
            self.code = code
            self.change = change
        }

        init(_ reason: String, _ status: Int, token: String) {
            self.init(reason, status, status == 401 ? "8" : "1") {
                $0.authorization = "Bearer \(token)"
            }
        }
    }

    static let wrongs = [
        Wrong("wrong_content_type", 400, "5") { $0.contentType = "text/plain" },
        Wrong("wrong_content_type", 400, "5") { $0.contentType = nil },
        Wrong("invalid_api_key", 403, "1") { $0.apiKey = nil },
        Wrong("invalid_api_key", 403, "1") { $0.apiKey = "another" },
        // An é as another sequence of bytes.
        Wrong("invalid_api_key", 403, "1") { $0.apiKey = "cafe\u{301}" },
        Wrong("partner_without_auth_key", 403, "1") { $0.apiKey = "caf\u{E9}" },
        Wrong("token_not_found", 403, "1") { $0.authorization = nil },
        Wrong("token_not_found", 403, "1") { $0.authorization = "Basic eDp5" },
        Wrong("token_not_found", 403, "1") { $0.authorization = "Bearer " },
        Wrong("partner_without_auth_key", 403, "1") { $0.apiKey = "keyless" },
        Wrong("not_three_parts", 403, token: "abc"),
        Wrong("bad_signature", 403, token: Sandbox.token(key: "another key")),
        Wrong("wrong_kind", 403, token: Sandbox.token(.entity("e-1", device: "d"))),
        Wrong("expired", 401, token: Sandbox.token(in: 0)),
        Wrong("expired", 401, token: Sandbox.token(in: -7200)),
        Wrong("expiry_too_far", 403, token: Sandbox.token(in: 1801)),
        // Who doesn't know the key doesn't learn that it has expired.
        Wrong("bad_signature", 403, token: Sandbox.token(in: -1, key: "another key")),
        Wrong("missing_email", 400, "3") { $0.body = Array("{}".utf8) },
        Wrong("missing_email", 400, "3") { $0.body = Array(#"{"email":null}"#.utf8) },
        Wrong("invalid_email", 400, "2") { $0.body = Array(#"{"email":"ada"}"#.utf8) },
        Wrong("invalid_email", 400, "2") { $0.body = Array(#"{"email":5}"#.utf8) },
        Wrong("broken_json", 400, "5") { $0.body = Array(#"{"email":"#.utf8) },
        Wrong("broken_json", 400, "5") { $0.body = [] },
        Wrong("not_an_object", 400, "5") { $0.body = Array("[]".utf8) },
    ]

    /// Word for word (vendor document 4.3).
    private static let messages = [
        "1": "Access is denied.", "2": "Registration failed.",
        "3": "Missing required parameters in request body. Required: email",
        "4": "Requested resource not found", "5": "Incorrect or malformed parameters",
        "7":
            "Our apologies for the temporary inconvenience. The requested URL generated 503 Service "
            + "Unavailable error due to overloading or maintenance of the server.",
        "8": "Your token has expired, refresh your token and try again.",
    ]

    @Test(arguments: wrongs) func errorsHaveTheVendorsWords(wrong: Wrong) throws {
        var request = Sandbox.registration()
        wrong.change(&request)
        let body = try #require(try sandbox.answer(.registration, request).body)
        #expect(body["message"]?.string == Self.messages[wrong.code])
        let explains = body["errors"]?[0]?["detail"] != nil
        #expect(explains == ["2", "5"].contains(wrong.code))
    }

    @Test(arguments: [("error:404", "4"), ("error:503", "7"), ("error:401", "8")])
    func injectedErrorsHaveTheVendorsWordsToo(scenario: String, code: String) throws {
        let refusal = try RezolveSandbox.refusal(for: scenario)
        let body = try sandbox.answer(.registration, Sandbox.registration(), refusal).body
        #expect(body?["code"]?.string == code)
        #expect(body?["message"]?.string == Self.messages[code])
    }

    @Test func aTokenOfAnotherPersonIsRefused() throws {
        #expect(try sandbox.answer(.registration, Sandbox.registration()).status == 200)
        #expect(try sandbox.answer(.merchants, Sandbox.call()).status == 200)
        let subject = RezolveToken.Subject.entity(Sandbox.entity, device: "d-1")
        func status(_ person: String) throws -> Int {
            var call = Sandbox.call()
            call.authorization =
                "Bearer "
                + TokenSignature.token(
                    subject, person, Sandbox.now + 600, Array(Sandbox.key.utf8))
            return try sandbox.answer(.merchants, call).status
        }
        #expect(try status("person-8") == 403)
        // The test login names the person by the name that the entity was made of.
        #expect(try status("ADA@example.com") == 200)
        #expect(try status("bob@example.com") == 403)
    }

    @Test func theEntitiesOfPersonsAreBounded() {
        let persons = RezolvePersons()
        for number in 0...RezolvePersons.limit {
            #expect(persons.bind("e\(number)", to: "p\(number)"))
        }
        #expect(persons.person(of: "e0") == nil)
        #expect(persons.person(of: "e\(RezolvePersons.limit)") == "p\(RezolvePersons.limit)")
        #expect(persons.bind("e5000", to: "p5000") && !persons.bind("e5000", to: "other"))
        #expect(persons.person(of: "e5000") == "p5000")
    }

    @Test func anEntityStaysWithThePersonWhoRegisteredIt() throws {
        #expect(try sandbox.answer(.registration, Sandbox.registration()).status == 200)
        var request = Sandbox.registration()
        let token = TokenSignature.token(
            .newcomer, "person-8", Sandbox.now + 60, Array(Sandbox.key.utf8))
        request.authorization = "Bearer \(token)"
        let (status, body, note) = try sandbox.answer(.registration, request)
        #expect(status == 403 && body?["code"]?.string == "1" && body?["entity_id"] == nil)
        #expect(body?["message"]?.string == "Access is denied.")
        #expect(note?.reason == "wrong_partner_entity_id")
        #expect(try sandbox.answer(.merchants, Sandbox.call()).status == 200)
    }

    @Test func theLetterCaseOfAnEntityIsNoWayAroundItsPerson() throws {
        #expect(try sandbox.answer(.registration, Sandbox.registration()).status == 200)
        let entity = Sandbox.entity.uppercased()
        var call = Sandbox.call(.get, ["entity": entity])
        let token = TokenSignature.token(
            .entity(entity, device: "d-1"), "person-8", Sandbox.now + 600, Array(Sandbox.key.utf8))
        call.authorization = "Bearer \(token)"
        let (status, _, note) = try sandbox.answer(.merchants, call)
        #expect(status == 403 && note?.reason == "unknown_entity")
    }

    @Test(arguments: wrongs) func whatIsWrongIsMaskedAndStored(wrong: Wrong) throws {
        var request = Sandbox.registration()
        wrong.change(&request)
        let (status, body, note) = try sandbox.answer(.registration, request)
        #expect(status == wrong.status)
        #expect(body?["code"]?.string == wrong.code)
        let only = try #require(body?["errors"]?[0])
        for name in ["type", "code", "message"] {
            #expect(only[name]?.string == body?[name]?.string && only[name] != nil)
        }
        #expect(body?["errors"]?.count == 1)
        #expect(note?.reason == wrong.reason && note?.isRefused == true)
        #expect(note?.diagnostics.first?.code == wrong.reason)
        let value = try JSONDocument(parsing: try #require(note?.value)).root
        #expect(value["reason"]?.string == wrong.reason)
        #expect(value["http_status"]?.int == wrong.status)
        if status == 403 {
            #expect(body?["message"]?.string == "Access is denied.")
            #expect(body?["type"]?.string == "Authentication")
        }
    }

    @Test func aRightRequestGetsTheSameEntityForTheSameAddress() throws {
        let (status, body, note) = try sandbox.answer(.registration, Sandbox.registration())
        #expect(status == 200)
        let entity = try #require(body?["entity_id"]?.string)
        #expect(body?["partner_id"]?.string == "12")
        #expect(note?.isRefused == false && note?.diagnostics.isEmpty == true)
        let again = try sandbox.answer(
            .registration, Sandbox.registration(#"{"email":"ADA@example.com","name":"Ada"}"#))
        #expect(again.body?["entity_id"]?.string == entity)
        let other = try sandbox.answer(
            .registration, Sandbox.registration(#"{"email":"bob@example.com"}"#))
        #expect(other.body?["entity_id"]?.string != entity)
    }

    @Test func aFractionInTheExpiryIsAccepted() throws {
        var request = Sandbox.registration()
        request.authorization = "bearer \(Sandbox.token(in: 599.25))"
        #expect(try sandbox.answer(.registration, request).status == 200)
    }

    @Test func thePartnersOwnIdAsTheEntityIsRemarkedOn() throws {
        var request = Sandbox.registration()
        let token = TokenSignature.token(
            .newcomer, "12", Sandbox.now + 60, Array(Sandbox.key.utf8))
        request.authorization = "Bearer \(token)"
        let (status, _, note) = try sandbox.answer(.registration, request)
        #expect(status == 200)
        #expect(note?.diagnostics.map(\.code) == ["partner_id_as_entity_id"])
    }

    @Test func nothingStoredHoldsTokenOrKey() throws {
        for wrong in Self.wrongs {
            var request = Sandbox.registration()
            wrong.change(&request)
            let note = try sandbox.answer(.registration, request).note
            let stored =
                String(decoding: note?.value ?? [], as: UTF8.self)
                + (note?.diagnostics.map(\.found).joined() ?? "")
            let signature = request.authorization?.split(separator: ".").last ?? "-"
            if signature.count > 20 { #expect(!stored.contains(signature)) }
            #expect(!stored.contains(Sandbox.key) && !stored.contains("ada@example.com"))
        }
    }

    @Test(arguments: [
        ("error:401", 401), ("error:403", 403), ("error:503", 503), ("error:404", 404),
    ])
    func faultsComeWhenTheyAreAskedFor(scenario: String, status: Int) throws {
        let refusal = try #require(try RezolveSandbox.refusal(for: scenario))
        let answer = try sandbox.answer(.registration, Sandbox.registration(), refusal)
        #expect(answer.status == status && answer.note?.reason == "injected")
        #expect(try sandbox.answer(.merchants, Sandbox.call(), refusal).status == status)
        #expect(RezolveSandbox.scenarioNames.contains(scenario))
    }

    @Test func aScenarioOfNoKnownNameIsAProblem() throws {
        #expect(try RezolveSandbox.refusal(for: "completed") == nil)
        #expect(throws: Problem.self) { try RezolveSandbox.refusal(for: "error:418") }
        #expect(throws: Problem.self) { try RezolveSandbox.refusal(for: "silent") }
    }

    @Test func aBrokenBodyHasTheByteWhereItBreaks() throws {
        let request = Sandbox.registration(#"{"email":"ada@example.com",}"#)
        let finding = try sandbox.answer(.registration, request).note?.diagnostics.first
        #expect(finding?.layer == .json && finding?.part == .body && finding?.offset == 26)
        #expect(finding?.expected.isEmpty == false)
    }

    @Test func aProblemOfATokenHasItsPlaceInTheField() throws {
        var request = Sandbox.registration()
        let token = "e30.e30.ab+d"
        request.authorization = "Bearer \(token)"
        let findings = try sandbox.answer(.registration, request).note?.diagnostics ?? []
        let problems = TokenInspection(
            Array(token.utf8), key: Array(Sandbox.key.utf8), now: Sandbox.now
        ).problems
        let places = problems.compactMap(\.offset).map { $0 + "Bearer ".utf8.count }
        #expect(findings.compactMap(\.offset) == places && !places.isEmpty)
        #expect(findings.allSatisfy { $0.part == .head })
    }

    @Test func entitiesAreThoseThatWereGivenOut() {
        #expect(RezolveEntity.isIssued(Sandbox.entity, by: Sandbox.partner))
        #expect(Sandbox.entity == RezolveEntity.id(of: "ADA@example.com", at: Sandbox.partner))
        #expect(!RezolveEntity.isIssued(Sandbox.entity, by: Sandbox.keyless))
        var forged = Array(Sandbox.entity)
        forged[0] = forged[0] == "0" ? "1" : "0"
        let longer = Sandbox.entity + "0"
        for id in ["ghost", "", String(forged), longer, String(Sandbox.entity.dropLast())] {
            #expect(!RezolveEntity.isIssued(id, by: Sandbox.partner))
        }
    }
}
