// Selects the form of a response that a client prefers (RFC 9110 §12.5.1).

import HTTP1
import Problems

/// A form of results.
package enum ResultForm: String, CaseIterable, Sendable {
    case json = "application/json"
    case lines = "application/x-ndjson"
    case table = "text/plain"

    /// The form that a request prefers; JSON by default, or if none is supported.
    ///
    /// Of equal weights the more specific range wins, then our first form. O(size of the field).
    package init(_ request: Request) {
        let accepted = AcceptedTypes(request)
        var best: (form: ResultForm, weight: Int, specificity: Int) = (.json, 0, 0)
        for form in Self.allCases {
            guard let own = accepted.match(form.rawValue), own.weight > 0 else { continue }
            if (own.weight, own.specificity) > (best.weight, best.specificity) {
                best = (form, own.weight, own.specificity)
            }
        }
        self = best.form
    }
}
