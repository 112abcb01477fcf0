// `POST /api/v1/results/{id}/send`: a stored callback once more, to this server or to a URL.
//
// Invariant: what was redacted is not sent, and the response names it. Each attempt is a record of
// the kind `delivery`, unless the callback is erased meanwhile. To this server, the callback
// doesn't leave the process: the name of its host may lead elsewhere.

import Clocks
import Emulator
import HTTP1
import JSON
import Problems
import ResultAPI
import ResultStore
import Synchronization
import Vendors

extension Application {
    private static let sendingBytes = 16 * 1024

    /// `POST /api/v1/results/{id}/send`: 201 with the attempt, whatever came back.
    func sendAgain(
        _ id: String?, _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        let members = try JSONMembers(
            try await connection.content(upTo: Self.sendingBytes), known: ["to"])
        let expected = "Expected self, or a URL with http:// or https://."
        guard let target = try members.text("to") else {
            throw JSONMembers.refusal("to", expected)
        }
        let (line, permit) = try await api.line(of: id)
        defer { withExtendedLifetime(permit) {} }
        let (text, facts, resent) = try await api.largeWork.run(over: line.size) {
            [store] () throws(Problem) in
            let text = line.text
            guard let facts = store.facts(in: line), let resent = ResentRequest(text) else {
                throw ResultAPI.damagedRequest
            }
            return (text, facts, resent)
        }
        guard facts.kind == .callback else { throw ResultAPI.notACallback }
        if target == "self" {
            return try await receiveAgain(
                resent, text, facts, request, holding: permit, over: &connection)
        }
        guard let url = try? CallbackURL(target), url.kind == .web else {
            throw JSONMembers.refusal("to", expected)
        }
        if let refusal = emulator.targets.refusal(of: url, for: .delivery) {
            throw Problem(
                status: .forbidden, kind: "target-refused", detail: refusal.detail,
                findings: [Problem.Finding(name: "to", detail: "Refused: \(refusal.rule).")])
        }
        guard sends.begin() else { throw Self.tooManySends }
        defer { sends.end() }
        let resending = Resending(
            resent, to: resent.url(at: target), of: facts,
            mayConnect: emulator.targets.policy(for: url.host ?? ""))
        let attempt = await resending.attempt()
        return try await reply(to: attempt, resent, of: facts, result: nil, over: &connection)
    }

    /// Receives a stored callback again, at the place where it came in.
    private func receiveAgain(
        _ resent: ResentRequest, _ text: [UInt8], _ facts: RecordFacts, _ request: Request,
        holding line: MemoryPermit?, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let arrival = try await api.largeWork.run(over: text.count) {
            () throws(Problem) -> Arrival in
            guard let again = Request(resent.head), let vendor = Vendor(rawValue: facts.vendor),
                let stored = try? JSONDocument(parsing: text).root["request"]
            else { throw ResultAPI.damagedRequest }
            return Arrival(
                request: again, body: resent.body, receivedAt: .now, vendor: vendor,
                contract: stored["pinned"]?.string.flatMap { Contract(rawValue: $0) },
                inbox: facts.inbox,
                // The path names the flow, or the callback joins as any other one does.
                flow: facts.flow.flatMap { resent.target.contains($0) ? $0 : nil },
                // It is stored once more, and no link led to it.
                key: nil, parameters: RecordRequest.parameters(in: stored), site: nil,
                masked: resent.isMasked ? .all : .nothing, isChanged: resent.isChanged)
        }
        let permit = try await api.memory(
            toDecode: arrival.body, and: arrival.repeatedBytes + text.count, insteadOf: line)
        defer { withExtendedLifetime(permit) {} }
        var turn: AnswerTurn?
        let status: Int
        let result: RecordID?
        switch try await keep(arrival, &turn, over: &connection) {
        case .answered(let response, let new):
            status = response.status.code
            result = new.first
        case .callback(let callback, let receipt, let fault):
            status = fault == nil ? CallbackReply.status(of: callback.record.verdict).code : 401
            result = receipt.id
        }
        let resending = Resending(
            resent, to: base(of: request) + resent.target, of: facts, mayConnect: nil)
        return try await reply(
            to: resending.received(with: status, at: arrival.receivedAt), resent, of: facts,
            result: result, over: &connection)
    }

    /// Stores an attempt and reports it.
    ///
    /// - Parameter result: what this server has stored of the callback that came again.
    private func reply(
        to attempt: DeliveryAttempt, _ resent: ResentRequest, of facts: RecordFacts,
        result: RecordID?, over connection: inout Connection
    ) async throws(Problem) -> Response {
        let receipt = try await append(attempt.record(masking: pseudonyms), over: &connection)
        // If the callback was erased meanwhile, these records must go too: they name its inbox.
        await store.erase(
            [receipt.id, result].compactMap(\.self), ifErased: facts.id, since: facts.sequence
        ) { error in
            log.error(
                "a callback that is sent again can't be looked up",
                metadata: ["id": "\(facts.id)", "reason": "\(error)"])
        }
        var json = JSONWriter(reservingCapacity: 512)
        json.object { json in
            json.object("delivery") { json in
                json.member("id", receipt.id.description)
                json.member("seq", receipt.knownSequence)
                json.member("status", attempt.status)
                json.member("failure", attempt.failure)
                json.member("duration_ms", Int(attempt.milliseconds))
                json.member("result", result?.description)
            }
            json.member("redacted", resent.redacted)
        }
        var response = Response(.created, contentType: "application/json", body: json.bytes)
        response.add("Location", APIPath.result(receipt.id.description))
        response.add("Cache-Control", "no-store")
        return response
    }

    private static let tooManySends = Problem(
        status: .serviceUnavailable, kind: "service-unavailable",
        detail: "Too many callbacks are being sent; try again in a moment.",
        fields: [("Retry-After", "5")])
}

/// Counts the callbacks that are being sent again.
final class SendGate: Sendable {
    private let count = Mutex(0)

    /// Takes a place; false if all are in use; after true, `end` must follow.
    func begin() -> Bool {
        count.withLock { count in
            guard count < Limits.sendsInFlight else { return false }
            count += 1
            return true
        }
    }

    /// Releases a place.
    func end() { count.withLock { $0 -= 1 } }
}
