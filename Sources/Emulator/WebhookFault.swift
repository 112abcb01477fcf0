// Why a webhook's delivery is not believed, said to its sender and kept with it.
// Invariant: no secret, no signature and no part of one is repeated.

import Problems
import Vendors

/// The first thing that is wrong with a delivery's signature.
package enum WebhookFault: Error, Equatable {
    /// Fields that a signed delivery has are not there.
    case missing([String])
    /// The timestamp is no number of seconds.
    case noTimestamp
    /// The delivery was signed so many seconds ago, more than is allowed.
    case tooOld(seconds: Int64)
    /// The delivery says that it is signed so many seconds from now, more than is allowed.
    case tooNew(seconds: Int64)
    /// None of so many entries is of version 1.
    case noEntry(entries: Int)
    /// None of so many entries of version 1 is Base64.
    case noBase64(entries: Int)
    /// None of so many entries was made with one of so many secrets.
    case noMatch(entries: Int, secrets: Int)

    /// What was found, for people.
    package var found: String {
        switch self {
        case .missing(let names): "no \(names.joined(separator: ", no "))"
        case .noTimestamp: "a timestamp that is no number of seconds"
        case .tooOld(let seconds): "a timestamp that is \(seconds) s old"
        case .tooNew(let seconds): "a timestamp that lies \(seconds) s ahead"
        case .noEntry(let entries): "no v1 entry among \(entries)"
        case .noBase64(let entries):
            entries == 1
                ? "a v1 entry that is no Base64" : "\(entries) v1 entries that are no Base64"
        case .noMatch(let entries, _):
            entries == 1
                ? "a v1 entry that doesn't match" : "\(entries) v1 entries, none of which matches"
        }
    }

    /// What would have been right.
    package var expected: String {
        switch self {
        case .missing: "svix-id, svix-timestamp and svix-signature, or the same as webhook-…"
        case .noTimestamp: "seconds since 1970-01-01T00:00:00Z"
        case .tooOld, .tooNew:
            "a timestamp within \(WebhookSignature.toleranceSeconds) s of this server's clock"
        case .noEntry: "an entry such as v1,BASE64 in svix-signature"
        case .noBase64: "Base64 behind v1,"
        case .noMatch(_, let secrets):
            secrets == 1
                ? "a signature made with the configured secret"
                : "a signature made with one of the \(secrets) configured secrets"
        }
    }

    /// What to do about it.
    package var hint: String {
        switch self {
        case .missing: "send it as the vendor does, signed with the secret of this endpoint"
        case .noTimestamp: "send whole seconds"
        case .tooOld: "sign each attempt anew, and set both clocks"
        case .tooNew: "set both clocks"
        case .noEntry, .noBase64: "the code is the Base64 of HMAC-SHA256 over id.timestamp.body"
        case .noMatch:
            "compare the endpoint's secret with webhooks.secrets; the signed body must arrive "
                + "octet for octet, and what follows whsec_ is Base64"
        }
    }

    /// The finding that is stored with the delivery.
    package var diagnostic: Diagnostic {
        Diagnostic(
            severity: .warning, layer: .body, code: Self.code, part: .body, expected: expected,
            found: found, hint: hint)
    }

    /// The code of the finding.
    package static let code = "webhook_not_verified"

    /// The answer to the sender.
    package var problem: Problem {
        Problem(
            status: .unauthorized, kind: "webhook-not-verified",
            detail:
                "The delivery is stored, and not believed: expected \(expected), found \(found). "
                + "What to do: \(hint).",
            // RFC 9110 §15.5.2 asks for a challenge.
            fields: [("WWW-Authenticate", "Webhook-Signature")])
    }
}
