// Welltory: stress, energy and heart-rate variability.

extension VendorContract {
    /// Welltory.
    static let welltory = VendorContract(
        title: "Welltory",
        sample: "stress=0.32&energy=0.75&productivity=0.6",
        currentLaunch: .welltoryDDS,
        hosts: [
            // Launch links after the first, `/action/dds/measurement`.
            "welltory.com",
            // The page of one measurement, `/share-measurement`.
            "app.welltory.com",
            // The first launch link, which leads through the App Store.
            "welltory.onelink.me",
        ],
        resultFields: [
            ResultField("stress", .number, isKey: true), ResultField("energy", .number),
            ResultField("productivity", .number), ResultField("rmssd", .number),
            ResultField("sdnn", .number), ResultField("power", .number),
            ResultField("measurement_quality", .number), ResultField("stress_c", .text),
            ResultField("energy_c", .text), ResultField("productivity_c", .text),
            ResultField("token", .text, isKey: true), ResultField("is_stage_server", .flag),
        ],
        searchedPaths: [["token"], ["parameters", "*"]],
        summary: summary,
        decode: { message, _ in WelltoryDecoder.decode(&message) })

    /// `stress 0.32 · energy 0.75`.
    private static func summary(of value: SummaryReader) -> [String] {
        ["stress", "energy", "productivity"].compactMap { name in
            value.number(value.node(name)).map { "\(name) \($0)" }
        }
    }
}
