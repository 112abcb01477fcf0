// Why a webhook delivery is not trusted, for its sender and its record. Invariant: no secret, no
// signature and no part of one is repeated.

import Problems
import ResultStore
import Vendors

/// The first error in a delivery's signature.
package enum WebhookFault: Error, Equatable {
    /// Required fields are missing.
    case missing([String])
    /// The timestamp is not a number of seconds.
    case noTimestamp
    /// The timestamp is this many seconds in the past, more than allowed.
    case tooOld(seconds: Int64)
    /// The timestamp is this many seconds in the future, more than allowed.
    case tooNew(seconds: Int64)
    /// None of the entries has version 1.
    case noEntry(entries: Int)
    /// None of the version 1 entries is valid Base64.
    case noBase64(entries: Int)
    /// None of the version 1 entries matches any of the secrets.
    case noMatch(entries: Int, secrets: Int)
    /// None of the entries matches, but the body is a stored one that was changed before it was
    /// stored.
    case changedBody
    /// The signature matches, but the method isn't POST, and only a repeated POST is recognised.
    case notPosted

    /// What was found, for people.
    package var found: String {
        switch self {
        case .missing(let names): "no \(names.joined(separator: ", no "))"
        case .noTimestamp: "a timestamp that isn't a number of seconds"
        case .tooOld(let seconds): "a timestamp that is \(seconds) s old"
        case .tooNew(let seconds): "a timestamp that lies \(seconds) s ahead"
        case .noEntry(let entries): "no v1 entry among \(entries)"
        case .noBase64(let entries):
            entries == 1
                ? "a v1 entry that isn't Base64" : "\(entries) v1 entries that aren't Base64"
        case .noMatch(let entries, _):
            entries == 1
                ? "a v1 entry that doesn't match" : "\(entries) v1 entries, none of which matches"
        case .changedBody: "a body that was redacted, masked or split when it was stored"
        case .notPosted: "another method"
        }
    }

    /// What is expected.
    package var expected: String {
        switch self {
        case .missing: "svix-id, svix-timestamp and svix-signature, or the same as webhook-…"
        case .noTimestamp: "seconds since 1970-01-01T00:00:00Z"
        case .tooOld, .tooNew:
            "a timestamp within \(WebhookSignature.toleranceSeconds) s of this server's clock"
        case .noEntry: "an entry such as v1,BASE64 in svix-signature"
        case .noBase64: "Base64 after v1,"
        case .noMatch(_, let secrets):
            secrets == 1
                ? "a signature made with the configured secret"
                : "a signature made with one of the \(secrets) configured secrets"
        case .changedBody: "the body as it was signed"
        case .notPosted: "a POST"
        }
    }

    /// How to correct it.
    package var hint: String {
        switch self {
        case .missing: "send it as the vendor does, signed with the secret of this endpoint"
        case .noTimestamp: "send whole seconds"
        case .tooOld: "sign each attempt again, and set both clocks"
        case .tooNew: "set both clocks"
        case .noEntry, .noBase64: "the code is the Base64 of HMAC-SHA256 over id.timestamp.body"
        case .noMatch:
            "compare the endpoint's secret with webhooks.secrets; the signed body must arrive "
                + "byte for byte, and what follows whsec_ is Base64"
        case .changedBody: "let the vendor send it again: what is stored can't be verified"
        case .notPosted: "send it as the vendor does"
        }
    }

    /// The diagnostic that is stored with the delivery.
    package var diagnostic: Diagnostic {
        Diagnostic(
            severity: .warning, layer: .body, code: RecordDiagnostics.refusedCode, part: .body,
            expected: expected, found: found, hint: hint)
    }

    /// The response to the sender.
    package var problem: Problem {
        Problem(
            status: .unauthorized, kind: "webhook-not-verified",
            detail:
                "The delivery is stored, but not verified: expected \(expected), found \(found). "
                + "What to do: \(hint).",
            // RFC 9110 §15.5.2 requires a challenge.
            fields: [("WWW-Authenticate", "Webhook-Signature")])
    }
}
