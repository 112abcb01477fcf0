// Names of inboxes in paths.

import HTTP1
import Problems
import ResultStore

extension Inbox {
    /// The inbox that a path names, or the default one.
    ///
    /// Throws 400 for an invalid name.
    package static func name(in text: String?) throws(Problem) -> String {
        guard let text else { return defaultName }
        guard isValid(text) else {
            throw Problem(
                status: .badRequest, kind: "invalid-inbox",
                detail: "Invalid name of an inbox: expected \(rule).",
                findings: [Problem.Finding(name: "inbox", detail: "Expected \(rule).")])
        }
        return text
    }
}
