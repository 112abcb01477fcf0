// Engagements, and acts: forms that a scan opens, and their submissions (vendor document 4.5). Left
// out: decoding a submission, which `Vendors` does; here it is checked against the act. Every
// engagement is near every place.

import JSON
import Vendors

extension RezolveSandbox {
    /// `GET /v1/act/{act}`.
    func act(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        try checkSentToken(request)
        return RezolveResponse(body: try actRow(request, fixtures).compactText)
    }

    /// `POST /v1/submissions/act/{act}/answers`: 201 if the submission is complete and valid.
    func submit(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        try checkSentToken(request)
        let row = try actRow(request, fixtures)
        if row["act"]?["isInformationPage"]?.bool == true {
            throw .system(
                "An information page takes no answers.",
                .target(
                    "information_page", expected: "an act with questions",
                    found: "an information page"))
        }
        let body = try request.jsonObject()
        if let entity = body.member("entityId") {
            guard let id = entity.string else {
                throw .malformed(.body("wrong_type", about: entity, expected: "a string or null"))
            }
            try checkSentToken(request, of: id)
        }
        guard let list = body["answers"], list.kind == .array else {
            throw .missing(["answers"], in: body)
        }
        let answers = try Self.answers(list)
        let blocks = row["act"]?.elements(of: "pageBuildingBlocks") ?? []
        let missing = blocks.filter { $0["required"]?.bool == true }
            .compactMap { FixtureTable.id($0["id"]) }
            .filter { id in answers.first { $0.id == id }?.text == nil }
        if !missing.isEmpty {
            throw .missing(missing, in: list, code: "required_question_unanswered")
        }
        for answer in answers {
            guard let block = blocks.first(where: { FixtureTable.id($0["id"]) == answer.id }) else {
                throw .malformed(
                    .body(
                        "unknown_question", about: answer.node["question_id"] ?? answer.node,
                        expected: "the id of a block of the act"))
            }
            try answer.check(against: block)
        }
        let content = JSONWriter.object { json in
            json.member("act_id", FixtureTable.id(row["id"]))
            json.member("entity_id", body["entityId"]?.string)
            json.member("answers", answers.count)
        }
        return RezolveResponse(status: .created, body: content, note: RezolveNote())
    }

    /// `GET /v1/Engagements/geolocation/triggered`: the engagements around a place.
    func nearbyEngagements(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        try checkSentToken(request)
        for (name, range) in [("latitude", -90.0...90), ("longitude", -180.0...180)] {
            guard let text = request["area.center.\(name)"] else { continue }
            guard let number = Double(text), range.contains(number) else {
                throw .malformed(
                    .target(
                        "invalid_location",
                        expected: "area.center.\(name): a number from \(Int(range.lowerBound)) to "
                            + "\(Int(range.upperBound))",
                        found: Excerpt.quoted(Array(text.utf8)[...])))
            }
        }
        let page = try RezolvePage(request)
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.key("engagements")
            page.write(
                fixtures.engagements.rows.map { row in
                    return JSONWriter.object { json in
                        json.member("id", FixtureTable.id(row["id"]))
                        json.member("serviceId", row["service_id"]?.string)
                        json.member("payloadPath", row["payload_path"]?.string)
                    }
                }, as: "data", to: &json)
        }
        return RezolveResponse(body: json.bytes)
    }

    /// `POST /v1/resolver/{resolver}/api/v2/payoffcpm/{engagement}`: what an engagement leads to.
    func payoff(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> RezolveResponse {
        try checkSentToken(request)
        if !request.body.isEmpty { _ = try request.jsonObject() }
        let id = request.path["engagement"] ?? ""
        let trigger = Self.object([("kind", "engagement"), ("engagement_id", id)])
        let root = try? JSONDocument(parsing: trigger).root
        let goal = root.flatMap { RezolveGoal(of: $0, fixtures, partners: []) }
        guard let json = goal?.json else {
            throw .notFound(
                "The engagement", expected: "the id of an engagement of the fixtures", found: id)
        }
        return RezolveResponse(body: json)
    }

    private func actRow(
        _ request: RezolveRequest, _ fixtures: RezolveFixtures
    ) throws(RezolveRefusal) -> JSONNode {
        if let row = fixtures.acts[request.path["act"]] { return row }
        throw .notFound(
            "The act", expected: "the id of an act of the fixtures", found: request.path["act"])
    }

    /// The answers; if a question has two, the first is used.
    private static func answers(_ list: JSONNode) throws(RezolveRefusal) -> [ActAnswer] {
        var answers: [ActAnswer] = []
        var known: Set<String> = []
        for node in list.elements {
            let answer = try ActAnswer(node)
            if known.insert(answer.id).inserted { answers.append(answer) }
        }
        return answers
    }
}

/// One answer in a submission.
private struct ActAnswer {
    let node: JSONNode
    let id: String
    /// Nil for an empty answer.
    let text: String?

    init(_ node: JSONNode) throws(RezolveRefusal) {
        guard let id = FixtureTable.id(node["question_id"]) else {
            throw .malformed(
                .body(
                    "missing_question_id", about: node["question_id"] ?? node,
                    expected: "question_id: the id of a block"))
        }
        let answer = node.member("answer")
        if let answer, answer.kind != .string {
            throw .malformed(.body("wrong_type", about: answer, expected: "a string or null"))
        }
        self.node = node
        self.id = id
        let text = answer?.string ?? ""
        self.text = text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// Checks the answer against its question block.
    func check(against block: JSONNode) throws(RezolveRefusal) {
        guard let text, let answer = node["answer"] else { return }
        switch block["type"]?.string?.lowercased() {
        case "select":
            let options = block["data"]?.elements(of: "selectionOptions") ?? []
            let values = options.compactMap { FixtureTable.id($0["value"]) }
            if values.contains(text) { return }
            let isDescription = options.contains { $0["description"]?.string == text }
            throw .malformed(
                .body(
                    "unknown_option", about: answer,
                    expected: "the value of an option: \(values.joined(separator: ", "))",
                    hint: isDescription ? "this is an option's description" : nil))
        case "datefield":
            var hint: String?
            switch RezolveDate.read(text) {
            case .date: return
            case .impossible(let meant): hint = meant
            case .none: break
            }
            throw .malformed(
                .body(
                    "invalid_date", about: answer,
                    expected: "dd/mm/yyyy hh:mm or yyyy-MM-ddTHH:mm:ss+zzzz", hint: hint))
        case "header", "paragraph", "divider", "image", "video", "coupon":
            throw .malformed(
                .body(
                    "not_a_question", about: node["question_id"] ?? node,
                    expected: "the id of a block with a question"))
        default: break
        }
    }
}
