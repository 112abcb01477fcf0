// Verifies the signatures of callbacks that must be signed.
//
// Invariant: without secrets, nothing is verified and a signature has no effect. The same
// fields from vendors that post no webhooks are ignored.

import HTTP1
import ResultAPI
import Settings
import Vendors

/// Verifies webhook deliveries.
package struct WebhookGate: Sendable {
    private let secrets: [WebhookSecret]

    package init(secrets: [WebhookSecret]) {
        self.secrets = secrets
    }

    /// Whether deliveries must be signed.
    package var isRequired: Bool { !secrets.isEmpty }

    /// Verifies a delivery; nil if its signature is valid or none is required.
    ///
    /// O(body · secrets).
    ///
    /// - Parameters:
    ///   - pinned: the contract that the receiver expects.
    ///   - now: seconds since 1970-01-01T00:00:00Z.
    ///   - isChanged: whether the body is a stored one that isn't what its sender signed.
    package func fault(
        of request: Request, _ callback: Callback, _ body: [UInt8], to vendor: Vendor,
        pinned: Contract?, now: Int64, isChanged: Bool = false
    ) -> WebhookFault? {
        // A link without a body isn't a delivery, whatever header fields it has.
        guard !secrets.isEmpty, vendor.postsWebhooks, request.method == .post || !body.isEmpty
        else { return nil }
        let fields = WebhookFields(request)
        guard fields.isDelivery || callback.holdsDelivery(at: pinned) else { return nil }
        do throws(WebhookFault) {
            try WebhookSignature.check(fields, body, secrets: secrets, now: now)
            // The method isn't signed, and only a POST is recognised when it is repeated.
            return request.method == .post ? nil : .notPosted
        } catch {
            if isChanged, case .noMatch = error { return .changedBody }
            return error
        }
    }

    /// The id that identifies repetitions of a delivery; nil for other requests.
    package static func id(of request: Request, to vendor: Vendor) -> String? {
        guard vendor.postsWebhooks, request.method == .post else { return nil }
        return WebhookFields.id(of: request)
    }
}
