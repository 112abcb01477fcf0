// The fields of every contract: one table each, in the order of the vendor document. The marks
// after the sections are the document's degrees of certainty: S stated in the first documents, V in
// later public sources of the vendor, 3 seen in third-party tests, I inferred.
//
// Invariant: no path occurs twice in a table, and every parent of a path is in the table too.

extension Contract {
    /// The contract's fields; made once.
    public var fields: [ContractField] {
        switch self {
        case .dimmy2024: Self.dimmyFields
        case .flux: Self.fluxFields
        case .fluxWebhook: Self.fluxWebhookFields
        case .welltoryDDS: Self.welltoryFields
        case .ailetDeeplink: Self.ailetFields
        case .rezolveTrigger: Self.rezolveTriggerFields
        case .rezolveAct: Self.rezolveActFields
        }
    }

    // MARK: Welltory

    private static let colours = ["green", "yellow", "red", "unknown"]

    /// Section 2.2.
    private static let welltoryFields: [ContractField] = [
        // S: listed as always present; from 0 to 1.
        ContractField("stress", .number, .health, .always, range: 0...1),
        ContractField("energy", .number, .health, .always, range: 0...1),
        ContractField("productivity", .number, .health, .always, range: 0...1),
        // S: rmssd and sdnn in milliseconds, power without a unit.
        ContractField("rmssd", .number, .health, .always),
        ContractField("sdnn", .number, .health, .always),
        ContractField("power", .number, .health, .always),
        // S: optional.
        ContractField("stress_c", .string, .health, values: colours),
        ContractField("energy_c", .string, .health, values: colours),
        ContractField("productivity_c", .string, .health, values: colours),
        // S: opens a public page with the measurement.
        ContractField("token", .string, .credential),
        // V: undocumented, in the example of the iOS demo.
        ContractField("measurement_quality", .number, .health),
        // V: selects the vendor's own test server.
        ContractField("is_stage_server", .boolean),
    ]

    // MARK: Rezolve

    /// Section 4.4.
    private static let rezolveTriggerFields: [ContractField] = [
        // S: statistics ids, integers in examples; 3: the word `browse`.
        ContractField("ad", [.integer, .string]),
        ContractField("placement", [.integer, .string]),
        // V: of engagement links.
        ContractField("engagementid", .string, .identifier),
        // V: of instant links.
        ContractField("path", .string),
    ]

    /// Section 4.5; 3, all but `answers` nullable by the vendor's model (V).
    private static let rezolveActFields: [ContractField] = [
        ContractField("userId", [.string, .null], .identifier),
        ContractField("userName", [.string, .null], .identifier),
        ContractField("entityId", [.string, .null], .identifier),
        ContractField("scanId", [.string, .null], .identifier),
        ContractField("personTitle", [.string, .null], .identifier),
        ContractField("firstName", [.string, .null], .identifier),
        ContractField("lastName", [.string, .null], .identifier),
        ContractField("email", [.string, .null], .identifier),
        ContractField("phone", [.string, .null], .identifier),
        ContractField("latitude", [.number, .null], .location, range: -90...90),
        ContractField("longitude", [.number, .null], .location, range: -180...180),
        ContractField("answers", .array, .plain, .always),
        ContractField("answers.*", .object),
        ContractField("answers.*.question_id", [.string, .integer], .plain, .always),
        // A consumer's text may be anything, including a name.
        ContractField("answers.*.answer", .string, .identifier, .always),
    ]
}
