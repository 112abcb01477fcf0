// A delivery attempt as a record of its flow: the request as sent, and the response.
//
// Invariant: it has the structure of a received request, so that all readers of records can read
// it; credentials are redacted and values masked in the same way.

import AppLinks
import JSON
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
            vendor: delivery.contract.vendor.rawValue, contract: delivery.contract.rawValue,
            outcome: nil,
            verdict: Verdict.unmatched.rawValue, flow: delivery.flow,
            request: request(masking: pseudonyms),
            result: result, diagnostics: diagnostics)
    }

    private var diagnostics: [UInt8] {
        var json = JSONWriter()
        json.array { json in
            guard isGivenUp else { return }
            Diagnostic(
                severity: .warning, layer: .model, code: "delivery_given_up", part: .target,
                expected: "at most \(DeliveryQueue.retryPlaces) deliveries that are retried",
                found: "more",
                hint: "Too many failed deliveries are waiting for another attempt, so this one is "
                    + "not retried."
            ).write(to: &json)
        }
        return json.bytes
    }

    private var result: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("attempt", number)
            json.member("status", status)
            json.member("failure", failure)
            json.member("duration_ms", Int(milliseconds))
            json.member("next_attempt_ms", next.map { Int($0.milliseconds) })
        }
        return json.bytes
    }

    /// The request as sent.
    private func request(masking pseudonyms: Pseudonyms?) -> [UInt8] {
        let url = LinkURL(delivery.url)
        let host = (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
        let path = url.path.isEmpty ? "/" : url.path
        let target = Array((path + (url.query.map { "?\($0)" } ?? "")).utf8)
        let sent = Callback(target: target, body: .other(contentType: "", delivery.body))
        let kept = pseudonyms.map { Masking.mask(sent, by: $0) } ?? sent
        let isMasked = kept.target != sent.target || kept.body?.bytes != sent.body?.bytes
        var json = JSONWriter(reservingCapacity: delivery.body.count + target.count + 256)
        json.object { json in
            json.member("method", delivery.method.rawValue)
            json.member("scheme", url.scheme?.lowercased())
            json.member("host", host)
            json.key("target")
            json.string(utf8: Redaction.redactTarget(kept.target))
            json.member("version", "1.1")
            json.member("peer", host)
            json.key("headers")
            json.array { json in
                for field in [("Host", host)] + fields {
                    json.array { json in
                        json.value(field.0)
                        let value = KeptFields(pseudonyms: pseudonyms).value(
                            of: Array(field.0.utf8)[...], Array(field.1.utf8)[...])
                        json.value(String(decoding: value, as: UTF8.self))
                    }
                }
            }
            json.key("body")
            if delivery.body.isEmpty {
                json.null()
            } else {
                json.object { json in
                    json.member("encoding", "utf8")
                    json.member(
                        "data",
                        String(
                            decoding: Redaction.redactBody(kept.body?.bytes ?? []), as: UTF8.self))
                }
            }
            if isMasked { json.member("masked", Masking.Extent.values.rawValue) }
        }
        return json.bytes
    }
}
