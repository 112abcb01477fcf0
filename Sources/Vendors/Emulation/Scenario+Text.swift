// A scenario as text, for commands, query parameters and files. Invariant: parsing the text form
// gives the same scenario; only the exact form is accepted.

import Text

extension Scenario: LosslessStringConvertible {
    /// The names of all scenarios, in the order in which they are listed.
    static let names = [
        "completed", "cancelled", "error", "in_progress", "empty", "silent", "delayed",
        "duplicate", "out_of_order", "stale", "malformed", "huge",
    ]

    /// The text form; durations in the largest unit that fits.
    public var description: String {
        switch self {
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .error(let code): code.map { "error:" + $0 } ?? "error"
        case .inProgress: "in_progress"
        case .empty: "empty"
        case .silent: "silent"
        case .delayed(let milliseconds): "delayed:" + Self.text(ofMilliseconds: milliseconds)
        case .duplicate(let count): "duplicate:\(count)"
        case .outOfOrder: "out_of_order"
        case .stale: "stale"
        case .malformed(let layer): "malformed:" + layer.rawValue
        case .huge: "huge"
        }
    }

    /// Parses the text form; nil if it is invalid, and `init(parsing:)` reports why.
    public init?(_ description: String) {
        guard let scenario = try? Scenario(parsing: description) else { return nil }
        self = scenario
    }

    /// Parses the text form, such as `completed` or `delayed:500ms`.
    ///
    /// Error codes are not checked here: they depend on the contract, and `VendorApp.answers`
    /// refuses unknown ones.
    ///
    /// - Parameter contract: whose scenarios the error about an unknown name lists; nil for all.
    public init(
        parsing text: String, of contract: Contract? = nil
    ) throws(ScenarioError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        let argument = parts.count == 2 ? String(parts[1]) : nil
        if let scenario = Self.plain[name] {
            guard argument == nil else {
                throw .wrongArgument(text, expected: ["nothing after \(name)"])
            }
            self = scenario
            return
        }
        switch name {
        case "error":
            guard argument != "" else {
                throw .wrongArgument(text, expected: ["error, or error: and a code"])
            }
            self = .error(code: argument)
        case "delayed":
            guard let milliseconds = Self.milliseconds(argument ?? "") else {
                throw .wrongArgument(
                    text, expected: ["a duration up to 10m, such as delayed:500ms or delayed:3s"])
            }
            self = .delayed(milliseconds: milliseconds)
        case "duplicate":
            guard let count = Self.number(argument ?? ""), Self.copies.contains(count) else {
                throw .wrongArgument(text, expected: ["a number from duplicate:2 to duplicate:100"])
            }
            self = .duplicate(count: count)
        case "malformed":
            guard let layer = Diagnostic.Layer(rawValue: argument ?? "") else {
                throw .wrongArgument(
                    text, expected: Diagnostic.Layer.allCases.map { "malformed:" + $0.rawValue })
            }
            self = .malformed(layer)
        default:
            let entries = contract.map(VendorApp.scenarios)
            throw .unknown(
                text,
                meant: Spelling.nearest(to: name, among: entries?.map(\.name) ?? Self.names),
                possible: entries?.map(\.form) ?? Self.names)
        }
    }

    /// The scenarios without an argument.
    private static let plain: [String: Scenario] = [
        "completed": .completed, "cancelled": .cancelled, "in_progress": .inProgress,
        "empty": .empty, "silent": .silent, "out_of_order": .outOfOrder, "stale": .stale,
        "huge": .huge,
    ]

    private static func text(ofMilliseconds milliseconds: Int) -> String {
        if milliseconds != 0, milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000)m" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }

    /// Parses `500ms`, `3s` or `2m`; nil for another text or a duration that is too long.
    private static func milliseconds(_ text: String) -> Int? {
        for (unit, factor) in [("ms", 1), ("s", 1000), ("m", 60_000)] where text.hasSuffix(unit) {
            guard let count = number(String(text.dropLast(unit.count))) else { continue }
            let (product, overflow) = count.multipliedReportingOverflow(by: factor)
            return !overflow && delays.contains(product) ? product : nil
        }
        return nil
    }

    /// A number in plain digits.
    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
    }
}
