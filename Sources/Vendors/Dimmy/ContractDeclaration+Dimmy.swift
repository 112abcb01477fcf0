// The contracts of Dimmy and Flux: their messages, launch links and apps (vendor document 1).

import JSON

extension ContractDeclaration {
    private static let isItem: @Sendable (JSONNode) -> Bool = {
        $0.kind == .object && DimmyItem.isItem($0)
    }

    private static func callback(isBase64: Bool) -> LaunchContract.Callback {
        LaunchContract.Callback(
            parameter: "callback", kinds: [.web, .custom],
            expected: "a whole URL, of https or an app's own scheme", isBase64: isBase64)
    }

    /// Dimmy before it was renamed.
    static let dimmy2024 = ContractDeclaration(
        vendor: .dimmy, fields: Contract.dimmyFields,
        features: "Dimmy of 2024 sends response alone, in standard Base64, with snake_case members",
        shape: MessageShape(
            carrier: .base64(in: "response", urlSafe: false, before: ""), isValue: isItem),
        appTitle: "Dimmy",
        launch: LaunchContract(
            known: ["flow", "callback", "code"], required: ["flow", "callback"],
            callback: callback(isBase64: true),
            kinds: [
                LaunchContract.Kind(
                    title: "Dimmy 2024", parameters: [("flow", true), ("code", false)])
            ],
            hosts: [LaunchContract.Host(name: "dimmy.api.optioryx.com", path: "/open")],
            resembles: { $0.has("flow") && $0.has("callback") && !$0.has("flowName") },
            emulatedPath: "emulate/dimmy/open",
            url: { launch in
                // Dimmy's demo puts standard Base64 with padding unescaped into the query.
                "https://dimmy.api.optioryx.com/open?"
                    + launch.query { name, value in
                        guard name == "callback" else { return Launch.escaped(value) }
                        let text = Base64Text.encode(value.utf8, urlSafe: false)
                        return String(decoding: text, as: UTF8.self)
                    }
            },
            read: { $0.readDimmy() },
            sample: { callback, number in
                [
                    ("flow", "default"), ("callback", callback),
                    ("code", VendorApp.barcode(number)),
                ]
            }),
        app: AppBehaviour(
            scenarios: [
                ScenarioEntry("cancelled", "This Dimmy sends nothing then.", [.cancelled]),
                // A plan is shared with Flux, so its codes are known here too.
                .errors(
                    "This Dimmy sends nothing when a flow can't start.", DimmyDecoder.reasons),
                ScenarioEntry("empty", "An item comes of which every step was skipped.", [.empty]),
                ScenarioEntry("huge", "An item with hundreds of photos comes.", [.huge]),
            ],
            errors: DimmyDecoder.reasons.map { ($0, nil) }, usualError: "flow_unavailable",
            inputs: inputs(scans: "barcode_scanning"),
            completed: { $0.dimmy($0.item) }, empty: { $0.dimmy($0.scannedItem(in: .empty)) },
            huge: { $0.dimmy($0.scannedItem(in: .huge)) }, malformed: { $0.malformedItem($1) },
            keptItem: { $0.storedItem($1, edited: $2) }))

    /// The values of an item; the two spellings of the model differ in one name of them.
    private static func inputs(scans: String) -> [AnswerInput] {
        [
            AnswerInput("dimensioning.*.dimensions.width", "Width"),
            AnswerInput("dimensioning.*.dimensions.height", "Height"),
            AnswerInput("dimensioning.*.dimensions.depth", "Depth"),
            AnswerInput("dimensioning.*.dimensions.unit", "Unit"),
            AnswerInput("\(scans).*.barcodes.*.value", "Bar code"),
            AnswerInput("photographing.*.photos.*.url", "Photo"),
        ]
    }

    /// Flux's links and callbacks.
    static let flux = ContractDeclaration(
        vendor: .dimmy, fields: Contract.fluxFields,
        features: "Flux sends status, and its item in base64url with camelCase members",
        shape: MessageShape(
            carrier: .base64(in: "response", urlSafe: true, before: "status=completed&"),
            isValue: isItem),
        launch: LaunchContract(
            known: ["flowName", "callback", "code"], required: ["flowName"],
            callback: callback(isBase64: false),
            relatedNames: ["flowId"],
            hosts: [
                LaunchContract.Host(name: "flux.api.optioryx.com", path: "/open"),
                LaunchContract.Host(name: "flux-dev.api.optioryx.com", path: "/open"),
            ],
            resembles: { $0.has("flowName") },
            emulatedPath: "emulate/flux/open",
            // Flux's helper escapes with `URLComponents` and replaces `+` afterwards (document 1.1).
            url: {
                "https://flux.api.optioryx.com/open?" + $0.query(besides: Launch.foundationAllowed)
            },
            read: { $0.readFlux() },
            sample: { callback, number in
                [
                    ("flowName", "Parcel check"), ("callback", callback),
                    ("code", VendorApp.barcode(number)),
                ]
            }),
        app: AppBehaviour(
            scenarios: [
                ScenarioEntry("cancelled", "The operator leaves the flow.", [.cancelled]),
                .errors(
                    "The flow can't start; flow_unavailable without a code.", DimmyDecoder.reasons),
                ScenarioEntry("empty", "An item comes of which every step was skipped.", [.empty]),
                ScenarioEntry("huge", "An item with the image of a signature comes.", [.huge]),
            ],
            errors: DimmyDecoder.reasons.map { ($0, nil) }, usualError: "flow_unavailable",
            inputs: inputs(scans: "barcodeScanning"),
            completed: { $0.flux(.completed($0.item)) },
            empty: { $0.flux(.completed($0.scannedItem(in: .empty))) },
            huge: { $0.flux(.completed($0.scannedItem(in: .huge))) },
            cancelled: { $0.flux(.cancelled) }, failed: { $0.flux(.error(reason: $1)) },
            malformed: { $0.malformedItem($1) }, keptItem: { $0.storedItem($1, edited: $2) }),
        webhook: .fluxWebhook)

    /// Flux's webhook.
    static let fluxWebhook = ContractDeclaration(
        vendor: .dimmy, fields: Contract.fluxWebhookFields,
        features: "Flux's webhook posts item_ids or an item as JSON, with a delivery id",
        shape: MessageShape(carrier: .body), isWebhook: true)
}
