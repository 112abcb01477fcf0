// The result of a check: what was expected and what came.
//
// Invariant: no text repeats a query, a user name, a password or content of a response.

import HTTPClient

/// One finished check.
package struct CheckResult: Sendable {
    /// How a check ended.
    package enum Ending: Sendable, Equatable {
        case passed
        case failed(expected: String, found: String)
        /// It was not run; the sentence says why.
        case skipped(String)
    }

    package let group: Check.Group
    package let name: String
    package let ending: Ending
    /// The status of the response; nil without one.
    package let status: Int?
    /// How long the response took; nil if nothing was sent.
    package let milliseconds: Int?

    /// Makes a result.
    init(
        _ group: Check.Group, _ name: String, _ ending: Ending, status: Int? = nil,
        milliseconds: Int? = nil
    ) {
        self.group = group
        self.name = name
        self.ending = ending
        self.status = status
        self.milliseconds = milliseconds
    }

    /// Judges a response.
    init(of check: Check, _ head: ResponseHead, milliseconds: Int) {
        let ending: Ending
        if check.expectation.allows(head.status) {
            ending = .passed
        } else if 300..<400 ~= head.status {
            let place = head["location"].map { " to \(RequestPlace.shown($0))" } ?? ""
            ending = .failed(
                expected: "\(check.expectation.description), at this URL",
                found: "a redirect, \(head.status)\(place)")
        } else {
            ending = .failed(expected: check.expectation.description, found: "\(head.status)")
        }
        self.init(
            check.group, check.name, ending, status: head.status, milliseconds: milliseconds)
    }

    /// Judges an exchange without a complete response.
    init(of check: Check, _ error: ClientError, within limit: Duration, milliseconds: Int) {
        let (expected, found): (String, String) =
            switch error {
            case .timedOut: ("a response within \(limit)", "none in time")
            default: (check.expectation.description, "\(error)")
            }
        self.init(
            check.group, check.name, .failed(expected: expected, found: found),
            milliseconds: milliseconds)
    }
}
