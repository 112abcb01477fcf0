// Ailet (Intelligence Retail): shelf recognition reports. Its links have a scheme of their own, so it has
// no hosts.

extension VendorContract {
    /// Ailet.
    static let ailet = VendorContract(
        title: "Ailet",
        currentLaunch: .ailetDeeplink,
        correlationKeys: ["visit_id", "task_id"],
        resultFields: [
            ResultField("status", .text), ResultField("status_code", .number),
            ResultField("visit_id", .text, isKey: true),
            ResultField("task_id", .text, isKey: true),
            ResultField("store_id", .text, isKey: true),
            ResultField(
                "internal_visit_id", .text, isKey: true, ["internal_visit_id"],
                ["report", "result", "internal_visit_id"]),
            ResultField("scenesCounter", .number), ResultField("photosCounter", .number),
        ],
        searchedPaths: [
            ["status"], ["visit_id"], ["internal_visit_id"], ["task_id"], ["store_id"],
            ["user_id"], ["report", "result", "internal_visit_id"],
            ["report", "assortment_achievement", "*", "name"],
            ["report", "assortment_achievement", "*", "external_id"],
            ["report", "photos", "*", "products", "*", "name"],
            ["report", "photos", "*", "products", "*", "external_id"],
            ["parameters", "*"],
        ],
        decode: { message, _ in AiletDecoder.decode(&message) })
}
