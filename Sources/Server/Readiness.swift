// `GET /readyz`: whether the server does its work, for load balancers, service managers and people.
// It is public, so details hold no path and no error text of this machine.
//
// A value: what it judges and the time are arguments.

import HTTP1
import JSON
import ResultStore

/// The checks of a server that is asked whether it is ready.
struct Readiness {
    /// One part of the server.
    struct Check: Equatable {
        enum Status: String {
            case pass
            /// The server works, but something needs attention.
            case warn
            case fail
        }

        let name: String
        let status: Status
        /// What is wrong and what to do; nil if nothing is.
        let detail: String?

        init(_ name: String, _ status: Status = .pass, _ detail: String? = nil) {
            self.name = name
            self.status = status
            self.detail = detail
        }
    }

    let checks: [Check]

    /// Whether no check has failed.
    var isReady: Bool { checks.allSatisfy { $0.status != .fail } }

    /// - Parameters:
    ///   - expiries: of the certificates in use, by name, in Unix seconds; empty without TLS.
    ///   - now: in Unix seconds.
    init(_ status: StoreStatus, expiries: [(name: String, expiresAt: Int64)], now: Int64) {
        checks =
            [Self.store(status)] + (status.isDatabase ? [Self.database(status)] : [])
            + [Self.disk(status), Self.index(status), Self.certificates(expiries, now)]
    }

    private static func store(_ status: StoreStatus) -> Check {
        for failure in [status.failure, status.spoolFailure].compactMap(\.self) {
            switch failure {
            case .full, .database: continue
            default:
                return Check("store", .fail, "The last callback was not stored: \(failure.kind).")
            }
        }
        return Check("store")
    }

    /// Whether the database can be used, and what waits for it.
    private static func database(_ status: StoreStatus) -> Check {
        if status.isDatabaseFailing {
            return Check(
                "database", .fail,
                status.spooled > 0
                    ? "It can't be used, and the log says why. \(status.spooled) records wait on "
                        + "this machine." : "It can't be used, and the log says why.")
        }
        guard status.spooled > 0 else { return Check("database") }
        return Check(
            "database", .warn, "\(status.spooled) records that waited for it are being stored.")
    }

    private static func disk(_ status: StoreStatus) -> Check {
        guard status.isFull else { return Check("disk") }
        return Check(
            "disk", .fail, "The disk is full: callbacks are refused with 507. Make room on it.")
    }

    private static func index(_ status: StoreStatus) -> Check {
        if let (done, total) = status.rebuilding {
            return Check(
                "index", .fail, "It is being rebuilt: \(done) of \(total) bytes are read.")
        }
        if let failure = status.indexFailure, !failure.isFull {
            return Check("index", .fail, "It can't be written; the log says why within a minute.")
        }
        guard status.lag > mostLag else { return Check("index") }
        return Check("index", .fail, "It lacks \(status.lag) stored results.")
    }

    /// One expired certificate leaves the other hosts reachable, so only all of them make the
    /// server unready.
    private static func certificates(
        _ expiries: [(name: String, expiresAt: Int64)], _ now: Int64
    ) -> Check {
        let expired = expiries.filter { $0.expiresAt <= now }
        guard !expired.isEmpty else { return Check("certificates") }
        let names = expired.map(\.name).joined(separator: ", ")
        return Check(
            "certificates", expired.count == expiries.count ? .fail : .warn,
            "Expired: \(names). Replace the files; the server reads them again by itself.")
    }

    /// Maximum results that may wait to be indexed: some seconds of the heaviest load.
    private static let mostLag = 100_000

    /// 200, or 503 if a check has failed; all checks either way.
    var response: Response {
        var json = JSONWriter()
        json.object { json in
            json.member("status", isReady ? "ready" : "not ready")
            json.objects("checks", of: checks) { json, check in
                json.member("name", check.name)
                json.member("status", check.status.rawValue)
                if let detail = check.detail { json.member("detail", detail) }
            }
        }
        var response = Response(
            isReady ? .ok : .serviceUnavailable, contentType: "application/json",
            body: json.bytes)
        response.add("Cache-Control", "no-store")
        return response
    }
}

extension StoreError {
    /// The kind of failure, without paths of this machine.
    fileprivate var kind: String {
        switch self {
        case .syncFailed: "the disk can't be trusted"
        case .closed: "the server is stopping"
        case .database: "the database can't be used"
        case .locked: "another process uses the data folder"
        default: "a file can't be written"
        }
    }
}
