// An answer of the vendor's app, as it is brought to the callback.

import Vendors

/// One answer with the URL that it leads to.
package struct PlannedAnswer: Sendable {
    package let url: String
    package let after: Duration
    package let outcome: Outcome?
    /// Content to be posted there; nil for a link.
    package var body: Callback.Body?
    /// Whether it belongs to the launch before this one.
    package var isForFormerLaunch = false
}

extension PlannedAnswer {
    /// Nil when the callback can't be a link.
    package init?(
        _ callback: CallbackURL, _ query: [UInt8], after: Duration, outcome: Outcome?
    ) {
        guard let url = callback.appending(query) ?? callback.intent(with: query) else {
            return nil
        }
        self.init(
            url: String(decoding: url, as: UTF8.self), after: after, outcome: outcome)
    }
}
