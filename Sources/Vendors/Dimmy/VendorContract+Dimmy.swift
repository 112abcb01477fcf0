// Dimmy, now Flux (Optioryx): box dimensions, photos and bar codes.

extension VendorContract {
    /// Dimmy.
    static let dimmy = VendorContract(
        title: "Flux",
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
            ResultField("item_id", .text, isKey: true, ["item", "_id"]),
            ResultField("flow_id", .text, ["item", "flow_id"]),
            ResultField("width", .number, ["first_box", "width"]),
            ResultField("height", .number, ["first_box", "height"]),
            ResultField("depth", .number, ["first_box", "depth"]),
            ResultField("barcode", .text, isKey: true, ["barcodes", "0"]),
            ResultField("started_at", .text), ResultField("ended_at", .text),
        ],
        searchedPaths: [
            ["error"], ["context", "*"], ["item", "_id"], ["item", "flow_id"],
            ["item", "code"], ["barcodes", "*"],
            ["item", "barcodeScanning", "*", "*"], ["item", "barcode_scanning", "*", "*"],
            ["item", "customInputs", "*", "*"], ["item", "custom_inputs", "*", "*"],
        ],
        decode: { message, pinned in DimmyDecoder.decode(&message, pinned: pinned) })
}
