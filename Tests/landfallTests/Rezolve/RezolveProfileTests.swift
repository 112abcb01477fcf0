// The building blocks of a customer's profile: what they take, what they refuse, and how many.

import HTTP1
import JSON
import Testing

@testable import RezolveSandbox

@Suite struct RezolveProfileTests {
    private let sandbox = Sandbox()

    /// A body that each block takes.
    private static let bodies: [(ProfileBlock, String)] = [
        (
            .addressbook,
            #"{"id":"","line_1":"Lambeth","line_2":"","city":"London","state":"","zip":"SE1","#
                + #""country":"GB","phone_id":1}"#
        ),
        (.phonebook, #"{"name":"Home phone","phone":"555-555-1212"}"#),
        (.wallet, #"{"type":"debit","brand":"visa","expires_on":"0817","address_id":"1"}"#),
        (.favourites, #"{"provider":"AT&T","type":"phone","value":"555499999999"}"#),
        (.profile, #"{"first_name":"Ada","last_name":"L","email":"ada@example.com"}"#),
        (.publickey, #"{"public_key":"MFkw"}"#),
    ]

    private func answer(
        _ block: ProfileBlock, _ method: Request.Method, id: String? = nil, _ body: String = "",
        of entity: String = Sandbox.entity
    ) throws -> (status: Int, body: JSONNode?, note: RezolveNote?) {
        var call = Sandbox.call(method, ["entity": entity], body)
        call.path["entry"] = id
        call.authorization = "Bearer \(Sandbox.token(.entity(entity, device: "d-1")))"
        return try sandbox.answer(id == nil ? .profile(block) : .profileEntry(block), call)
    }

    private func ids(_ block: ProfileBlock) throws -> [String?] {
        let body = try answer(block, .get).body
        return (body?["phones"] ?? body)?.elements.map { $0["id"]?.string } ?? []
    }

    @Test(arguments: bodies)
    func entriesAreCreatedListedChangedAndDeleted(block: ProfileBlock, text: String) throws {
        let created = try answer(block, .post, text)
        let id = try #require(created.body?["id"]?.string)
        #expect(created.status == 201 && id != "1")
        let single = block.shape.isSingle
        if !single { #expect(try ids(block) == ["1", id]) }
        let path = single ? nil : id
        let found = try answer(block, .get, id: path).body
        for name in block.shape.required {
            #expect(found?[name]?.string == created.body?[name]?.string && found?[name] != nil)
        }
        let changed = try answer(block, .put, id: path, text.replacing("A", with: "B"))
        #expect(changed.status == 200 && changed.body?["id"]?.string == id)
        #expect(try answer(block, .delete, id: path).status == 204)
        for method in [Request.Method.get, .delete, .put] {
            #expect(try answer(block, method, id: path, text).status == 404)
        }
        if !single { #expect(try ids(block) == ["1"]) }
    }

    @Test func aProfileIsOneCustomers() throws {
        let created = try answer(.phonebook, .post, #"{"phone":"5"}"#)
        let id = try #require(created.body?["id"]?.string)
        #expect(try answer(.phonebook, .get, id: id, of: Sandbox.other).status == 404)
        var call = Sandbox.call(.get, ["entity": Sandbox.other])
        #expect(try sandbox.answer(.profile(.phonebook), call).status == 403)
        call = Sandbox.call()
        call.authorization = nil
        #expect(try sandbox.answer(.profile(.wallet), call).note?.reason == "token_not_found")
    }

    @Test(
        arguments: [
            (.addressbook, "{}", "missing_parameters", "3"),
            (.phonebook, #"{"phone":" "}"#, "missing_parameters", "3"),
            (.phonebook, #"{"phone":null}"#, "missing_parameters", "3"),
            (.phonebook, #"{"phone":["5"]}"#, "wrong_type", "5"),
            (.phonebook, #"{"phone":"5","fone":"6"}"#, "unknown_member", "5"),
            (.phonebook, "[]", "not_an_object", "5"),
            (
                .phonebook, #"{"phone":"\#(String(repeating: "5", count: 1020))"}"#,
                "entry_too_long", "5"
            ),
            (
                .addressbook,
                #"{"line_1":"a","city":"b","zip":"c","country":"d","phone_id":"9"}"#,
                "unknown_phone_id", "5"
            ),
            (
                .wallet, #"{"type":"debit","brand":"visa","expires_on":"1","address_id":{}}"#,
                "wrong_type", "5"
            ),
        ] as [(ProfileBlock, String, String, String)])
    func wrongEntriesAreRefused(
        block: ProfileBlock, body: String, reason: String, code: String
    ) throws {
        for (method, id) in [(Request.Method.post, nil), (.put, "1")] {
            let (status, answer, note) = try answer(block, method, id: id, body)
            #expect(status == 400 && answer?["code"]?.string == code)
            #expect(note?.reason == reason && note?.diagnostics.first?.part == .body)
        }
        #expect(try ids(block) == ["1"])
    }

    @Test func anEntryKeepsItsId() throws {
        let body = #"{"id":"2","phone":"5"}"#
        #expect(try answer(.phonebook, .put, id: "1", body).note?.reason == "wrong_id")
    }

    @Test func aCardsNumberIsTakenAndNeverKept() throws {
        let card =
            #"{"type":"debit","brand":"visa","expires_on":"0817","pan":"4111111111111111","#
            + #""cvv":"123","pan4":"1111"}"#
        let created = try answer(.wallet, .post, card)
        #expect(created.status == 201 && created.body?["pan4"]?.string == "1111")
        let list = try #require(try answer(.wallet, .get).body?.compactText)
        #expect(!String(decoding: list, as: UTF8.self).contains("4111111111111111"))
    }

    @Test func blocksAndCustomersAreBounded() throws {
        for _ in 1..<RezolveSandbox.Limits.entries {
            #expect(try answer(.phonebook, .post, #"{"phone":"5"}"#).status == 201)
        }
        let full = try answer(.phonebook, .post, #"{"phone":"5"}"#)
        #expect(full.status == 400 && full.note?.reason == "block_full")
        #expect(full.body?["code"]?.string == "6")

        let profiles = RezolveProfiles()
        let owners = (0...RezolveSandbox.Limits.customers).map {
            RezolveProfiles.Owner(partner: "12", entity: "e\($0)")
        }
        for owner in owners {
            #expect(profiles.remove("1", from: .wallet, for: owner) != nil)
            #expect(profiles.remove("1", from: .wallet, for: owner) == nil)
        }
        // The oldest is forgotten, and has its starter again.
        #expect(profiles.entries(of: .wallet, for: owners[0]).count == 1)
        #expect(profiles.entries(of: .wallet, for: owners[1]).isEmpty)
    }

    @Test(arguments: ProfileBlock.allCases)
    func startersAreValid(block: ProfileBlock) throws {
        let starter = block.shape.starter.map { "\"\($0.key)\":\"\($0.value)\"" }
        #expect(try answer(block, .post, "{\(starter.joined(separator: ","))}").status == 201)
    }
}
