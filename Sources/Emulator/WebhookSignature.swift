// Webhook signatures in Svix's format: HMAC-SHA256 over `id.timestamp.body` (vendor document 1.4).
//
// Invariant: the signature covers the body without its content coding. Codes are compared in
// constant time.

import Crypto
import FoundationEssentials
import ResultAPI
import Settings

/// Makes and verifies webhook signatures.
package enum WebhookSignature {
    /// Maximum difference between a delivery's time and ours, in seconds, both ways.
    static let toleranceSeconds: Int64 = 300

    /// Maximum entries of a signature field that are checked; senders rotate keys one at a time.
    static let mostEntries = 16

    /// The fields of a signed delivery.
    ///
    /// - Parameters:
    ///   - id: the message's id, the same for every attempt.
    ///   - timestamp: seconds since 1970-01-01T00:00:00Z.
    package static func fields(
        id: String, timestamp: Int64, body: [UInt8], secret: WebhookSecret
    ) -> [(name: String, value: String)] {
        let code = HMAC<SHA256>.authenticationCode(
            for: content(id: id, timestamp: String(timestamp), body), using: secret.key)
        return [
            ("svix-id", id), ("svix-timestamp", String(timestamp)),
            ("svix-signature", "v1,\(Data(code).base64EncodedString())"),
        ]
    }

    /// Verifies a delivery against secrets; any of them may match.
    ///
    /// O(body · secrets).
    ///
    /// - Parameter now: seconds since 1970-01-01T00:00:00Z.
    /// - Throws: the first error.
    package static func check(
        _ fields: WebhookFields, _ body: [UInt8], secrets: [WebhookSecret], now: Int64
    ) throws(WebhookFault) {
        guard let id = fields.id, let timestamp = fields.timestamp,
            let signatures = fields.signatures
        else { throw .missing(fields.missingNames) }
        guard let seconds = Int64(timestamp), seconds >= 0 else { throw .noTimestamp }
        guard now - seconds <= toleranceSeconds else { throw .tooOld(seconds: now - seconds) }
        guard seconds - now <= toleranceSeconds else { throw .tooNew(seconds: seconds - now) }
        let entries = signatures.split(separator: " ")
        let codes = entries.prefix(mostEntries).filter { $0.hasPrefix("v1,") }.compactMap {
            Data(base64Encoded: String($0.dropFirst(3)))
        }
        guard !codes.isEmpty else {
            let versions = entries.prefix(mostEntries).filter { $0.hasPrefix("v1,") }.count
            throw versions > 0 ? .noBase64(entries: versions) : .noEntry(entries: entries.count)
        }
        let content = content(id: id, timestamp: timestamp, body)
        for secret in secrets {
            for code in codes
            where HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: content, using: secret.key)
            {
                return
            }
        }
        throw .noMatch(entries: codes.count, secrets: secrets.count)
    }

    private static func content(id: String, timestamp: String, _ body: [UInt8]) -> [UInt8] {
        Array("\(id).\(timestamp).".utf8) + body
    }
}
