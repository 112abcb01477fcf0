// Made-up measurements.
// Invariant: colours agree with the numbers, and more stress goes with less variability.

extension VendorApp {
    /// A measurement: numbers with as many digits as Welltory writes, colours, and a token.
    ///
    /// Parameters of the launch that Welltory doesn't know come back, as on Android (vendor document
    /// 2.1). Where colours change is our choice; the vendor doesn't say.
    public var measurement: WelltoryMeasurement {
        var random = SplitMix64(seed: seed)
        var measurement = WelltoryMeasurement()
        // 15 to 120 ms is what adults have at rest; the rest follows from it, with some noise.
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

    /// A measurement whose echoed parameter is as long as a link can well be.
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

    /// The colour of a number of which 100 is best.
    private static func colour(ofGood percent: Int) -> WelltoryMeasurement.Colour {
        percent >= 60 ? .green : percent >= 30 ? .yellow : .red
    }
}
