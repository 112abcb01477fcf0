// `GET /api/v1/results/{id}/layers`: the road of decoding of a stored callback, with the bytes
// around each fault.
//
// Invariant: the stored request is decoded again, so every place is in the bytes that the store
// shows: credentials are redacted, and masked values are pseudonyms.

import HTTP1
import JSON
import Problems
import ResultStore
import Vendors

extension ResultAPI {
    /// `GET /api/v1/results/{id}/layers`.
    func resultLayers(_ query: Query) async throws(Problem) -> Response {
        var parameters = query.parameters
        let hides = parameters.takeHidesCredentials()
        try parameters.finish()
        let stored = try await line(of: query.subject).0.text
        let text = hides ? ListedRecord.text(of: stored) : stored
        let permit = try await memory(toDecode: text)
        guard let root = try? JSONDocument(parsing: text).root, let name = root["id"]?.string,
            let callback = StoredRequest(ofRecord: text)?.callback
        else { throw Self.damagedRequest }
        guard root["kind"]?.string == RecordKind.callback.rawValue,
            let vendor = root["vendor"]?.string.flatMap({ Vendor(rawValue: $0) })
        else { throw Self.notACallback }
        let contract = root["request"]?["pinned"]?.string.flatMap { Contract(rawValue: $0) }
        let decoding = Decoding(of: callback, from: vendor, contract: contract)
        var json = JSONWriter(reservingCapacity: 4096)
        json.object { json in
            json.member("id", name)
            json.key("steps")
            LayerTrace(of: callback, decoding).write(to: &json)
        }
        var response = try Self.named(Self.json(json.bytes), for: query)
        response.permit = permit
        return response
    }

    package static let notACallback = Problem(
        status: .conflict, kind: "not-a-callback",
        detail: "This record isn't a callback: GET /api/v1/results lists callbacks.")
}
