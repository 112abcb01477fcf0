// The contract of Welltory: its messages, launch links and app (vendor document 2).

extension ContractDeclaration {
    /// Welltory's measurement.
    static let welltoryDDS = ContractDeclaration(
        vendor: .welltory, fields: Contract.welltoryFields,
        shape: MessageShape(carrier: .parameters, preference: .last),
        launch: LaunchContract(
            known: ["source", "callback"], required: ["source", "callback"],
            callback: LaunchContract.Callback(
                parameter: "callback", kinds: [.web, .custom, .component],
                expected: "a whole URL or an Android package/activity"),
            constants: ["source"], takesOthers: true, relatedNames: ["referrer", "id"],
            forms: Launch.Form.allCases,
            kinds: [LaunchContract.Kind(title: "Measurement", parameters: [("source", true)])],
            hosts: [
                LaunchContract.Host(name: "welltory.com", path: "/action/dds/measurement"),
                // Each partner has a path of its own for the first launch.
                LaunchContract.Host(name: "welltory.onelink.me"),
            ],
            schemes: ["welltory"],
            claims: { _, url in
                url.host?.lowercased() == "play.google.com" && url.path == "/store/apps/details"
                    && (url.query ?? "").split(separator: "&")
                        .contains("id=com.welltory.client.android")
            },
            resembles: {
                $0.bytes(of: .target).starts(with: "welltory://branch/".utf8)
                    || $0.has("source") && $0.has("callback")
            },
            emulatedPath: "emulate/welltory/action/dds/measurement",
            url: { url(of: $0) }, read: { $0.readWelltory() },
            sample: { callback, _ in [("source", "Landfall"), ("callback", callback)] }),
        app: AppBehaviour(
            scenarios: [
                ScenarioEntry(
                    "cancelled", "The person doesn't share: Welltory sends nothing then.",
                    [.cancelled]),
                ScenarioEntry(
                    "empty", "A callback without a result comes, which Welltory never sends.",
                    [.empty]),
                ScenarioEntry("huge", "A result with a long echoed parameter comes.", [.huge]),
            ],
            inputs: [
                AnswerInput("stress", "Stress"), AnswerInput("energy", "Energy"),
                AnswerInput("productivity", "Productivity"),
                AnswerInput("stress_c", "Colour of stress"),
                AnswerInput("energy_c", "Colour of energy"),
                AnswerInput("productivity_c", "Colour of productivity"),
                AnswerInput("rmssd", "rMSSD in ms"), AnswerInput("sdnn", "SDNN in ms"),
                AnswerInput("power", "Power"), AnswerInput("token", "Token"),
            ],
            completed: {
                EmulatedAnswer(query: $0.measurement.callbackQuery, outcome: .completed)
            },
            empty: { _ in EmulatedAnswer(query: [], outcome: nil) },
            huge: {
                EmulatedAnswer(query: $0.hugeMeasurement.callbackQuery, outcome: .completed)
            },
            malformed: { $0.malformedMeasurement($1) },
            subject: { app in app.measurement.token.map { .init(id: $0, isNew: true) } },
            sharedPage: SharedPage(
                host: "app.welltory.com", path: "share-measurement", parameter: "token",
                title: "A shared measurement")))

    private static func url(of launch: Launch) -> String {
        // Both of Welltory's Android links carry the parameters as a single text (document 2.1).
        let text = Launch.escaped(launch.query(besides: Launch.foundationAllowed))
        return switch launch.form {
        case .link: "https://welltory.com/action/dds/measurement?" + launch.query()
        case .android: "welltory://branch/Measurement/Start/" + text
        case .playStore:
            "https://play.google.com/store/apps/details?id=com.welltory.client.android&referrer="
                + text
        }
    }
}
