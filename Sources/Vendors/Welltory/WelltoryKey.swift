// The parameters of a Welltory result, as the vendor document lists them (2.2). Left out:
// parameters that Android may echo; those are kept as text.

/// A parameter that Welltory sends; the cases are in the order of the decoded value.
enum WelltoryKey: String, CaseIterable {
    case stress
    case energy
    case productivity
    case rmssd
    case sdnn
    case power
    case stressColour = "stress_c"
    case energyColour = "energy_c"
    case productivityColour = "productivity_c"
    case token
    case measurementQuality = "measurement_quality"
    case isStageServer = "is_stage_server"

    /// All cases; made once, unlike `allCases`.
    static let all = allCases

    /// The names; the index of a case in `all` is its key.
    static let table = NameTable(
        all.map(\.rawValue), usual: all.count, openers: [stress.rawValue])

    /// The format of a parameter's text.
    enum Form {
        /// A number from 0 to 1.
        case fraction
        /// A number: milliseconds, or without a unit.
        case number
        /// `green`, `yellow`, `red` or `unknown`.
        case colour
        /// Any text.
        case text
        /// `true` or `false`.
        case flag
    }

    /// The format of the parameter's text.
    var form: Form {
        switch self {
        case .stress, .energy, .productivity: .fraction
        case .rmssd, .sdnn, .power, .measurementQuality: .number
        case .stressColour, .energyColour, .productivityColour: .colour
        case .token: .text
        case .isStageServer: .flag
        }
    }

    /// Whether the parameter is one of the six numbers that make a measurement.
    var isMeasurement: Bool {
        switch self {
        case .stress, .energy, .productivity, .rmssd, .sdnn, .power: true
        default: false
        }
    }
}
