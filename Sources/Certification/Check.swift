// One request to a partner's endpoint, and what its response must be.
//
// Invariant: a check's name and group say what is sent without repeating a value of the message.

import HTTPClient

/// A request of a certificate.
package struct Check: Sendable {
    /// What a check is about.
    package enum Group: String, CaseIterable, Sendable {
        /// The connection: TLS and the certificate.
        case transport
        /// What the vendor's app sends in each scenario.
        case scenarios
        /// The same messages in other forms.
        case variants
        /// The same message again.
        case repeats
        /// Messages with a broken layer.
        case malformed
        /// Deliveries of the vendor's server, signed and not.
        case webhooks
    }

    /// What the status must be.
    ///
    /// Redirects are never accepted: apps and back ends lose the message.
    package enum Expectation: Sendable {
        /// 2xx.
        case accepted
        /// 2xx; or 414, because a server may limit its URLs.
        case acceptedUnlessTooLong
        /// Anything below 500 that isn't a redirect: a wrong message must not make the endpoint
        /// fail.
        case answered
        /// 4xx: the message is not trusted.
        case refused

        /// Whether a status is right.
        func allows(_ status: Int) -> Bool {
            switch self {
            case .accepted: 200..<300 ~= status
            case .acceptedUnlessTooLong: 200..<300 ~= status || status == 414
            case .answered: 200..<300 ~= status || 400..<500 ~= status
            case .refused: 400..<500 ~= status
            }
        }

        /// For people.
        var description: String {
            switch self {
            case .accepted: "2xx"
            case .acceptedUnlessTooLong: "2xx, or 414 for the length of the URL"
            case .answered: "2xx or 4xx"
            case .refused: "4xx"
            }
        }
    }

    let group: Group
    package let name: String
    let expectation: Expectation
    let method: ClientRequest.Method
    /// With everything that the message adds to it.
    let url: String
    var fields: [(name: String, value: String)] = []
    /// Further fields for the time at which it is sent, in seconds since 1970.
    var signature: @Sendable (_ now: Int64) -> [(name: String, value: String)] = { _ in [] }
    var body: [UInt8] = []
    /// How long to wait before it is sent.
    var delay: Duration = .zero

    init(
        _ group: Group, _ name: String, _ expectation: Expectation, _ method: ClientRequest.Method,
        _ url: String
    ) {
        self.group = group
        self.name = name
        self.expectation = expectation
        self.method = method
        self.url = url
    }
}
