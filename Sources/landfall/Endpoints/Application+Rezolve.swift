// The road to the Rezolve sandbox: triggers, registrations and answers are stored before they are
// answered, as every callback is; everything else is only answered.

import AppLinks
import Clocks
import HTTP1
import JSONText
import PositionedJSON
import ResultStore
import Vendors

extension Application {
    /// Answers a request to the sandbox.
    func answer(
        _ route: RezolveRoute, _ parameters: Parameters?, _ request: Request,
        over connection: inout Connection
    ) async throws(Problem) -> Response {
        let receivedAt = Timestamp.now
        switch route {
        case .trigger: return try await follow(request, receivedAt, over: &connection)
        case .submissions: return try await listSubmissions(request)
        default: break
        }
        let body = try await Self.body(upTo: callbackBodyBytes, over: &connection)
        let question = RezolveRequest(
            request, parameters, body: body, now: Double(receivedAt.unixMilliseconds) / 1000)
        let answer = try rezolve.answer(route, question)
        if let reason = answer.note?.reason {
            // No token, key or address: codes only.
            log.info(
                "the Rezolve sandbox refused a request",
                metadata: ["route": "\(route)", "reason": "\(reason)"])
        }
        guard let note = answer.note, route == .registration || route == .answers else {
            return answer.response
        }
        var record = Self.record(
            of: ReceivedRequest(request, body: body, masking: pseudonyms), receivedAt, .rezolve,
            Inbox.defaultName)
        if route == .registration {
            Self.note(registration: note, in: &record)
        } else {
            Self.note(answers: note, in: &record)
        }
        let receipt = try await append(record, over: &connection)
        var response = answer.response
        response.add("Location", Self.resultPath(receipt.id.description))
        return response
    }

    /// Makes the record of a registration, which is no callback, of what the sandbox found.
    private static func note(registration note: RezolveNote, in record: inout NewRecord) {
        record.contract = RezolveSandbox.registrationContract
        record.result = note.value.map(Redaction.redactBody)
        record.verdict = (note.isRefused ? Verdict.decodedWithWarnings : .decoded).rawValue
        record.outcome = (note.isRefused ? Outcome.error : .completed).rawValue
        record.diagnostics = diagnostics(note, before: nil)
    }

    /// Adds why answers were refused, unless they can't be decoded, which says why itself.
    private static func note(answers note: RezolveNote, in record: inout NewRecord) {
        guard note.isRefused, let result = record.result,
            let root = try? JSONDocument(parsing: result).root
        else { return }
        record.verdict = Verdict.decodedWithWarnings.rawValue
        record.outcome = Outcome.error.rawValue
        record.diagnostics = diagnostics(note, before: record.diagnostics)
        var json = JSONWriter(reservingCapacity: result.count + 64)
        json.object { json in
            json.member("reason", note.reason)
            for member in root.members where member.name.string != "reason" {
                json.key(member.name.string ?? "")
                json.raw(member.value.text)
            }
        }
        record.result = json.bytes
    }

    /// The sandbox's diagnostics, and behind them those of the decoder.
    private static func diagnostics(_ note: RezolveNote, before others: [UInt8]?) -> [UInt8] {
        let others = others.flatMap { try? JSONDocument(parsing: $0).root }
        var json = JSONWriter()
        json.array { json in
            for diagnostic in note.diagnostics { diagnostic.write(to: &json) }
            for diagnostic in others.map({ Array($0.elements) }) ?? [] { json.raw(diagnostic.text) }
        }
        return json.bytes
    }

    /// A link that somebody followed: stored, and shown with what it leads to.
    private func follow(
        _ request: Request, _ receivedAt: Timestamp, over connection: inout Connection
    ) async throws(Problem) -> Response {
        var record = Self.record(
            of: ReceivedRequest(request, body: [], masking: pseudonyms), receivedAt, .rezolve,
            Inbox.defaultName)
        let site = sites.current.site(of: request.host)
        record.link = FallThrough(request, of: site)?.note
        let receipt = try await append(record, over: &connection)
        let trigger = record.result.flatMap { try? JSONDocument(parsing: $0).root }
        var resolved: [UInt8]?
        do throws(Problem) {
            if let trigger { resolved = RezolveSandbox.resolve(trigger, try rezolve.fixtures()) }
        } catch {
            // The link is stored, whatever the sandbox knows of its goal.
            log.error("a link's goal is unknown", metadata: ["reason": "\(error.detail)"])
        }
        if request.acceptsPages {
            let goal = RezolveSandbox.goal(of: trigger, resolved)
            return LandingPage(record, receipt, request, site, goal: goal).response
        }
        let null = Array("null".utf8)
        return Self.reply(
            id: receipt.id.description, sequence: receipt.sequence, verdict: record.verdict,
            outcome: record.outcome, flow: record.flow, link: record.link,
            diagnostics: record.diagnostics,
            members: [("result", record.result ?? null), ("resolved", resolved ?? null)])
    }

    /// `GET /v1/submissions?entityId=`: what an entity has answered, the newest first.
    private func listSubmissions(_ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let entity = parameters.take("entityId", expected: "an entity's id") {
            $0.isEmpty ? nil : $0
        }
        if entity == nil, parameters.findings.isEmpty {
            parameters.add("entityId", "Give an entity.")
        }
        try parameters.finish()
        let condition = Condition.all([
            .compare(.vendor, .equal, .text(Vendor.rezolve.rawValue)),
            .compare(.contract, .equal, .text(Contract.rezolveAct.rawValue)),
            .compare(.outcome, .equal, .text(Outcome.completed.rawValue)),
            .compare(.result("entity_id"), .equal, .text(entity ?? "")),
        ])
        let page = try await api.ask { () async throws(StoreError) in
            try await store.page(of: ResultQuery(condition), limit: RezolvePage.longest)
        }
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.key("submissions")
            json.array { json in
                for line in page.lines {
                    if let result = try? JSONDocument(parsing: line.text).root["result"] {
                        json.raw(result.text)
                    }
                }
            }
        }
        return RezolveAnswer(body: json.bytes).response
    }
}
