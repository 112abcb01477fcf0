// Acts: forms that a scan opens, and the answers to them (vendor document 4.5).
// Left out: reading the answers, which `Vendors` does; here they are held against the act.

import JSONText
import PositionedJSON
import Vendors

extension RezolveSandbox {
    /// `GET /v1/act/{act}`.
    func act(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveAnswer {
        try checkSentToken(request)
        guard let row = fixtures.acts[request.path["act"]] else { throw .notFound("The act") }
        return RezolveAnswer(body: row.compact)
    }

    /// `POST /v1/submissions/act/{act}/answers`: 201 when nothing is missing or wrong.
    func submit(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveAnswer {
        try checkSentToken(request)
        guard let row = fixtures.acts[request.path["act"]], let act = row["act"] else {
            throw .notFound("The act")
        }
        if act["isInformationPage"]?.bool == true {
            throw .system("information_page", "An information page takes no answers.")
        }
        let body = try Self.jsonObject(request)
        guard let list = body["answers"], list.kind == .array else { throw .missing(["answers"]) }
        let answers = try Self.answers(list)
        var missing: [String] = []
        for block in act["pageBuildingBlocks"].map({ Array($0.elements) }) ?? [] {
            guard let id = FixtureTable.id(block["id"]) else { continue }
            guard let answer = answers[id], !answer.isEmpty else {
                if block["required"]?.bool == true { missing.append(id) }
                continue
            }
            try Self.check(answer, to: block, id)
        }
        if !missing.isEmpty { throw .missing(missing, "required_question_unanswered") }
        let known = act["pageBuildingBlocks"].map { Array($0.elements) } ?? []
        for id in answers.keys.sorted()
        where !known.contains(where: { FixtureTable.id($0["id"]) == id }) {
            throw .malformed("unknown_question", "The act has no question \(Self.quoted(id)).")
        }
        var json = JSONWriter()
        json.object { json in
            json.member("act_id", FixtureTable.id(row["id"]))
            json.member("entity_id", body["entityId"]?.string)
            json.member("answers", answers.count)
        }
        return RezolveAnswer(status: .created, body: json.bytes, note: RezolveNote())
    }

    /// A token is asked of nobody here, but one that is sent must be right.
    private func checkSentToken(_ request: RezolveRequest) throws(RezolveRefusal) {
        if request.authorization != nil { _ = try authorize(request) }
    }

    /// The answers by question; of two answers to one question the first counts.
    private static func answers(_ list: JSONNode) throws(RezolveRefusal) -> [String: String] {
        var answers: [String: String] = [:]
        for answer in list.elements {
            guard let id = FixtureTable.id(answer["question_id"]) else {
                throw .malformed("missing_question_id", "An answer has no question_id.")
            }
            let text = answer["answer"]
            guard text == nil || text?.kind == .null || text?.string != nil else {
                throw .malformed("wrong_type", "The answer to \(quoted(id)) must be a string.")
            }
            if answers[id] == nil { answers[id] = text?.string ?? "" }
        }
        return answers
    }

    private static func check(
        _ answer: String, to block: JSONNode, _ id: String
    ) throws(RezolveRefusal) {
        switch block["type"]?.string?.lowercased() {
        case "select":
            let options = block["data"]?["selectionOptions"].map { Array($0.elements) } ?? []
            if options.contains(where: { FixtureTable.id($0["value"]) == answer }) { return }
            let isDescription = options.contains { $0["description"]?.string == answer }
            throw .malformed(
                "unknown_option",
                "The answer to \(quoted(id)) must be the value of an option"
                    + (isDescription ? ", not its description." : "."))
        case "datefield":
            if case .date = RezolveDate.read(answer) { return }
            throw .malformed(
                "invalid_date",
                "The answer to \(quoted(id)) must be dd/mm/yyyy hh:mm or yyyy-MM-ddTHH:mm:ss+zzzz.")
        case "header", "paragraph", "divider", "image", "video", "coupon":
            throw .malformed("not_a_question", "The block \(quoted(id)) asks nothing.")
        default: break
        }
    }

    static func quoted(_ text: String) -> String { "\"\(text.prefix(48))\"" }
}
