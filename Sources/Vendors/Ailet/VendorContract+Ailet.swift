// Ailet (Intelligence Retail): shelf recognition reports. Its links have a scheme of their own, so
// it has no hosts.

extension VendorContract {
    /// Ailet.
    static let ailet = VendorContract(
        title: "Ailet",
        // {"status":"IR_RESULT_OK","photosCounter":4}
        sample: "result=%7B%22status%22%3A%22IR_RESULT_OK%22%2C%22photosCounter%22%3A4%7D",
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
            ResultField("user_id", .text), ResultField("external_user_id", .text),
            ResultField("install_id", .text),
            ResultField("scenesCounter", .number), ResultField("photosCounter", .number),
            ResultField("notDetectedPhotosCounter", .number),
            ResultField("notDetectedScenesCounter", .number),
            ResultField("nonValidPhotosCounter", .number),
        ],
        searchedPaths: [
            ["status"], ["visit_id"], ["internal_visit_id"], ["task_id"], ["store_id"],
            ["user_id"], ["external_user_id"], ["install_id"],
            ["report", "result", "internal_visit_id"],
            ["report", "assortment_achievement", "*", "name"],
            ["report", "assortment_achievement", "*", "external_id"],
            ["report", "photos", "*", "products", "*", "name"],
            ["report", "photos", "*", "products", "*", "external_id"],
            ["parameters", "*"],
        ],
        summary: summary,
        decode: { message, _ in AiletDecoder.decode(&message) })

    /// `OK · 4 photos · 2 scenes · shelf 42 %`.
    private static func summary(of value: SummaryReader) -> [String] {
        let status = value.text(value.node("status")).map { name in
            ["IR_", "RESULT_"].reduce(name) { String($0.trimmingPrefix($1)) }
                .replacing("_", with: " ")
        }
        let visit = value.node("report", "share_shelf", "share_shelf_by_visit")?[0]
        let share = value.number(visit?["percent"]) ?? value.number(visit?["value"])
        return [
            status, value.count(value.node("photosCounter")?.int, "photo"),
            value.count(value.node("scenesCounter")?.int, "scene"),
            share.map { "shelf \($0) %" },
        ].compactMap(\.self)
    }
}
