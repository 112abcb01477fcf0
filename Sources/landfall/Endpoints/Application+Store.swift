// Work on the store as a whole: compaction and verification, as a client asks for it.

import HTTP1
import JSONText
import ResultStore

extension Application {
    /// `POST /api/v1/store/compact`: compresses and compacts, and says what that did.
    func compactStore(_ request: Request) async throws(Problem) -> Response {
        var parameters = QueryParameters(request)
        try parameters.finish()
        let report = try await ask { () async throws(StoreError) in try await store.compact() }
        var response = Self.json(report.json)
        response.add("Cache-Control", "no-store")
        return response
    }
}

extension MaintenanceReport {
    /// The report as a JSON object.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("expired_results", expiredResults)
            json.member("removed_lines", removedLines)
            json.member("rewritten_segments", rewrittenSegments)
            json.member("compressed_segments", compressedSegments)
            json.member("bytes_before", Int(bytesBefore))
            json.member("bytes_after", Int(bytesAfter))
            json.key("failures")
            json.array { json in
                for failure in failures { json.value(failure.description) }
            }
        }
        return json.bytes
    }
}
