// Answers to acts, held against the act (vendor document 4.5), and what links lead to (4.4).

import JSON
import Testing

@testable import LinkHosting
@testable import ResultAPI
@testable import RezolveSandbox
@testable import landfall

@Suite struct RezolveActTests {
    private let sandbox = Sandbox()

    private func submit(_ answers: String, to act: String = "act-tasting") throws -> (Int, String?)
    {
        let (status, _, note) = try sandbox.answer(
            .answers,
            RezolveRequest(
                method: .post, path: ["act": act], contentType: "application/json",
                body: Array(#"{"entityId":"e-1","answers":\#(answers)}"#.utf8), now: Sandbox.now))
        return (status, note?.reason)
    }

    private static func answers(_ drink: String, _ when: String, note: String = "") -> String {
        """
        [{"question_id":"q-name","answer":"Ada"},{"question_id":"q-drink","answer":"\(drink)"},
        {"question_id":"q-when","answer":"\(when)"}\(note)]
        """
    }

    @Test(arguments: ["24/12/2026 18:30", "2026-12-24T18:30:00+0100"])
    func bothFormsOfDatesAreAccepted(date: String) throws {
        #expect(try submit(Self.answers("2", date)) == (201, nil))
    }

    @Test(arguments: [
        ("[]", "required_question_unanswered"),
        (answers("", "24/12/2026 18:30"), "required_question_unanswered"),
        (answers("  ", "24/12/2026 18:30"), "required_question_unanswered"),
        (answers("4", "24/12/2026 18:30"), "unknown_option"),
        (answers("Espresso", "24/12/2026 18:30"), "unknown_option"),
        (answers("2", "12/24/2026 18:30"), "invalid_date"), (answers("2", "soon"), "invalid_date"),
        (
            answers("2", "24/12/2026 18:30", note: #",{"question_id":"q-9","answer":"x"}"#),
            "unknown_question"
        ),
        (
            answers("2", "24/12/2026 18:30", note: #",{"question_id":"b-title","answer":"x"}"#),
            "not_a_question"
        ),
        (answers("2", "24/12/2026 18:30", note: ",{}"), "missing_question_id"),
        (
            answers("2", "24/12/2026 18:30", note: #",{"question_id":"q-note","answer":1}"#),
            "wrong_type"
        ),
        ("{}", "missing_parameters"), ("[", "broken_json"),
    ])
    func whatDoesNotFitTheActIsRefused(answers: String, reason: String) throws {
        #expect(try submit(answers) == (400, reason))
    }

    @Test(
        arguments: [
            ("7", "wrong_type"), ("[]", "wrong_type"), ("true", "wrong_type"), ("null", nil),
        ] as [(String, String?)])
    func anEntityIsATextOrNull(entity: String, reason: String?) throws {
        let body = #"{"entityId":\#(entity),"answers":\#(Self.answers("2", "24/12/2026 18:30"))}"#
        let (status, _, note) = try sandbox.answer(
            .answers,
            RezolveRequest(
                method: .post, path: ["act": "act-tasting"], contentType: "application/json",
                body: Array(body.utf8), now: Sandbox.now))
        #expect(status == (reason == nil ? 201 : 400) && note?.reason == reason)
        #expect(note?.diagnostics.first?.pointer == reason.map { _ in "/entityId" })
    }

    @Test func informationPagesTakeNoAnswers() throws {
        #expect(try submit("[]", to: "act-opening-hours") == (400, "information_page"))
        #expect(try submit("[]", to: "act-9") == (404, "not_found"))
    }

    @Test func actsAreFetchedByTheirIdWithARightTokenOrNone() throws {
        var request = RezolveRequest(path: ["act": "act-tasting"])
        let act = try sandbox.answer(.act, request)
        #expect(act.status == 200 && act.body?["act"]?["questions"]?.count == 4)
        request.authorization = "Bearer x"
        #expect(try sandbox.answer(.act, request).status == 403)
        request = Sandbox.call(.get, ["act": "act-tasting"])
        #expect(try sandbox.answer(.act, request).status == 200)
    }

    @Test(
        arguments: [
            (#"{"question_id":"q-drink","answer":"Tea"}"#, "unknown_option", "/answers/1/answer"),
            (#"{"question_id":"q-when","answer":"soon"}"#, "invalid_date", "/answers/1/answer"),
            (#"{"question_id":"q-9","answer":"x"}"#, "unknown_question", "/answers/1/question_id"),
            (#"{"question_id":"q-note","answer":7}"#, "wrong_type", "/answers/1/answer"),
        ] as [(String, String, String)])
    func whatIsWrongHasItsPlaceInTheBody(answer: String, code: String, pointer: String) throws {
        let full =
            #"{"answers":[{"question_id":"q-name","answer":"Ada"},\#(answer),"#
            + #"{"question_id":"q-drink","answer":"2"},"#
            + #"{"question_id":"q-when","answer":"24/12/2026 18:30"}]}"#
        let note = try sandbox.answer(
            .answers,
            RezolveRequest(
                method: .post, path: ["act": "act-tasting"], contentType: "application/json",
                body: Array(full.utf8), now: Sandbox.now)
        ).note
        let finding = try #require(note?.diagnostics.first)
        #expect(finding.code == code && finding.part == .body && finding.pointer == pointer)
        let root = try JSONDocument(parsing: Array(full.utf8)).root
        let name = String(pointer.split(separator: "/").last ?? "")
        let place = root["answers"]?[1]?[name]?.byteRange.lowerBound
        #expect(finding.offset == place && place != nil)
    }

    // MARK: Links

    private func goal(_ trigger: String) throws -> RezolveGoal? {
        let node = try JSONDocument(parsing: Array(trigger.utf8)).root
        return RezolveGoal(of: node, try sandbox.sandbox.fixtures(), partners: ["12", "13"])
    }

    private static func link(_ partner: Int, _ merchant: Int, _ category: Int, _ product: Int?)
        -> String
    {
        let kind = product == nil ? "category" : "product"
        let rest = product.map { #","product_id":\#($0)"# } ?? ""
        return #"{"kind":"\#(kind)","partner_id":\#(partner),"merchant_id":\#(merchant),"#
            + #""category_id":\#(category)\#(rest)}"#
    }

    @Test(
        arguments: [
            (link(12, 252, 7, 1041), "product"), (link(12, 252, 7, nil), "category"),
            (#"{"kind":"engagement","engagement_id":"e-tasting"}"#, "act"),
            (#"{"kind":"engagement","engagement_id":"e-coffee"}"#, "product"),
        ])
    func linksLeadToExactlyOneThing(trigger: String, name: String) throws {
        let goal = try #require(try goal(trigger))
        let root = try JSONDocument(parsing: try #require(goal.json)).root
        let present = root["rezolveCustomPayload"]?.members.filter { $0.value.kind != .null }
        #expect(present?.map { $0.name.string } == [name])
        #expect(goal.diagnostics.isEmpty)
    }

    @Test(arguments: [
        (link(99, 252, 7, 1041), "unknown_partner"), (link(12, 9, 7, 1041), "unknown_merchant"),
        (link(12, 253, 7, 1041), "unknown_category"), (link(12, 252, 8, 1041), "unknown_product"),
        (link(12, 252, 7, 9), "unknown_product"), (link(12, 252, 99, nil), "unknown_category"),
        (#"{"kind":"engagement","engagement_id":"e-9"}"#, "unknown_engagement"),
    ])
    func idsThatDontBelongTogetherLeadNowhereAndAreNamed(trigger: String, code: String) throws {
        let goal = try #require(try goal(trigger))
        #expect(goal.json == nil && goal.diagnostics.map(\.code) == [code])
        #expect(goal.diagnostics.allSatisfy { $0.severity == .info })
    }

    @Test(arguments: [
        #"{"kind":"bad_trigger","partner_id":12,"merchant_id":252,"category_id":7}"#,
        #"{"kind":"custom_url","engagement_id":"e-coffee"}"#, "{}",
    ])
    func badTriggersAndOtherLinksLeadNowhere(trigger: String) throws {
        #expect(try goal(trigger) == nil)
    }

    @Test func theCustomURLOfAnActIsClassified() throws {
        let goal = try #require(try goal(#"{"kind":"engagement","engagement_id":"e-recipes"}"#))
        let root = try JSONDocument(parsing: try #require(goal.json)).root
        #expect(root["custom_url"]?["kind"]?.string == "custom_url")
        #expect(root["custom_url"]?["url"]?.string == "https://grocers.example/recipes")
    }
}
