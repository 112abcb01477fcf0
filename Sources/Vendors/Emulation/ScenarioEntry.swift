// A scenario of a contract, as a list of them shows it.
// Left out: what happens then; `VendorApp.answers` does it.

/// A scenario that a contract has.
public struct ScenarioEntry: Sendable, Equatable {
    /// The text form, with what is to be filled in: `error:<code>`.
    public let form: String
    /// What the vendor's app does, in one sentence.
    public let summary: String
    /// Scenarios to choose from; all of them where that is a short list.
    public let choices: [Scenario]

    init(_ form: String, _ summary: String, _ choices: [Scenario]) {
        self.form = form
        self.summary = summary
        self.choices = choices
    }

    /// The scenario's name, without what follows it.
    public var name: String { form.split(separator: ":").first.map(String.init) ?? form }
}

extension Scenario {
    /// The name without what follows it: `error` for `error:not_logged_in`.
    public var name: String { description.split(separator: ":").first.map(String.init) ?? "" }
}
