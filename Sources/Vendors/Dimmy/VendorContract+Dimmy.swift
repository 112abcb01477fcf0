// Dimmy, now Flux (Optioryx): box dimensions, photos and bar codes.

extension VendorContract {
    /// Dimmy.
    static let dimmy = VendorContract(
        title: "Flux",
        // A box of 1.08 × 0.33 × 0.69 m.
        sample: "status=completed&response="
            + "eyJzdGFydGVkQXQiOiIyMDI2LTAxLTAxVDA4OjAwOjAwWiIsImVuZGVkQXQiOiIyMDI2LTAx"
            + "LTAxVDA4OjA0OjAwWiIsImRpbWVuc2lvbmluZyI6W3siZGltZW5zaW9ucyI6eyJ3aWR0aCI6"
            + "MC4zMywiaGVpZ2h0IjowLjY5LCJkZXB0aCI6MS4wOCwidW5pdCI6Im0ifX1dfQ",
        currentLaunch: .flux,
        hosts: [
            // Launch links of 2024, `/open`, and the REST API.
            "dimmy.api.optioryx.com",
            // Launch links of Flux, `/open`, and those of its staff.
            "flux.api.optioryx.com",
            "flux-dev.api.optioryx.com",
        ],
        correlationKeys: ["code"],
        resultFields: [
            ResultField("error", .text),
            ResultField("item_id", .text, isKey: true, ["item", "_id"], ["item_ids", "0"]),
            ResultField("flow_id", .text, ["item", "flow_id"]),
            ResultField("width", .number, ["first_box", "width"]),
            ResultField("height", .number, ["first_box", "height"]),
            ResultField("depth", .number, ["first_box", "depth"]),
            ResultField("barcode", .text, isKey: true, ["barcodes", "0"]),
            ResultField("started_at", .text), ResultField("ended_at", .text),
        ],
        searchedPaths: [
            ["error"], ["context", "*"], ["item_ids", "*"], ["item", "_id"], ["item", "flow_id"],
            ["item", "code"], ["barcodes", "*"],
            ["item", "barcodeScanning", "*", "*"], ["item", "barcode_scanning", "*", "*"],
            ["item", "customInputs", "*", "*"], ["item", "custom_inputs", "*", "*"],
        ],
        summary: summary,
        decode: { message, pinned in DimmyDecoder.decode(&message, pinned: pinned) })

    /// `1.08 × 0.33 × 0.69 m · 2 photos · 4006381333931`, or the reason of an error.
    private static func summary(of value: SummaryReader) -> [String] {
        if let error = value.text(value.node("error")) { return [error] }
        let sides = ["width", "height", "depth"].compactMap {
            value.number(value.node("first_box", $0))
        }
        let unit = value.text(value.node("first_box", "unit"))
        let box = sides.count == 3 ? sides.joined(separator: " × ") : nil
        let photos = value.node("photo_urls")?.count ?? 0
        let codes = value.node("barcodes")
        let others = (codes?.count ?? 0) - 1
        let code = value.text(codes?[0]).map { others > 0 ? "\($0) and \(others) more" : $0 }
        return [
            box.map { [$0, unit].compactMap(\.self).joined(separator: " ") },
            photos > 0 ? value.count(photos, "photo") : nil, code,
        ].compactMap(\.self)
    }
}
