// Rezolve: triggers that are opened, and forms that are filled in. Its API hosts differ for each partner:
// `certs init --domain` names them.

extension VendorContract {
    /// Rezolve.
    static let rezolve = VendorContract(
        title: "Rezolve",
        currentLaunch: .rezolveTrigger,
        hosts: [
            // Triggers, `/{partner}/{merchant}/{category}`.
            "rzlv.co"
        ],
        resultFields: [
            ResultField("kind", .text), ResultField("partner_id", .number),
            ResultField("merchant_id", .number), ResultField("category_id", .number),
            ResultField("product_id", .number, isKey: true), ResultField("ad_id", .text),
            ResultField("placement_id", .text),
            ResultField("engagement_id", .text, isKey: true),
            ResultField("act_id", .text, isKey: true),
            ResultField("entity_id", .text, isKey: true, ["entity_id"], ["entityId"]),
            ResultField("scan_id", .text, ["scanId"]), ResultField("reason", .text),
        ],
        searchedPaths: [
            ["engagement_id"], ["act_id"], ["entity_id"], ["entityId"], ["scanId"],
            ["userName"], ["email"], ["answers", "*", "answer"], ["url"], ["reason"],
            ["parameters", "*"],
        ],
        decode: { message, _ in RezolveDecoder.decode(&message) })
}
