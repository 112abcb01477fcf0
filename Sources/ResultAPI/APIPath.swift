// The paths of the API that responses link to, or that several targets request. Left out: the table
// of all routes, which `Server` has; a test holds it against these paths.

import Text

/// Paths of the API.
package enum APIPath {
    /// Creates launches; stored with each that was created, so it never changes.
    package static let launches = "/api/v1/launches"
    /// Lists results.
    package static let results = "/api/v1/results"
    /// Lists inboxes.
    static let inboxes = "/api/v1/inboxes"

    /// One result.
    package static func result(_ id: String) -> String { "/api/v1/results/" + id }

    /// One flow.
    package static func flow(_ id: String) -> String { "/api/v1/flows/" + id.percentEncoded }

    /// The results of a flow, oldest first.
    package static func results(ofFlow id: String) -> String {
        "\(results)?flow=\(id.percentEncoded)&sort=seq"
    }
}
