// Why a launch link can't be built. The sentences are for people who type `key=value`.

/// The error in the parameters of a launch.
public enum LaunchError: Error, Equatable, CustomStringConvertible {
    /// The contract has no launch links.
    case notLaunchable(Contract)
    /// The contract has no parameter of this name.
    case unknownParameter(String, nearest: String?, known: [String])
    /// The parameter is given more than once.
    case repeatedParameter(String)
    /// A required parameter is absent or empty.
    case missingParameter(String, known: [String])
    /// The value is invalid for the parameter.
    case invalidValue(of: String, expected: String)

    /// A sentence that says what to do.
    public var description: String {
        switch self {
        case .notLaunchable(let contract):
            return "There are no launch links in the contract \(contract.rawValue)."
        case .unknownParameter(let name, let nearest, let known):
            let hint = nearest.map { " Did you mean \($0)?" } ?? ""
            return "There is no parameter \(Self.quoted(name)).\(hint) "
                + "Known: \(known.joined(separator: ", "))."
        case .repeatedParameter(let name):
            return "The parameter \(Self.quoted(name)) is given twice."
        case .missingParameter(let name, let known):
            return "The parameter \(name) is missing. Known: \(known.joined(separator: ", "))."
        case .invalidValue(let name, let expected):
            return "The parameter \(name) must be \(expected)."
        }
    }

    /// A name that a person typed, truncated.
    private static func quoted(_ name: String) -> String {
        Excerpt.quoted(Array(name.utf8)[...])
    }
}
