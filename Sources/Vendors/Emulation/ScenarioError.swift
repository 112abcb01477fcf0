// Why a scenario is invalid or unavailable, with the alternatives. Invariant: every case lists what
// is possible.

/// A text is not a scenario, or a contract doesn't have the scenario.
public enum ScenarioError: Error, Sendable, Equatable {
    /// There is no scenario of this name; `possible` lists those of the contract, or all.
    case unknown(String, meant: String?, possible: [String])
    /// The scenario's argument is missing or invalid.
    case wrongArgument(String, expected: [String])
    /// The contract doesn't have the scenario; `possible` lists those that it has.
    case notPossible(Scenario, Contract, possible: [String])
    /// The vendor doesn't have the error code; `possible` lists those that it has.
    case unknownErrorCode(String, Contract, meant: String?, possible: [String])

    /// A stable snake_case name of the kind of error, for programs.
    public var code: String {
        switch self {
        case .unknown: "unknown_scenario"
        case .wrongArgument: "wrong_scenario_argument"
        case .notPossible: "scenario_not_possible"
        case .unknownErrorCode: "unknown_error_code"
        }
    }

    /// What would be valid: scenarios, arguments, or error codes.
    public var possible: [String] {
        switch self {
        case .wrongArgument(_, let expected): expected
        case .unknown(_, _, let possible), .notPossible(_, _, let possible),
            .unknownErrorCode(_, _, _, let possible):
            possible
        }
    }
}

extension ScenarioError: CustomStringConvertible {
    /// What is wrong and what is possible, in one sentence for people.
    public var description: String {
        let list = possible.joined(separator: ", ")
        switch self {
        case .unknown(let text, let meant, _):
            return "there is no scenario \(Excerpt.quoted(Array(text.utf8)[...]))"
                + Self.question(meant) + "; possible: " + list
        case .wrongArgument(let text, _):
            return "\(Excerpt.quoted(Array(text.utf8)[...])) is no scenario; expected " + list
        case .notPossible(let scenario, let contract, _):
            return "\(contract.rawValue) has no scenario \(scenario); possible: " + list
        case .unknownErrorCode(let code, let contract, let meant, _):
            let found = Excerpt.quoted(Array(code.utf8)[...])
            return "\(contract.rawValue) has no error code \(found)" + Self.question(meant)
                + "; possible: " + list
        }
    }

    private static func question(_ meant: String?) -> String {
        meant.map { "; did you mean \($0)?" } ?? ""
    }
}
