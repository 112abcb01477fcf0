// Serves the Rezolve sandbox. Triggers, registrations and submissions are stored before the
// response, as every callback is; other requests are not stored.
//
// Invariant: the sandbox's findings precede the decoder's and are stored with them.

import Clocks
import HTTP1
import JSON
import LinkHosting
import LinkPatterns
import Problems
import ResultAPI
import ResultStore
import RezolveSandbox
import Vendors

extension Application {
    /// Serves a request to the sandbox.
    func answer(
        _ route: RezolveRoute, _ parameters: Parameters?, _ request: Request,
        over connection: inout Connection
    ) async throws(Problem) -> Response {
        guard route.methods.contains(request.method) else {
            let allowed = Endpoint.work(.rezolve(route)).allowedMethods
            var refusal = RezolveRefusal.methodNotAllowed(allowed).answer
            refusal.fields.append(("Allow", allowed))
            log(refusal, route, of: connection.requestIDText)
            return refusal.response
        }
        let receivedAt = Timestamp.now
        let body =
            route == .trigger ? [] : try await connection.content(upTo: callbackBodyBytes)
        let permit = try await api.memory(toDecode: body, and: request.bytes.count)
        defer { withExtendedLifetime(permit) {} }
        let bytes = request.bytes.count + body.count
        let question = await api.largeWork.run(overReceived: bytes) {
            RezolveRequest(
                request, parameters, body: body, now: Double(receivedAt.unixMilliseconds) / 1000)
        }
        var scenario = question.scenario
        if scenario == nil {
            // A plan for Rezolve has the sandbox's scenarios only.
            scenario = try emulator.plans.next(of: .rezolve) { _ in }.scenario?.description
        }
        let injected = try RezolveSandbox.refusal(for: scenario)
        switch route {
        case .trigger:
            return try await follow(question, request, injected, receivedAt, over: &connection)
        case .submissions:
            let answer = try await listSubmissions(question, injected)
            log(answer, route, of: connection.requestIDText)
            return answer.response
        case .call(let call):
            let (answer, callback) = try await api.largeWork.run(overReceived: bytes) {
                () throws(Problem) in
                try self.answer(call, question, injected, request, receivedAt)
            }
            log(answer, route, of: connection.requestIDText)
            guard let callback else { return answer.response }
            return try await stored(callback, answer, over: &connection)
        }
    }

    /// What the sandbox answers to a call, and the record of it; nil if the call isn't stored.
    private func answer(
        _ call: RezolveCall, _ question: RezolveRequest, _ injected: RezolveRefusal?,
        _ request: Request, _ receivedAt: Timestamp
    ) throws(Problem) -> (RezolveResponse, CallbackRecord?) {
        let answer = try rezolve.answer(call, question, injected)
        guard let note = answer.note, call == .registration || call == .answers else {
            return (answer, nil)
        }
        var callback = Self.record(
            of: ReceivedRequest(request, body: question.body, masking: pseudonyms), receivedAt,
            .rezolve, Inbox.defaultName)
        if call == .registration {
            callback.diagnostics = []
            callback.record.kind = .registration
            (callback.record.contract, callback.record.result) = (nil, nil)
            callback.record.verdict = Verdict.decoded.rawValue
            callback.record.outcome = Outcome.completed.rawValue
        }
        Self.add(note, to: &callback)
        return (answer, callback)
    }

    /// Logs why a request was refused, or what a client left out: codes and the first expectation,
    /// never the received values, because tokens, keys and addresses must not be logged.
    private func log(_ answer: RezolveResponse, _ route: RezolveRoute, of requestID: String) {
        let isRefused = answer.note?.isRefused == true
        let reasons = isRefused ? answer.note?.diagnostics ?? [] : answer.remarks
        guard isRefused || !reasons.isEmpty else { return }
        log.info(
            isRefused
                ? "the Rezolve sandbox refused a request"
                : "the Rezolve sandbox accepted an incomplete request",
            metadata: [
                "call": "\(route)", "status": "\(answer.status.code)",
                "reasons": "\(reasons.map(\.code).joined(separator: " "))",
                "expected": "\(reasons.first?.expected ?? "")", "request_id": "\(requestID)",
            ])
    }

    /// Stores the sandbox's result and reports its record.
    private func stored(
        _ callback: CallbackRecord, _ answer: RezolveResponse, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let receipt = try await append(callback.stored, over: &connection)
        var response = answer.response
        response.add("Location", APIPath.result(receipt.id.description))
        return response
    }

    /// Adds the sandbox's findings to the decoded callback; they can only worsen the verdict.
    private static func add(_ note: RezolveNote, to callback: inout CallbackRecord) {
        // A message that was decoded has no error, even if the sandbox refused it.
        let isLost = callback.record.verdict == Verdict.undecodable.rawValue
        let added = note.diagnostics.map { isLost ? $0 : $0.atMostWarning }
        callback.diagnostics =
            added + callback.diagnostics.filter { other in !added.contains { $0.is(other) } }
        if let value = note.value {
            callback.record.result = try? JSONDocument(parsing: Redaction.redactBody(value))
        }
        if note.isRefused {
            callback.record.outcome = Outcome.error.rawValue
            if callback.record.verdict == Verdict.decoded.rawValue {
                callback.record.verdict = Verdict.decodedWithWarnings.rawValue
            }
        }
        guard note.value == nil, let reason = note.diagnostics.first?.code else { return }
        let value = callback.record.result
        var json = JSONWriter(reservingCapacity: (value?.bytes.count ?? 0) + 64)
        json.object { json in
            json.member("reason", reason)
            for member in value.map({ Array($0.root.members) }) ?? [] {
                json.member(member.name.string ?? "", raw: member.value.text)
            }
        }
        callback.record.result = try? JSONDocument(parsing: json.bytes)
    }

