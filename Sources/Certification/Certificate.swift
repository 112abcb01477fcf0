// The results of all checks of an endpoint, and the certificate as JSON.
//
// Invariant: a certificate is good if at least one check passed and none failed. The endpoint is
// shown without user name, password and query.

import HTTPClient
import JSON
import Vendors

/// What is certified of an endpoint.
package struct Certificate: Sendable {
    /// Without user name, password and query.
    package let url: String
    package let contract: Contract
    package let seed: UInt64
    /// Seconds since 1970.
    let time: Int64
    private(set) var results: [CheckResult] = []

    init(_ plan: CheckPlan) {
        url = RequestPlace.shown(plan.endpoint.description)
        contract = plan.contract
        seed = plan.seed
        time = plan.now
    }

    mutating func add(_ result: CheckResult) { results.append(result) }

    package var passed: Int { results.count { $0.ending == .passed } }

    package var failed: Int { results.count - passed - skipped }

    package var skipped: Int {
        results.count {
            if case .skipped = $0.ending { true } else { false }
        }
    }

    /// Whether the endpoint does what a partner must do.
    package var isGood: Bool { passed > 0 && failed == 0 }

    /// One JSON object on one line.
    package var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: results.count * 200)
        json.object { json in
            json.member("url", url)
            json.member("vendor", contract.vendor.rawValue)
            json.member("contract", contract.rawValue)
            json.member("seed", "\(seed)")
            json.member("ok", isGood)
            json.member("passed", passed)
            json.member("failed", failed)
            json.member("skipped", skipped)
            json.objects("checks", of: results) { json, result in
                json.member("group", result.group.rawValue)
                json.member("name", result.name)
                json.member("result", result.word)
                json.member("status", result.status)
                json.member("duration_ms", result.milliseconds)
                if case .failed(let expected, let found) = result.ending {
                    json.member("expected", expected)
                    json.member("found", found)
                }
                if case .skipped(let reason) = result.ending {
                    json.member("reason", reason)
                }
            }
        }
        return json.bytes
    }
}

extension CheckResult {
    /// `passed`, `failed` or `skipped`.
    var word: String {
        switch ending {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }

    /// What is wrong, or why it was skipped; nil if it passed.
    package var sentence: String? {
        switch ending {
        case .passed: nil
        case .failed(let expected, let found): "expected \(expected); found \(found)"
        case .skipped(let reason): reason
        }
    }
}
