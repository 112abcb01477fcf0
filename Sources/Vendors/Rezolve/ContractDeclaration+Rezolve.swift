// The contracts of Rezolve: triggers with their links, and answers (vendor document 4).

import JSON

extension ContractDeclaration {
    private static let triggerParameters = [
        "partner", "merchant", "category", "product", "ad", "placement", "path", "region",
        "engagementid",
    ]

    /// Rezolve's links, which open a page and get no answer.
    static let rezolveTrigger = ContractDeclaration(
        vendor: .rezolve, fields: Contract.rezolveTriggerFields,
        shape: MessageShape(
            carrier: .parameters,
            unwrap: { message, target in
                let path = RezolvePath(of: target[...])
                if let text = RezolveTriggerDecoder.carriedLink(in: message, path) {
                    guard let link = CleanText(text, findings: &message.findings) else {
                        return nil
                    }
                    message = RezolveTriggerDecoder.message(of: link)
                }
                return path.ownParameters
            }),
        launch: LaunchContract(
            known: triggerParameters,
            kinds: [
                kind("Trigger", .trigger), kind("Instant", .instant),
                kind("Engagement", .engagement),
            ],
            hosts: [LaunchContract.Host(name: "rzlv.co")],
            ownsHost: { RezolvePath.region(ofHost: $0) != nil },
            claims: { link, _ in
                if case .engagements = RezolvePath(of: link[...]).site { true } else { false }
            },
            variant: { given throws(LaunchError) in
                let form = RezolveForm(given.map(\.name))
                return LaunchContract.Variant(
                    known: triggerParameters.filter(form.known.contains), required: form.required)
            },
            expectation: { expectation(for: $0) }, endsOnScreen: { _ in true },
            url: { url(of: $0) }, read: { $0.readRezolve() },
            // The ids that exist both in the sandbox's defaults and in Config/rezolve.
            sample: { _, _ in
                [
                    ("partner", "12"), ("merchant", "252"), ("category", "7"), ("product", "1041"),
                    ("region", "eu"),
                ]
            },
            sandboxPath: "emulate/rezolve"),
        arrivalTitle: { value in
            switch value?["kind"]?.string {
            case "product", "category", "engagement": "A trigger was followed"
            case "custom_url": "A link that isn’t a trigger was followed"
            default: "A bad trigger was followed"
            }
        })

    /// Rezolve's filled-in form.
    static let rezolveAct = ContractDeclaration(
        vendor: .rezolve, fields: Contract.rezolveActFields, shape: MessageShape(carrier: .body))

    private static func kind(_ title: String, _ form: RezolveForm) -> LaunchContract.Kind {
        LaunchContract.Kind(
            title: title,
            parameters: triggerParameters.filter(form.known.contains)
                .map { ($0, form.required.contains($0)) },
            hasCallback: false)
    }

    /// What a value should be, for people; nil if it is valid.
    private static func expectation(for parameter: Launch.Parameter) -> String? {
        let value = parameter.value
        return switch parameter.name {
        case "partner", "merchant", "category", "product":
            RezolveForm.isNumber(value) ? nil : "digits"
        case "path":
            RezolveForm.isPath(value) ? nil : "numbers between slashes, as in 2/252/2"
        case "region":
            RezolveForm.isRegion(value) ? nil : "letters and digits, as in eu"
        default: nil
        }
    }

    private static func url(of launch: Launch) -> String {
        switch RezolveForm(launch.parameters.map(\.name)) {
        case .trigger:
            let path = ["partner", "merchant", "category", "product"].compactMap(launch.value)
            let statistics = launch.parameters.filter { $0.name == "ad" || $0.name == "placement" }
                .map { "\($0.name)=\(Launch.escaped($0.value))" }.joined(separator: "&")
            return "https://rzlv.co/" + path.joined(separator: "/")
                + (statistics.isEmpty ? "" : "?" + statistics)
        case .instant: return "http://rzlv.co/instant?path=\(launch.value(of: "path") ?? "")"
        case .engagement:
            return "https://instant.\(launch.value(of: "region") ?? "").rezolve.com/resolve"
                + "?engagementid=" + Launch.escaped(launch.value(of: "engagementid") ?? "")
        }
    }
}
