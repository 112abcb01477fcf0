// Invented measurements. Invariant: colours match the numbers, and higher stress goes with lower
// variability.

extension VendorApp {
    /// A measurement: numbers with as many digits as Welltory writes, colours, and a token.
    ///
    /// Parameters of the launch that Welltory doesn't know come back, as on Android (vendor
    /// document 2.1). The thresholds of the colours are ours; the vendor doesn't publish them.
    public var measurement: WelltoryMeasurement {
        var random = SplitMix64(seed: seed)
        var measurement = WelltoryMeasurement()
        // Adults have 15 to 120 ms at rest; the rest is derived from it, with some noise.
        let variability = random.integer(in: 150...1200)
        let calm = (variability - 150) * 100 / 1050
        let stress = Self.percent(100 - calm + random.integer(in: -12...12))
        let energy = Self.percent(calm + random.integer(in: -20...25))
        let productivity = Self.percent((calm + energy) / 2 + random.integer(in: -15...20))
        measurement.rmssd = Double(variability) / 10
        measurement.sdnn = Double(variability * random.integer(in: 70...125) / 100) / 10
        measurement.power = Double(random.integer(in: 20...100))
        measurement.stress = Double(stress) / 100
        measurement.energy = Double(energy) / 100
        measurement.productivity = Double(productivity) / 100
        measurement.stressColour = Self.colour(ofGood: 100 - stress)
        measurement.energyColour = Self.colour(ofGood: energy)
        measurement.productivityColour = Self.colour(ofGood: productivity)
        measurement.token = random.hexadecimal(32)
        measurement.parameters = echo
        return measurement
    }

    /// A measurement with an echoed parameter near the maximum length of a link.
    var hugeMeasurement: WelltoryMeasurement {
        var random = SplitMix64(seed: seed &+ 1)
        var measurement = measurement
        measurement.parameters["echo"] = random.hexadecimal(64 * 1024)
        return measurement
    }

    private var echo: [String: String] {
        asked.filter { name, _ in
            name != "source" && name != "callback" && WelltoryKey(rawValue: name) == nil
        }
    }

    private static func percent(_ number: Int) -> Int { min(max(number, 0), 100) }

    /// The colour of a percentage, of which 100 is best.
    private static func colour(ofGood percent: Int) -> WelltoryMeasurement.Colour {
        percent >= 60 ? .green : percent >= 30 ? .yellow : .red
    }

    /// A decimal comma, a truncated escape, or a letter in Latin-1.
    func malformedMeasurement(_ layer: Diagnostic.Layer) -> [UInt8] {
        var measurement = measurement
        if layer == .utf8 { measurement.token = nil }
        let stress = String(
            decoding: JSONModelWriter.text(of: measurement.stress ?? 0), as: UTF8.self)
        measurement.stress = nil
        let rest = measurement.callbackQuery
        let broken =
            switch layer {
            case .percent: "stress=\(stress)%2&"
            case .model: "stress=0,\(stress.split(separator: ".").last ?? "0")&"
            default: "stress=\(stress)&token=caf%E9&"
            }
        return Array(broken.utf8) + rest
    }
}
