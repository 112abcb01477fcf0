// A callback of the vendor's app, ready to be delivered.

import Vendors

/// A callback with its URL.
package struct PlannedCallback: Sendable {
    package let url: String
    package let after: Duration
    let outcome: Outcome?
    /// The body to post; nil for a link.
    package var body: Callback.Body?
    /// Whether it belongs to an earlier launch.
    var isForFormerLaunch = false
}

extension PlannedCallback {
    /// Nil if the callback can't be a link.
    init?(
        _ callback: CallbackURL, _ query: [UInt8], after: Duration, outcome: Outcome?
    ) {
        guard let url = callback.appending(query) ?? callback.intent(with: query) else {
            return nil
        }
        self.init(
            url: String(decoding: url, as: UTF8.self), after: after, outcome: outcome)
    }
}
