// A delivery attempt as a record of its flow: the request as sent, and the response.
//
// Invariant: it has the structure of a received request, so that all readers of records can read
// it; credentials are redacted and values masked in the same way. Left out: what a record that is
// sent again holds, because erasing that record erases no other.

import JSON
import LinkPatterns
import Logging
import ResultAPI
import ResultStore
import Vendors

extension DeliveryAttempt {
    /// The record of the attempt.
    ///
    /// - Parameter pseudonyms: nil stores health and location values unchanged.
    package func record(masking pseudonyms: Pseudonyms?) -> NewRecord {
        NewRecord(
            kind: .delivery, receivedAt: startedAt, inbox: delivery.inbox,
            vendor: (delivery.contract?.vendor ?? delivery.vendor ?? .raw).rawValue,
            contract: delivery.contract?.rawValue,
            outcome: nil,
            verdict: Verdict.unmatched.rawValue, flow: delivery.flow,
            request: request(masking: pseudonyms),
            result: try? JSONDocument(parsing: result), diagnostics: diagnostics)
    }

    private var diagnostics: RecordDiagnostics {
        guard isGivenUp else { return RecordDiagnostics() }
        return RecordDiagnostics([
            Diagnostic(
                severity: .warning, layer: .model, code: "delivery_given_up", part: .target,
                expected: "at most \(DeliveryQueue.retryPlaces) deliveries that are retried",
                found: "more",
                hint: "Too many failed deliveries are waiting for another attempt, so this one is "
                    + "not retried.")
        ])
    }

    private var result: [UInt8] {
        JSONWriter.object { json in
            json.member("attempt", number)
            json.member("status", status)
            json.member("failure", failure)
            json.member("duration_ms", Int(milliseconds))
            json.member("next_attempt_ms", next.map { Int($0.milliseconds) })
            if let rule = delivery.rule { json.member("rule", rule) }
            if let resent = delivery.resent { json.member("result", resent.description) }
            if delivery.rule != nil { json.member("outcome", outcome?.rawValue) }
        }
    }

    /// The request as sent, without a query that may be secret; that of a record without its query,
    /// fields and body, which must not outlast the erasure of the record.
    private func request(masking pseudonyms: Pseudonyms?) -> RecordRequest {
        let url = LinkURL(delivery.url)
        let host = url.authority ?? ""
        let path = url.path.isEmpty ? "/" : url.path
        if delivery.resent != nil { return request(to: host, path, url.scheme) }
        let query = delivery.hidesQuery ? nil : url.query
        let target = Array((path + (query.map { "?\($0)" } ?? "")).utf8)
        let sent = Callback(target: target, body: .other(contentType: "", delivery.body))
        let kept = pseudonyms.map { Masking.mask(sent, by: $0) } ?? sent
        let isMasked = kept.target != sent.target || kept.body?.bytes != sent.body?.bytes
        let fields = KeptFields(pseudonyms: pseudonyms)
        return RecordRequest(
            method: delivery.method.rawValue, scheme: url.scheme?.lowercased(), host: host,
            target: Redaction.redactTarget(kept.target), version: "1.1", peer: host,
            fields: ([("Host", host)] + self.fields).lazy.map { name, value in
                let name = Array(name.utf8)[...]
                return (name, fields.value(of: name, Array(value.utf8)[...]))
            },
            body: delivery.body.isEmpty
                ? nil : RecordRequest.Body(Redaction.redactBody(kept.body?.bytes ?? [])),
            masked: isMasked ? Masking.Extent.values.rawValue : nil)
    }

    /// The request of a record that is sent again: its place, and the fields that a rule adds.
    private func request(to host: String, _ path: String, _ scheme: String?) -> RecordRequest {
        var lines = [(name: "Host", value: host)]
        if delivery.rule != nil { lines += fields.suffix(ForwardQueue.fields.count) }
        return RecordRequest(
            method: delivery.method.rawValue, scheme: scheme?.lowercased(), host: host,
            target: Redaction.redactTarget(Array(path.utf8)), version: "1.1", peer: host,
            fields: lines.map { line in
                (name: Array(line.name.utf8)[...], value: Array(line.value.utf8)[...])
            }, body: nil)
    }
}

extension ResultStore {
    /// Stores an attempt; if that fails, it is logged.
    @discardableResult
    func keep(
        _ attempt: DeliveryAttempt, masking pseudonyms: Pseudonyms?, _ log: Logger
    ) async -> Receipt? {
        do throws(StoreError) {
            return try await append(attempt.record(masking: pseudonyms))
        } catch {
            log.error("a delivery attempt could not be stored", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}
