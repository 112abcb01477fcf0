// The fields of Rezolve's triggers and answers (vendor document 4.4 and 4.5). The marks are the
// document's degrees of certainty: S stated in the first documents, V in later public sources of the
// vendor, 3 seen in third-party tests.

extension Contract {
    /// Section 4.4.
    static let rezolveTriggerFields: [ContractField] = [
        // S: statistics ids, integers in examples; 3: the word `browse`.
        ContractField("ad", [.integer, .string]),
        ContractField("placement", [.integer, .string]),
        // V: of engagement links.
        ContractField("engagementid", .string, .identifier),
        // V: of instant links.
        ContractField("path", .string),
    ]

    /// Section 4.5; 3, all but `answers` nullable by the vendor's model (V).
    static let rezolveActFields: [ContractField] = [
        ContractField("userId", [.string, .null], .identifier),
        ContractField("userName", [.string, .null], .identifier),
        ContractField("entityId", [.string, .null], .identifier),
        ContractField("scanId", [.string, .null], .identifier),
        ContractField("serviceId", [.string, .null], .identifier),
        ContractField("personTitle", [.string, .null], .identifier),
        ContractField("firstName", [.string, .null], .identifier),
        ContractField("lastName", [.string, .null], .identifier),
        ContractField("email", [.string, .null], .identifier),
        ContractField("phone", [.string, .null], .identifier),
        ContractField("latitude", [.number, .null], .location, range: -90...90),
        ContractField("longitude", [.number, .null], .location, range: -180...180),
        // V: of the Android SDK.
        ContractField("location", [.object, .null]),
        ContractField("location.latitude", [.number, .null], .location, range: -90...90),
        ContractField("location.longitude", [.number, .null], .location, range: -180...180),
        ContractField("answers", .array, .plain, .always),
        ContractField("answers.*", .object),
        ContractField("answers.*.question_id", [.string, .integer], .plain, .always),
        // A consumer's text may be anything, including a name.
        ContractField("answers.*.answer", .string, .identifier, .always),
    ]
}
