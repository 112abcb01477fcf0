// `POST /api/v1/results/{id}/adopt?vendor=&inbox=`: turns a stray into the callback that it was
// meant to be.
//
// Invariant: the callback is stored before the stray is erased; a failure in between leaves both.

import HTTP1
import JSON
import Problems
import ResultStore
import Vendors

extension ResultAPI {
    /// Stores a stray as a callback of a vendor, with the stray's time; 201 with the callback for
    /// any verdict.
    package func adoptStray(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let vendor = parameters.take(
            "vendor", expected: "one of \(Vendor.names.joined(separator: ", "))"
        ) { Vendor(rawValue: $0) }
        let inbox = parameters.take("inbox", expected: Inbox.rule) { Inbox.isValid($0) ? $0 : nil }
        if vendor == nil, parameters.findings.isEmpty {
            parameters.add("vendor", "Name the vendor of the callback.")
        }
        try parameters.finish()
        let (line, permit) = try await line(of: query.subject)
        defer { withExtendedLifetime(permit) {} }
        guard let vendor, let facts = store.facts(in: line), facts.kind == .stray,
            let callback = StoredRequest(ofRecord: line.text)?.callback,
            let stored = try? JSONDocument(parsing: line.text).root["request"],
            let sent = RecordRequest(json: Array(stored.text))
        else {
            throw Problem(
                status: .conflict, kind: "not-a-stray",
                detail: "Only strays can be adopted: GET /api/v1/results?kind=stray lists them.")
        }
        let record = CallbackRecord(
            Decoding(of: callback, from: vendor), receivedAt: facts.receivedAt,
            inbox: inbox ?? facts.inbox, vendor: vendor, request: sent
        ).stored
        let receipt = try await ask { () async throws(StoreError) in try await store.append(record)
        }
        _ = try await ask { () async throws(StoreError) in try await store.erase(facts.id) }
        var response = CallbackReply.response(
            id: receipt.id.description, sequence: receipt.knownSequence, verdict: record.verdict,
            outcome: record.outcome, flow: record.flow, diagnostics: record.diagnostics.json)
        response.status = .created
        return response
    }
}
