// What a check found out about one thing, and what to do about it.

import JSON

/// The result of one check.
package struct Diagnosis: Sendable, Equatable {
    /// Whether something must be done.
    package enum Status: String, Sendable {
        /// Nothing to do.
        case ok
        /// It works, but not as it should in production.
        case warning
        /// It doesn't work.
        case problem
    }

    /// Whether something must be done.
    package let status: Status
    /// What was checked: one of a few constant words.
    package let check: String
    /// One clause, without a full stop.
    package let text: String
    /// One sentence; nil if there is nothing to do.
    package let advice: String?

    /// The result of a check with this status.
    package static func ok(_ check: String, _ text: String) -> Diagnosis {
        Diagnosis(status: .ok, check: check, text: text, advice: nil)
    }

    /// The result of a check with this status.
    package static func warning(_ check: String, _ text: String, _ advice: String) -> Diagnosis {
        Diagnosis(status: .warning, check: check, text: text, advice: advice)
    }

    /// The result of a check with this status.
    package static func problem(_ check: String, _ text: String, _ advice: String) -> Diagnosis {
        Diagnosis(status: .problem, check: check, text: text, advice: advice)
    }

    /// Writes `{"check","status","text","advice"}`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("check", check)
            json.member("status", status.rawValue)
            json.member("text", text)
            json.member("advice", advice)
        }
    }
}

extension String {
    /// The text without one ending.
    package func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
