// Rezolve: triggers that are opened, and forms that are filled in. The hosts of its API belong to the
// sandbox's configuration.

extension VendorContract {
    /// Rezolve.
    static let rezolve = VendorContract(
        title: "Rezolve",
        sample: "url=http%3A%2F%2Frzlv.co%2F12%2F252%2F7%2F1041",
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
        sandboxMember: "reason", unwrapsLinks: false,
        summary: summary,
        decode: { message, _ in RezolveDecoder.decode(&message) })

    /// `product 1/2/252/7`, `engagement …` or `act 12 · 3 answers`.
    private static func summary(of value: SummaryReader) -> [String] {
        if let answers = value.node("answers") {
            let act = value.text(value.node("act_id")).map { "act \($0)" }
            return [act, value.count(answers.count, "answer")].compactMap(\.self)
        }
        guard let kind = value.text(value.node("kind")) else { return [] }
        let ids = ["partner_id", "merchant_id", "category_id", "product_id"].compactMap {
            value.text(value.node($0))
        }
        let target =
            ids.isEmpty
            ? value.text(value.node("engagement_id")) ?? value.text(value.node("url"))
            : ids.joined(separator: "/")
        let name = kind.replacing("_", with: " ")
        return [
            [name, target].compactMap(\.self).joined(separator: " "),
            value.text(value.node("reason")),
        ].compactMap(\.self)
    }
}
