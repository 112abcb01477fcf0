// Answers to acts, held against the act (vendor document 4.5), and what links lead to (4.4).

import PositionedJSON
import Testing

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
            (#"{"merchant_id":252,"category_id":7,"product_id":1041}"#, "product"),
            (#"{"merchant_id":252,"category_id":7}"#, "category"),
            (#"{"engagement_id":"e-tasting"}"#, "act"),
            (#"{"engagement_id":"e-coffee"}"#, "product"),
            (#"{"merchant_id":253,"category_id":7,"product_id":1041}"#, nil),
            (#"{"merchant_id":252,"category_id":7,"product_id":9}"#, nil),
            (#"{"engagement_id":"e-9"}"#, nil), (#"{"kind":"custom_url"}"#, nil),
        ] as [(String, String?)])
    func linksLeadToExactlyOneThingOrNothing(trigger: String, name: String?) throws {
        let node = try JSONDocument(parsing: Array(trigger.utf8)).root
        let text = RezolveSandbox.resolve(node, try sandbox.sandbox.fixtures())
        let payload = try text.map {
            try #require(try JSONDocument(parsing: $0).root["rezolveCustomPayload"])
        }
        let present = payload?.members.filter { $0.value.kind != .null }.map { $0.name.string }
        #expect(present == name.map { [$0] })
    }
}
