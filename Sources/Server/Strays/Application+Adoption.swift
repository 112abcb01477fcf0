// `POST /api/v1/results/{id}/adopt?vendor=&inbox=`: turns a stray into the callbacks that it was
// meant to bring.
//
// Invariant: they are kept as those of a request that is received, with the stray's time. They are
// stored before the stray is erased; a failure in between leaves both. Left out: the path's
// captures and the contract of a receiver, because none took the stray.

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
        let (line, permit) = try await api.line(of: name)
        defer { withExtendedLifetime(permit) {} }
        guard let vendor, let facts = store.facts(in: line), facts.kind == .stray else {
            throw Problem(
                status: .conflict, kind: "not-a-stray",
                detail: "Only strays can be adopted: GET /api/v1/results?kind=stray lists them.")
        }
        guard let stored = StoredRequest(ofRecord: line.text), let sent = stored.request else {
            throw ResultAPI.damagedRequest
        }
        let arrival = arrival(of: sent, stored, facts, vendor, inbox ?? facts.inbox)
        let memory = try await api.memory(toDecode: arrival.body, and: arrival.repeatedBytes)
        defer { withExtendedLifetime(memory) {} }
        var turn: AnswerTurn?
        var response: Response
        switch try await keep(arrival, &turn, over: &connection) {
        case .answered(let answer, _): response = answer
        case .callback(let callback, let receipt, _):
            response = Self.reply(to: callback.record, receipt)
        }
        _ = try await api.ask { () async throws(StoreError) in try await store.erase(facts.id) }
        response.status = .created
        return response
    }

    /// The request of a stray as one that brings callbacks of a vendor.
    private func arrival(
        of sent: Request, _ stored: StoredRequest, _ facts: RecordFacts, _ vendor: Vendor,
        _ inbox: String
    ) -> Arrival {
        // A receiver would have refused an invalid key; here, it is none.
        let key = try? Self.key(of: sent, to: vendor, masking: pseudonyms)
        return Arrival(
            request: sent, body: stored.body?.octets ?? [], receivedAt: facts.receivedAt,
            vendor: vendor, contract: nil, inbox: inbox, flow: Self.flow(ofPath: sent.path),
            key: key, parameters: [], site: site(of: sent),
            masked: stored.isMasked ? .names : .nothing, isChanged: stored.isChanged)
    }

    /// The flow that a path of the built-in receiver names, even if the rest is invalid.
    private static func flow(ofPath path: ArraySlice<UInt8>) -> String? {
        guard let components = Link(path: path)?.withoutDotSegments.components,
            components.count == 4, components[0] == "callbacks",
            FlowID.isValid(components[3].utf8)
        else { return nil }
        return components[3]
    }
}
