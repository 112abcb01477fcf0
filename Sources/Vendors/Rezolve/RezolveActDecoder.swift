// Decodes the answers to a Rezolve act: one JSON object (vendor document 4.5).
//
// Invariant: every member keeps its place, but two: `act_id` is that of the path, if it names an
// act, and `reason` is the sandbox's own and never the body's. An answer that is a date also gets
// the date in a uniform format. Left out: the act's questions; without them, missing answers can't
// be detected.

import JSON

/// The decoder of the `rezolve-act` contract.
enum RezolveActDecoder {
    /// The members of the contract besides `answers`; each may be null.
    private static let textNames = [
        "userId", "userName", "entityId", "scanId", "serviceId", "personTitle", "firstName",
        "lastName", "email", "phone",
    ]
    private static let coordinates = [("latitude", 90.0), ("longitude", 180.0)]

    /// Decodes a message with a body.
    static func decode(_ message: inout Message, _ path: RezolvePath) -> Decoding {
        guard var body = message.body else {
            if message.findings.list.allSatisfy({ $0.severity != .error }) {
                message.findings.addMissingPayload(
                    "answers", hint: "answers are posted as a JSON object")
            }
            return none(message.findings)
        }
        guard body.requireObject(&message.findings) else { return none(message.findings) }
        body.keepMembers(.first, &message.findings)
        let root = body.document.root
        var json = JSONWriter(ofDocument: body.document.bytes.count + 128)
        json.beginObject()
        let target = message.bytes(of: .target)
        var act: String?
        if let place = path.actID(in: target) {
            let text = EscapedText(part: .target, bytes: target, range: place, escaping: .query)
            let id = Repaired(text, findings: &message.findings).bytes
            json.key("act_id")
            json.string(utf8: id)
            act = String(decoding: id, as: UTF8.self)
        }
        for member in root.members {
            let name = member.name.string ?? ""
            if name == "act_id", let act {
                check(actID: member.value, is: act, in: body, &message.findings)
            } else if name == "answers" {
                json.key(name)
                write(answers: member.value, in: body, to: &json, &message.findings)
            } else {
                check(member.value, named: name, in: body, &message.findings)
                if name == VendorContract.rezolve.sandboxMember { continue }
                json.key(name)
                json.value(member.value)
            }
        }
        body.addSwappedCoordinates(to: &message.findings)
        if root["duplicates"] == nil { json.memberOfDuplicates(of: &message, and: body) }
        json.endObject()
        if root["answers"] == nil {
            body.add(
                .error, "missing_answers", about: root, expected: "the member answers",
                found: "none", to: &message.findings)
        }
        return Decoding(
            contract: .rezolveAct, outcome: .completed, value: json,
            findings: message.findings)
    }

    private static func none(_ findings: Findings) -> Decoding {
        Decoding(contract: .rezolveAct, outcome: nil, value: nil, findings: findings)
    }

    /// Warns if the body names another act than the path, which decides.
    private static func check(
        actID value: JSONNode, is act: String, in body: Payload, _ findings: inout Findings
    ) {
        let id = value.string ?? String(decoding: value.text, as: UTF8.self)
        if value.kind == .null || id == act { return }
        body.add(
            .warning, "act_id_mismatch", about: value, expected: "the act of the path, or none",
            to: &findings)
    }

    /// Warns if a member doesn't have the type that the contract requires.
    private static func check(
        _ value: JSONNode, named name: String, in body: Payload, _ findings: inout Findings
    ) {
        if value.kind == .null || name == "act_id" { return }
        if name == "location" {
            // Android's SDK nests the coordinates.
            guard value.kind == .object else {
                return body.add(
                    .warning, "wrong_type", about: value,
                    expected: "an object with latitude and longitude, or null", to: &findings)
            }
            for (name, _) in coordinates {
                if let number = value[name] { check(number, named: name, in: body, &findings) }
            }
            return
        }
        if textNames.contains(name) {
            // The vendor's test server uses numbers for its users.
            if value.kind == .string || (name == "userId" && value.int != nil) { return }
            body.add(
                .warning, "wrong_type", about: value, expected: "a string or null", to: &findings)
        } else if let limit = coordinates.first(where: { $0.0 == name })?.1 {
            guard let number = value.double else {
                body.add(
                    .warning, "wrong_type", about: value, expected: "a number or null",
                    to: &findings)
                return
            }
            if abs(number) > limit {
                body.add(
                    .warning, "out_of_range", about: value,
                    expected: "\(name): -\(Int(limit)) to \(Int(limit))",
                    hint: name == "latitude" && abs(number) <= 180
                        ? "latitude and longitude may be swapped" : nil, to: &findings)
            }
        } else {
            body.add(
                .info, "unknown_member", about: value, expected: "a member of the contract",
                found: Excerpt.quoted(Array(name.utf8)[...]), to: &findings)
        }
    }

    private static func write(
        answers: JSONNode, in body: Payload, to json: inout JSONWriter, _ findings: inout Findings
    ) {
        guard answers.kind == .array else {
            body.add(
                .error, "wrong_type", about: answers,
                expected: "an array of {question_id, answer}", to: &findings)
            return json.value(answers)
        }
        var asked: Set<String> = []
        json.beginArray()
        for answer in answers.elements {
            guard answer.kind == .object else {
                body.add(
                    .error, "wrong_type", about: answer,
                    expected: "an object with question_id and answer", to: &findings)
                json.value(answer)
                continue
            }
            let id = answer["question_id"]
            let text = id.map { $0.string ?? String(decoding: $0.text, as: UTF8.self) }
            if let id, id.kind == .string || id.int != nil, let text {
                if !asked.insert(text).inserted {
                    body.add(
                        .warning, "duplicate_answer", about: id,
                        expected: "one answer to each question", to: &findings)
                }
            } else {
                body.add(
                    .error, "missing_question_id", about: answer, expected: "question_id",
                    found: id == nil ? "none" : nil, to: &findings)
            }
            write(answer, in: body, to: &json, &findings)
        }
        json.endArray()
    }

    /// Writes one answer with its members, and `date` if its text is a date.
    private static func write(
        _ answer: JSONNode, in body: Payload, to json: inout JSONWriter, _ findings: inout Findings
    ) {
        json.beginObject()
        var hasDate = false
        for member in answer.members {
            let name = member.name.string ?? ""
            hasDate = hasDate || name == "date"
            json.key(name)
            json.value(member.value)
        }
        if let value = answer["answer"] {
            if let text = value.string {
                switch RezolveDate.read(text) {
                case .date(let date) where !hasDate: json.member("date", date)
                case .impossible(let hint):
                    body.add(
                        .warning, "impossible_date", about: value,
                        expected: "dd/mm/yyyy hh:mm or yyyy-MM-ddTHH:mm:ss+zzzz", hint: hint,
                        to: &findings)
                default: break
                }
            } else if value.kind != .null {
                body.add(
                    .warning, "wrong_type", about: value,
                    expected: "a string: the text, the option's value or the date", to: &findings)
            }
        } else {
            body.add(
                .warning, "missing_answer", about: answer, expected: "the member answer",
                found: "none", to: &findings)
        }
        json.endObject()
    }
}