    // MARK: Links

    /// A followed link: stored, and shown with its goal.
    private func follow(
        _ question: RezolveRequest, _ request: Request, _ injected: RezolveRefusal?,
        _ receivedAt: Timestamp, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let site = sites.current.site(of: request.host)
        var callback = await api.largeWork.run(overReceived: request.bytes.count) {
            var callback = Self.record(
                of: ReceivedRequest(request, body: [], masking: pseudonyms), receivedAt, .rezolve,
                Inbox.defaultName)
            callback.record.link = FallThrough(request, of: site)?.note
            return callback
        }
        leaveFutureFlow(&callback)
        // A link created here belongs to the inbox of its launch.
        callback.record.inbox =
            callback.record.flow.flatMap { flows.inbox(of: $0) } ?? Inbox.defaultName
        if let answer = injected?.answer {
            log(answer, .trigger, of: connection.requestIDText)
            if let note = answer.note { Self.add(note, to: &callback) }
            return try await stored(callback, answer, over: &connection)
        }
        let trigger = callback.record.result?.root
        let goal = trigger.flatMap { findGoal(of: $0) }
        if let goal { Self.add(RezolveNote(diagnostics: goal.diagnostics), to: &callback) }
        let record = callback.stored
        let receipt = try await append(record, over: &connection)
        if request.acceptsPages {
            let url = Self.followedURL(question, request)
            let site = url?.serverName.flatMap { sites.current.site(of: $0) }
            return await page(
                of: callback, receipt, url, site, goal: RezolveGoal.sentence(for: trigger, goal))
        }
        let null = Array("null".utf8)
        return CallbackReply.response(
            id: receipt.id.description, sequence: receipt.knownSequence, verdict: record.verdict,
            outcome: record.outcome, flow: record.flow, link: record.link,
            diagnostics: record.diagnostics.json,
            members: [("result", record.result?.bytes ?? null), ("resolved", goal?.json ?? null)])
    }

    /// The goal of a trigger; nil if there is none or it is unknown.
    private func findGoal(of trigger: JSONNode) -> RezolveGoal? {
        do throws(Problem) {
            return RezolveGoal(
                of: trigger, try rezolve.fixtures(), partners: rezolve.partners.map(\.id))
        } catch {
            // The link is stored even if its goal is unknown; the reason is already logged.
            return nil
        }
    }

    /// The followed link as on the vendor's host: the path after `/emulate/rezolve`, or `url`.
    private static func followedURL(_ question: RezolveRequest, _ request: Request) -> LinkURL? {
        let prefix = Array("/emulate/rezolve".utf8)
        guard request.path.starts(with: prefix) else { return request.url }
        let path = request.path.dropFirst(prefix.count)
        if path.allSatisfy({ $0 == UInt8(ascii: "/") }), let url = question["url"] {
            return LinkURL(written: url) ?? LinkURL(url)
        }
        let query = request.query.map { [UInt8(ascii: "?")] + $0 } ?? []
        return LinkURL(utf8: Array("https://rzlv.co".utf8) + path + query)
    }

    // MARK: Submissions

    /// `GET /v1/submissions?entityId=`: an entity's submissions, newest first.
    private func listSubmissions(
        _ question: RezolveRequest, _ injected: RezolveRefusal?
    ) async throws(Problem) -> RezolveResponse {
        let entity = question["entityId"] ?? ""
        let page: RezolvePage
        do throws(RezolveRefusal) {
            if let injected { throw injected }
            try checkReader(of: entity, question)
            if entity.isEmpty {
                throw .missing(
                    ["entityId"],
                    .target(
                        "missing_parameters", expected: "entityId: an entity's id", found: "none"))
            }
            page = try RezolvePage(question)
        } catch {
            return error.answer
        }
        let condition = Condition.all([
            .compare(.vendor, .equal, .text(Vendor.rezolve.rawValue)),
            .compare(.contract, .equal, .text(Contract.rezolveAct.rawValue)),
            .compare(.outcome, .equal, .text(Outcome.completed.rawValue)),
            .compare(.result("entity_id"), .equal, .text(entity)),
        ])
        let found = try await api.ask { () async throws(StoreError) in
            try await store.slice(
                of: ResultQuery(condition), offset: page.offset, limit: page.limit)
        }
        let items = found.lines.map { line in
            let result = try? JSONDocument(parsing: line.text).root["result"]
            return result?.compactText ?? Array("null".utf8)
        }
        var answer = page.answer(items, of: found.total)
        if access.isOpen { answer.remarks = question.remarks }
        return answer
    }

    /// Throws the vendor's error for an invalid entity token.
    ///
    /// Submissions are stored results, so the server's token was already checked and replaces the
    /// entity's. An open server checks none.
    private func checkReader(
        of entity: String, _ question: RezolveRequest
    ) throws(RezolveRefusal) {
        if access.isOpen { try rezolve.checkSentToken(question, of: entity) }
    }
}

extension Diagnostic {
    /// Whether two diagnostics are about the same.
    fileprivate func `is`(_ other: Diagnostic) -> Bool {
        other.code == code && other.part == part && other.offset == offset
    }
}
