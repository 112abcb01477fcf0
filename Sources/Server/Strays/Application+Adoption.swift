// `POST /api/v1/results/{id}/adopt?vendor=&inbox=`: turns a stray into the callbacks that it was
// meant to bring.
//
// Invariant: they are kept as if a receiver had got the request at the stray's time, and only once:
// if somebody else erases the stray meanwhile, they are erased again. They are stored before the
// stray is erased; a failure in between leaves both. Left out: what a receiver of one's own adds,
// captures of the path and a contract, because none took the stray.

import HTTP1
import LinkPatterns
import Problems
import ResultAPI
import ResultStore
import Vendors

extension Application {
    /// `POST /api/v1/results/{id}/adopt`: 201 with the callbacks, for any verdict, also those of a
    /// webhook that is not trusted.
    func adoptStray(
        _ name: String?, _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        let vendor = parameters.take(
            "vendor", expected: "one of \(Vendor.names.joined(separator: ", "))"
        ) { Vendor(rawValue: $0) }
        let inbox = parameters.take("inbox", expected: Inbox.rule) { Inbox.isValid($0) ? $0 : nil }
        if vendor == nil, parameters.findings.isEmpty {
            parameters.add("vendor", "Name the vendor of the callback.")
        }
        try parameters.finish()
        guard let id = name.flatMap({ RecordID($0) })?.description else {
            throw ResultAPI.unknownResult
        }
        guard adoptions.begin(id) else { throw Self.adoptionRunning }
        defer { adoptions.end(id) }
        let (line, permit) = try await api.line(of: id)
        let (stray, arrival) = try await api.largeWork.run(over: line.size) {
            () throws(Problem) -> (RecordID, Arrival) in
            guard let vendor, let facts = store.facts(in: line), facts.kind == .stray else {
                throw Self.notAStray
            }
            guard let kept = StoredRequest(ofRecord: line.text), let sent = kept.request else {
                throw ResultAPI.damagedRequest
            }
            return (facts.id, self.arrival(of: sent, kept, facts, vendor, inbox ?? facts.inbox))
        }
        let memory = try await api.memory(
            toDecode: arrival.body, and: arrival.repeatedBytes + line.size, insteadOf: permit)
        defer { withExtendedLifetime(memory) {} }
        var turn: AnswerTurn?
        var response: Response
        let stored: [RecordID]
        do throws(Problem) {
            switch try await keep(arrival, &turn, over: &connection) {
            case .answered(let answer, let new):
                response = answer
                stored = new
            case .callback(let callback, let receipt, _):
                response = Self.reply(to: callback.record, receipt)
                stored = [receipt.id]
            }
        } catch {
            throw error.kind == Self.keyReused.kind ? Self.strayKeyReused : error
        }
        guard try await erase(stray) else {
            // Another server on the same database has adopted it, or it was erased meanwhile.
            for id in stored { _ = try await erase(id) }
            throw ResultAPI.unknownResult
        }
        response.status = .created
        return response
    }

    /// Erases a record; false if it was erased before.
    private func erase(_ id: RecordID) async throws(Problem) -> Bool {
        try await api.ask { () async throws(StoreError) in try await store.erase(id) }
    }

    /// `keyReused` for someone who can't send the request again with another key.
    private static let strayKeyReused = Problem(
        status: keyReused.status, kind: keyReused.kind,
        detail: "The stray's Idempotency-Key was used for another request to this vendor and "
            + "inbox: adopt the stray into another inbox.")

    private static let notAStray = Problem(
        status: .conflict, kind: "not-a-stray",
        detail: "Only strays can be adopted: GET /api/v1/results?kind=stray lists them.")

    private static let adoptionRunning = Problem(
        status: .conflict, kind: "adoption-running",
        detail: "Another request is adopting this stray. List the results of its inbox.")

    /// The request of a stray as one that brings callbacks of a vendor.
    private func arrival(
        of sent: Request, _ stored: StoredRequest, _ facts: RecordFacts, _ vendor: Vendor,
        _ inbox: String
    ) -> Arrival {
        // A receiver refuses an invalid key. A stray that has one is adopted as if it had none.
        let key = try? key(of: sent, to: vendor)
        return Arrival(
            request: sent, body: stored.body?.octets ?? [], receivedAt: facts.receivedAt,
            vendor: vendor, contract: nil, inbox: inbox, flow: Self.flow(ofPath: sent.path),
            key: key, parameters: [], site: site(of: sent),
            masked: stored.isMasked ? .names : .nothing, isChanged: stored.isChanged)
    }

    /// The flow that a path of the built-in receiver names, even if the rest is invalid.
    private static func flow(ofPath path: ArraySlice<UInt8>) -> String? {
        (Link(path: path)?.withoutDotSegments.components).flatMap { ReceiverPath($0) }?.flow
    }
}
