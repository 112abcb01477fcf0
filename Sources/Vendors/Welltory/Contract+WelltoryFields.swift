// The fields of Welltory's result (vendor document 2.2). The marks are the document's degrees of
// certainty: S stated in the first documents, V in later public sources of the vendor.

extension Contract {
    private static let colours = ["green", "yellow", "red", "unknown"]

    /// Section 2.2.
    static let welltoryFields: [ContractField] = [
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
}
