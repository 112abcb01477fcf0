// What the emulated app of a contract sends: what a vendor declares of it.

/// The callbacks of a contract's app.
struct AppBehaviour: Sendable {
    /// The scenarios that the contract has besides the common ones, or describes in its own way.
    ///
    /// With errors, one of them is `ScenarioEntry.errors`.
    var scenarios: [ScenarioEntry] = []

    /// The errors that the app reports; the number selects one too.
    var errors: [(name: String, code: Int?)] = []
    /// The error without a code; nil if there are no errors.
    var usualError: String?
    /// The member of a decoded value that names the error.
    var errorMember = "error"

    /// The values of a result that a person can change on the app's screen.
    var inputs: [AnswerInput] = []

    /// The result of finished work.
    let completed: @Sendable (VendorApp) -> EmulatedAnswer
    /// The result when there was nothing to do.
    let empty: @Sendable (VendorApp) -> EmulatedAnswer
    /// A result as large as the vendor's largest.
    let huge: @Sendable (VendorApp) -> EmulatedAnswer
    /// What is sent when a person leaves; nil for nothing.
    var cancelled: @Sendable (VendorApp) -> EmulatedAnswer? = { _ in nil }
    /// What is sent for an error; nil for nothing.
    var failed: @Sendable (VendorApp, _ error: String) -> EmulatedAnswer? = { _, _ in nil }
    /// A report of unfinished work; nil if there is none.
    var inProgress: @Sendable (VendorApp) -> EmulatedAnswer? = { _ in nil }
    /// The escaped parameters of a result of which one layer is broken: percent, base64, utf8, json
    /// or model, whichever the contract has.
    let malformed: @Sendable (VendorApp, Diagnostic.Layer) -> [UInt8]

    /// The item that the vendor's server keeps of a scenario's finished work, or of the value that
    /// a person sends instead; nil if it keeps none.
    var keptItem: @Sendable (VendorApp, Scenario, _ edited: [UInt8]?) -> ScannedItem? = {
        _, _, _ in nil
    }

    /// What a launch begins or asks about by an id, such as a visit; nil for neither.
    var subject: @Sendable (VendorApp) -> VendorApp.Subject? = { _ in nil }
    /// The error for a subject that no launch began; nil if the vendor doesn't check.
    var unknownSubject: String?

    /// The vendor's public page about a result; nil if it has none.
    var sharedPage: SharedPage?

    /// The names of the errors.
    var errorNames: [String] { errors.map(\.name) }
}

extension ScenarioEntry {
    /// The scenario of errors.
    static func errors(_ summary: String, _ names: [String]) -> ScenarioEntry {
        ScenarioEntry(
            "error:<code>", summary, [.error(code: nil)] + names.map { .error(code: $0) })
    }
}
