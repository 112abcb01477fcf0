// Runs the checks of a certificate, one after the other.
//
// Invariant: every check has a result; after a failed TLS handshake the rest is skipped, because
// nothing can be sent. Only an endpoint that can't be reached at all gives no certificate.

import Clocks
import HTTPClient
import Vendors

/// Sends the requests of a plan.
package struct Certifier: Sendable {
    /// Certificates (PEM) to verify the endpoint with; nil for the system's.
    package var authorities: [UInt8]?
    /// Whether TLS and its certificate are checked.
    package var checksTLS = true
    /// Maximum time for each response.
    package var limit = Duration.seconds(10)

    package init() {}

    /// Runs the checks.
    ///
    /// - Parameter report: called with each result and the number of all checks.
    /// - Throws: if the endpoint can't be reached, or the task is cancelled.
    package func run(
        _ plan: CheckPlan, _ checks: [Check],
        report: (CheckResult, _ count: Int) throws -> Void
    ) async throws -> Certificate {
        let count = checks.count + 1
        var certificate = Certificate(plan)
        let transport = try await transport(plan)
        certificate.add(transport)
        try report(transport, count)
        var blocked: String?
        if case .failed(_, let found) = transport.ending, plan.endpoint.scheme == "https" {
            blocked = "TLS failed: \(found)"
        }
        for check in checks {
            let result: CheckResult
            if let blocked {
                result = CheckResult(check.group, check.name, .skipped(blocked))
            } else {
                if check.delay > .zero { try await Task.sleep(for: check.delay) }
                result = try await self.result(of: check)
            }
            certificate.add(result)
            try report(result, count)
        }
        return certificate
    }

    /// The connection itself: TLS as phones accept it.
    private func transport(_ plan: CheckPlan) async throws -> CheckResult {
        let check = Check(
            .transport, "TLS 1.2 or newer, with a trusted certificate for this host", .answered,
            .get, plan.endpoint.description)
        let (isSecure, isLocal) = (plan.endpoint.scheme == "https", plan.endpoint.isLocal)
        let (error, milliseconds) = try await exchange(check).failure
        func failed(_ reason: String) -> CheckResult {
            CheckResult(
                .transport, check.name,
                .failed(expected: "a connection that phones accept", found: reason),
                milliseconds: milliseconds)
        }
        switch error {
        case .unreachable, .addressRefused, .unavailable, .invalidURL:
            throw error ?? .noResponse
        case .untrusted(_, let reason): return failed(reason)
        case .timedOut(authority: _, isConnected: false) where isSecure:
            return failed("no handshake in time")
        default: break
        }
        if !checksTLS {
            return CheckResult(.transport, check.name, .skipped("not checked on request"))
        }
        if isSecure {
            return CheckResult(.transport, check.name, .passed, milliseconds: milliseconds)
        }
        return CheckResult(
            .transport, check.name,
            isLocal
                ? .skipped("the endpoint is on this machine and has no TLS")
                : .failed(expected: "https, because callbacks are personal", found: "http"))
    }

    private func result(of check: Check) async throws -> CheckResult {
        let exchange = try await exchange(check)
        switch exchange.result {
        case .success(let head):
            return CheckResult(of: check, head, milliseconds: exchange.milliseconds)
        case .failure(let error):
            return CheckResult(
                of: check, error, within: limit, milliseconds: exchange.milliseconds)
        }
    }

    /// A finished exchange.
    private struct Exchange {
        let result: Result<ResponseHead, ClientError>
        let milliseconds: Int

        var failure: (error: ClientError?, milliseconds: Int) {
            guard case .failure(let error) = result else { return (nil, milliseconds) }
            return (error, milliseconds)
        }
    }

    private func exchange(_ check: Check) async throws -> Exchange {
        let signature = check.signature(Timestamp.now.unixMilliseconds / 1000)
        var request = ClientRequest(
            check.method, check.url,
            fields: [("Accept", "application/json")] + check.fields + signature,
            trusting: authorities)
        request.verifiesServer = checksTLS
        let milliseconds = UInt64(clamping: limit.wholeMilliseconds)
        request.limitWaits(to: milliseconds)
        request.totalMilliseconds = milliseconds
        if check.method == .post { request.body = .bytes(check.body) }
        let start = ContinuousClock.now
        let result: Result<ResponseHead, ClientError>
        do throws(ClientError) {
            // The content doesn't matter, and may be long.
            result = .success(try await Client.send(request) { _, _ in })
        } catch {
            result = .failure(error)
        }
        if case .failure(.cancelled) = result { throw CancellationError() }
        return Exchange(
            result: result,
            milliseconds: (ContinuousClock.now - start).wholeMilliseconds)
    }
}

extension Duration {
    /// Rounded down.
    fileprivate var wholeMilliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
