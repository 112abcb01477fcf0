// A scenario of a contract as an entry of a list. Left out: its behaviour, which
// `VendorApp.answers` defines.

/// A scenario that a contract has.
public struct ScenarioEntry: Sendable, Equatable {
    /// The text form with a placeholder for the argument: `error:<code>`.
    public let form: String
    /// The scenario's name without its argument.
    public let name: String
    /// What the vendor's app does, in one sentence.
    public let summary: String
    /// Scenarios to choose from; all of them if the list is short.
    public let choices: [Scenario]

    package init(_ form: String, _ summary: String, _ choices: [Scenario]) {
        self.form = form
        name = form.split(separator: ":").first.map(String.init) ?? form
        self.summary = summary
        self.choices = choices
    }

    /// Whether a person's use of the app leads here; others are faults of the app or the transport.
    public var isCommon: Bool { choices.allSatisfy(\.isCommon) }
}

extension Scenario {
    /// The name without its argument: `error` for `error:not_logged_in`.
    public var name: String { description.split(separator: ":").first.map(String.init) ?? "" }
}
