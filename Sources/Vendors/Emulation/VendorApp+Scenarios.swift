// The scenarios of each contract.
//
// Invariant: every listed choice has callbacks. If a vendor sends nothing in a case (vendor
// document 1.2, 2.2), the scenario exists without callbacks.

extension VendorApp {
    /// The scenarios of a contract, in one order for all; empty for a contract without launches.
    public static func scenarios(of contract: Contract) -> [ScenarioEntry] {
        entries[contract] ?? []
    }

    /// Made once, because each check of a scenario reads those of its contract.
    private static let entries = Dictionary(
        uniqueKeysWithValues: Contract.allCases.map { ($0, declaredScenarios(of: $0)) })

    private static func declaredScenarios(of contract: Contract) -> [ScenarioEntry] {
        let declaration = contract.declaration
        guard declaration.launch != nil else { return [] }
        guard let app = declaration.app else {
            return [
                ScenarioEntry("completed", "A trigger is opened; no answer exists.", [.completed])
            ]
        }
        // The first entry with a name wins, so a vendor's own behaviour precedes the common one.
        let malformed = ScenarioEntry(
            "malformed:<layer>", "A result comes of which one layer is broken.",
            declaration.shape.layers.map { .malformed($0) })
        let entries = app.scenarios + [malformed] + common
        return Scenario.names.compactMap { name in entries.first { $0.name == name } }
    }

    /// The scenarios that are the same for every vendor with callbacks.
    private static let common = [
        ScenarioEntry("completed", "The result comes at once.", [.completed]),
        ScenarioEntry("silent", "Nothing ever comes back.", [.silent]),
        ScenarioEntry(
            "delayed:<duration>", "The result comes late: after 500ms, 3s or 2m, at most 10m.",
            [.delayed(milliseconds: 500), .delayed(milliseconds: 3000)]),
        ScenarioEntry(
            "duplicate:<n>", "The same result comes several times, 2 to 100.",
            [.duplicate(count: 2), .duplicate(count: 3)]),
        ScenarioEntry(
            "stale", "A result of a launch before this one comes, and none of this.", [.stale]),
        ScenarioEntry(
            "out_of_order", "The result comes, and after it one of a launch before this one.",
            [.outOfOrder]),
    ]

    /// The error codes that a contract sends; empty if it has no errors.
    static func errorNames(of contract: Contract) -> [String] {
        contract.declaration.app?.errorNames ?? []
    }

    /// The vendor's name for an error code; the usual one for nil, and nil for an unknown code.
    public static func errorName(_ code: String?, of contract: Contract) -> String? {
        guard let app = contract.declaration.app else { return nil }
        let code = code ?? app.usualError
        return app.errors.first { $0.name == code || $0.code.map(String.init) == code }?.name
    }

    /// The member of a decoded value that names the error.
    public static func errorMember(of contract: Contract) -> String {
        contract.declaration.app?.errorMember ?? "error"
    }
}
