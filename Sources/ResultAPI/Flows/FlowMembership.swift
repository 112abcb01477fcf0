// The relation of a callback to a flow, and the diagnostic for a callback that resembles one but
// belongs to none.

import Vendors

/// Whether a callback belongs to a flow, and why not.
package enum FlowMembership: Sendable, Equatable {
    /// It names no flow and matches no remembered launch.
    case none
    case of(String)
    /// It matches more than one open launch.
    case severalFit([String])
    /// It names a flow of another inbox.
    case elsewhere(String)
    /// It names a flow that another callback has ended.
    case ended(String)
    /// It names a flow that was already lost.
    case lost(String)
    /// It names an unknown flow whose id has a time that is yet to come.
    case ofTheFuture(String)

    /// The flow that it belongs to.
    package var flow: String? {
        if case .of(let flow) = self { flow } else { nil }
    }

    /// Maximum number of flows that a diagnostic lists.
    private static let mostListed = 10

    /// Codes of the diagnostics.
    package static let codes: Set = [
        "several_flows_fit", "flow_of_another_inbox", "flow_has_ended", "flow_was_lost",
        "flow_of_the_future",
    ]

    /// The diagnostic; nil if there is nothing to report.
    package var diagnostic: Diagnostic? {
        switch self {
        case .none, .of: return nil
        case .severalFit(let flows):
            let listed = flows.suffix(Self.mostListed).reversed().joined(separator: ", ")
            return Self.info(
                "several_flows_fit", expected: "one open launch that matches",
                found: "\(flows.count): \(listed)",
                hint:
                    "give each launch a callback of its own, name the flow by \(FlowID.parameter), "
                    + "or use an inbox each")
        case .elsewhere(let flow):
            return Self.info(
                "flow_of_another_inbox", expected: "a flow of this inbox", found: flow,
                hint: "send the callback to the inbox of its launch")
        case .ended(let flow):
            return Self.info(
                "flow_has_ended", expected: "a flow that is open", found: flow,
                hint: "make a link for each trip: a flow ends with its first final callback")
        case .lost(let flow):
            return Self.info(
                "flow_was_lost", expected: "a flow that is open", found: flow,
                hint: "flows.lost_after_seconds says how long a callback may take")
        case .ofTheFuture(let flow):
            return Self.info(
                "flow_of_the_future",
                expected: "a known flow, or an id whose time is not later than now", found: flow,
                hint: "set the clock of the machine that made the id")
        }
    }

    private static func info(
        _ code: String, expected: String, found: String, hint: String
    ) -> Diagnostic {
        Diagnostic(
            severity: .info, layer: .model, code: code, part: .target, expected: expected,
            found: found, hint: hint)
    }
}
