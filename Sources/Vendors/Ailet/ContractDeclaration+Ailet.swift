// The contract of Ailet: its messages, launch links and app (vendor document 3).

extension ContractDeclaration {
    /// Ailet's visit report.
    static let ailetDeeplink = ContractDeclaration(
        vendor: .ailet, fields: Contract.ailetFields,
        shape: MessageShape(
            // `report` is the older name of the same parameter.
            carrier: .json(in: ["result", "report"]),
            isValue: { $0["result"] == nil && $0["status"] != nil }),
        launch: LaunchContract(
            known: AiletMethod.allParameters,
            callback: LaunchContract.Callback(
                parameter: "back_url_scheme", kinds: [.web],
                expected: "an app's scheme, as in partnerapp", isScheme: true),
            constants: ["method"], credentials: ["login", "password"],
            kinds: AiletMethod.allCases.map(kind),
            schemes: ["intelligenceretail"],
            resembles: {
                $0.has("method")
                    && ($0.has("login")
                        || $0.bytes(of: .target).starts(with: "intelligenceretail:".utf8))
            },
            emulatedPath: "emulate/ailet",
            variant: { given throws(LaunchError) in
                let method = try method(of: given)
                let used = ["method"] + method.required + method.optional
                return LaunchContract.Variant(
                    known: AiletMethod.allParameters.filter(used.contains),
                    required: method.required)
            },
            endsOnScreen: { value in
                value("method").flatMap(AiletMethod.init)?.endsOnScreen == true
            },
            url: { "intelligenceretail:?" + $0.query() }, read: { $0.readAilet() },
            sample: { callback, number in
                [
                    ("method", "visit"), ("login", "landfall"), ("password", "landfall"),
                    ("store_id", "store-7"), ("visit_id", "visit-\(number)"), ("task_id", "task-1"),
                    ("back_url_scheme", callback),
                ]
            }),
        app: AppBehaviour(
            scenarios: [
                .errors(
                    "A status of error comes; IR_ERROR_NO_INET without a code.",
                    VendorApp.ailetErrors.map(\.name)),
                ScenarioEntry(
                    "in_progress", "A report in progress comes, and the ready one 5 s later.",
                    [.inProgress]),
                ScenarioEntry("empty", "Nothing was to report: IR_RESULT_EMPTY.", [.empty]),
                ScenarioEntry(
                    "out_of_order", "The ready report comes, and after it the one in progress.",
                    [.outOfOrder]),
                ScenarioEntry("huge", "A report of some 100 kB comes.", [.huge]),
            ],
            errors: VendorApp.ailetErrors.map { ($0.name, $0.code) },
            usualError: "IR_ERROR_NO_INET", errorMember: "status",
            inputs: [
                AnswerInput("status", "Status"), AnswerInput("photosCounter", "Photos"),
                AnswerInput("scenesCounter", "Scenes"),
                AnswerInput("notDetectedPhotosCounter", "Photos not recognised"),
                AnswerInput("notDetectedScenesCounter", "Scenes not recognised"),
                AnswerInput("store_id", "Store"), AnswerInput("visit_id", "Visit"),
                AnswerInput("task_id", "Task"),
                AnswerInput("report.photos.*.scene_type", "Scene of photo"),
                AnswerInput("report.share_shelf.share_shelf_by_visit.*.value", "Shelf share in %"),
            ],
            completed: { $0.report(.completed) }, empty: { $0.report(.empty) },
            huge: { $0.report(.completed, photos: VendorApp.mostPhotos) },
            failed: { $0.report(failing: $1) },
            inProgress: { $0.hasOnlyStatus ? nil : $0.report(.inProgress) },
            malformed: { $0.malformedReport($1) },
            subject: { $0.visit }, unknownSubject: "IR_ERROR_NOVISIT"))

    private static func kind(_ method: AiletMethod) -> LaunchContract.Kind {
        let names = method.required.map { ($0, true) } + method.optional.map { ($0, false) }
        let callback = "back_url_scheme"
        return LaunchContract.Kind(
            title: method.title, parameters: names.filter { $0.0 != callback },
            given: [("method", method.rawValue)],
            hasCallback: names.contains { $0.0 == callback },
            needsCallback: method.required.contains(callback))
    }

    private static func method(
        of given: [Launch.Parameter]
    ) throws(LaunchError) -> AiletMethod {
        guard let name = given.first(where: { $0.name == "method" })?.value else {
            throw .missingParameter("method", known: AiletMethod.allParameters)
        }
        guard let method = AiletMethod(rawValue: name) else {
            let methods = AiletMethod.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidValue(of: "method", expected: "one of \(methods)")
        }
        return method
    }
}
