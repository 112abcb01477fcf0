// `POST /api/v1/decode`: decodes a callback without storing it. Left out: which app a URL would
// open; `links/explain` reports that.

import HTTP1
import JSON
import Problems
import ResultAPI
import Vendors

extension Application {
    /// Decodes the callback in the request body: `url`, `body` with its `content_type`, or both.
    ///
    /// Throws 400 for members that are unknown or of the wrong kind, and 422 for members that
    /// exclude each other.
    func decode(
        _ request: Request, over connection: inout Connection
    ) async throws(Problem) -> Response {
        try QueryParameters(request).requireNone()
        let text = try await connection.content(upTo: callbackBodyBytes)
        let permit = try await api.memory(toDecode: text)
        defer { withExtendedLifetime(permit) {} }
        // A long URL takes longer than callbacks of others should wait.
        let document = try await api.work.run { () async throws(Problem) in
            try Self.document(decoding: text)
        }
        return ResultAPI.uncached(document, isCompressible: true)
    }

    private static func document(decoding text: [UInt8]) throws(Problem) -> [UInt8] {
        let members = try JSONMembers(
            text, known: ["url", "body", "content_type", "vendor", "contract"])
        let vendor = try members.choice("vendor", of: Vendor.self)
        let contract = try members.choice("contract", of: Contract.self)
        if let contract, let vendor, contract.vendor != vendor {
            throw contradiction(
                "contract", "Expected one of \(vendor.rawValue)'s, or no vendor.")
        }
        let url = try members.text("url")
        let body = try members.text("body").map { Array($0.utf8) }
        let type = try members.text("content_type")
        guard url != nil || body != nil else {
            throw contradiction("url", "Expected a URL here, or a body in `body`.")
        }
        let pasted: PastedCallback
        if let body {
            let content = Callback.Body(body, contentType: type.map { Array($0.utf8)[...] })
            pasted = PastedCallback(
                Callback(target: Array((url ?? "/").utf8), body: content), vendor: vendor,
                contract: contract)
        } else if let found = PastedCallback(url ?? "", vendor: vendor, contract: contract) {
            pasted = found
        } else {
            throw contradiction("url", "Expected one line: give one callback at a time.")
        }
        var json = JSONWriter(reservingCapacity: 1024)
        pasted.decoding.writeDocument(with: pasted.layers, to: &json)
        return json.bytes
    }

    /// 422 for a member that contradicts another one.
    private static func contradiction(_ name: String, _ detail: String) -> Problem {
        Problem(
            status: .unprocessableContent, kind: "nothing-to-decode",
            detail: "Invalid value in the body: \(name).",
            findings: [Problem.Finding(name: name, detail: detail)])
    }
}
