// Welltory's result as a typed value (vendor document 2.2).
//
// Invariant: reading the output of `callbackQuery` gives the same value. Numbers are never guessed:
// an invalid one is nil. Left out: validation; the decoder warns of values out of range.

import JSON

/// A measurement of stress, energy and heart-rate variability: health data.
public struct WelltoryMeasurement: Sendable, Equatable {
    /// Welltory's colour for a number.
    public enum Colour: Sendable, Hashable {
        /// Good.
        case green
        /// Normal.
        case yellow
        /// Bad.
        case red
        /// Unknown.
        case unknown
        /// A word that the contract doesn't have.
        case other(String)
    }

    /// 0 to 1; higher is worse.
    public var stress: Double?
    /// 0 to 1; higher is better.
    public var energy: Double?
    /// 0 to 1; higher is better.
    public var productivity: Double?
    /// Heart-rate variability as root mean square of successive differences, in milliseconds.
    public var rmssd: Double?
    /// Heart-rate variability as standard deviation, in milliseconds.
    public var sdnn: Double?
    /// The power of the spectrum; the vendor gives no unit.
    public var power: Double?
    /// The colour of `stress`; optional.
    public var stressColour: Colour?
    /// The colour of `energy`; optional.
    public var energyColour: Colour?
    /// The colour of `productivity`; optional.
    public var productivityColour: Colour?
    /// Opens a public page of the measurement, so it is a secret; optional.
    public var token: String?
    /// Undocumented; optional.
    public var measurementQuality: Double?
    /// Whether the measurement is on the vendor's staging server; Android only, optional.
    public var isStageServer: Bool?
    /// The launch's parameters that Android echoes, by name; each name once, and none of the above.
    public var parameters: [String: String] = [:]

    /// Creates a measurement without any number.
    public init() {}

    /// Reads the value of a decoded callback; nil if it is not a Welltory result.
    public init?(_ decoding: Decoding) {
        guard decoding.contract == .welltoryDDS, let root = decoding.document?.root else {
            return nil
        }
        self.init(reading: root)
        parameters = root.strings(in: "parameters")
    }

    /// The parameters as Welltory appends them to the callback, percent-encoded.
    public var callbackQuery: [UInt8] {
        var query = QueryWriter()
        for (name, number) in [
            ("stress", stress), ("energy", energy), ("productivity", productivity),
            ("rmssd", rmssd), ("sdnn", sdnn), ("power", power),
        ] {
            query.add(name, number)
        }
        query.add("stress_c", stressColour?.name)
        query.add("productivity_c", productivityColour?.name)
        query.add("energy_c", energyColour?.name)
        query.add("token", token)
        query.add("measurement_quality", measurementQuality)
        query.add("is_stage_server", isStageServer.map(String.init))
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { query.add(name, value) }
        return query.bytes
    }
}

extension WelltoryMeasurement: JSONModel {
    mutating func map(_ members: inout some JSONModelMap) {
        members.map("stress", &stress)
        members.map("energy", &energy)
        members.map("productivity", &productivity)
        members.map("rmssd", &rmssd)
        members.map("sdnn", &sdnn)
        members.map("power", &power)
        Self.map("stress_c", &stressColour, &members)
        Self.map("energy_c", &energyColour, &members)
        Self.map("productivity_c", &productivityColour, &members)
        members.map("token", &token)
        members.map("measurement_quality", &measurementQuality)
        members.map("is_stage_server", &isStageServer)
    }

    private static func map(
        _ name: String, _ colour: inout Colour?, _ members: inout some JSONModelMap
    ) {
        var text = colour?.name
        members.map(name, &text)
        colour = text.map(Colour.init)
    }
}

extension WelltoryMeasurement.Colour {
    /// Reads a colour's name.
    public init(_ name: String) {
        switch name {
        case "green": self = .green
        case "yellow": self = .yellow
        case "red": self = .red
        case "unknown": self = .unknown
        default: self = .other(name)
        }
    }

    /// The colour's name as it is sent.
    public var name: String {
        switch self {
        case .green: "green"
        case .yellow: "yellow"
        case .red: "red"
        case .unknown: "unknown"
        case .other(let name): name
        }
    }
}
