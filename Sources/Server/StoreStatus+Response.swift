// `GET /readyz`: reports whether the server is ready, for load balancers and people.

import HTTP1
import JSON
import ResultStore

extension StoreStatus {
    /// 200, or 503 with the parts that are not ready.
    package var response: Response {
        var missing: [(name: String, detail: String)] = []
        switch failure {
        case .full: missing.append(("disk", "The disk is full: callbacks are refused with 507."))
        case let failure?:
            missing.append(("store", "The last callback was not stored: \(failure.kind)."))
        case nil: break
        }
        if let (done, total) = rebuilding {
            missing.append(
                ("index", "It is being rebuilt: \(done) of \(total) bytes are read."))
        } else if lag > Self.mostLag {
            missing.append(("index", "It lacks \(lag) stored results."))
        }
        var json = JSONWriter()
        json.object { json in
            json.member("status", missing.isEmpty ? "ready" : "not ready")
            guard !missing.isEmpty else { return }
            json.key("missing")
            json.array { json in
                for (name, detail) in missing {
                    json.object { json in
                        json.member("name", name)
                        json.member("detail", detail)
                    }
                }
            }
        }
        var response = Response(
            missing.isEmpty ? .ok : .serviceUnavailable, contentType: "application/json",
            body: json.bytes)
        response.add("Cache-Control", "no-store")
        return response
    }

    /// Maximum results that may wait to be indexed: some seconds of the heaviest load.
    private static let mostLag = 100_000
}

extension StoreError {
    /// The kind of failure, without paths of this machine.
    fileprivate var kind: String {
        switch self {
        case .syncFailed: "the disk can't be trusted"
        case .closed: "the server is stopping"
        default: "a file can't be written"
        }
    }
}
