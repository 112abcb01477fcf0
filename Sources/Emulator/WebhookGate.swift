// Which callbacks have to be signed, and whether they are.
//
// Invariant: without secrets nothing is asked for, and a signature counts for nothing. Only Flux signs
// what it sends; the fields of other senders mean nothing here.

import HTTP1
import ResultAPI
import ResultStore
import Settings
import Vendors

/// Looks at deliveries before they are believed.
package struct WebhookGate: Sendable {
    private let secrets: [WebhookSecret]

    package init(secrets: [WebhookSecret]) {
        self.secrets = secrets
    }

    /// What is wrong with a delivery; nil for one that is signed, and for what needs no signature.
    ///
    /// O(body · secrets).
    ///
    /// - Parameter now: seconds since 1970-01-01T00:00:00Z.
    package func fault(
        of request: Request, _ callback: Callback, _ body: [UInt8], to vendor: Vendor, now: Int64
    ) -> WebhookFault? {
        guard !secrets.isEmpty, vendor == .dimmy, request.method == .post else { return nil }
        let fields = WebhookFields(request)
        guard fields.isDelivery || callback.holdsDelivery else { return nil }
        do throws(WebhookFault) {
            try WebhookSignature.check(fields, body, secrets: secrets, now: now)
            return nil
        } catch {
            return error
        }
    }

    /// The id by which a delivery is known when it comes again; nil for what is none.
    package static func id(of request: Request, to vendor: Vendor) -> String? {
        guard vendor == .dimmy, request.method == .post else { return nil }
        return WebhookFields(request).id.flatMap { IdempotencyKey.isValid($0.utf8) ? $0 : nil }
    }
}
