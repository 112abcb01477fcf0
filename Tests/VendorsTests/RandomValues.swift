// Random typed values, filled through the very lists of members that read and write them.
//
// Invariant: texts hold anything but NUL, which the decoders refuse, and no words that redaction
// would take for credentials.

@testable import Vendors

/// Draws values; the same seed draws the same ones.
struct RandomValues: JSONModelMap {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func measurement() -> WelltoryMeasurement {
        var value = WelltoryMeasurement()
        value.map(&self)
        // Without any number there is no measurement.
        if value.stress == nil { value.stress = number() }
        value.parameters = context()
        return value
    }

    mutating func item() -> ScannedItem { model() }

    mutating func fluxCallback() -> FluxCallback {
        let result: FluxCallback.Result =
            switch random.integer(in: 0...3) {
            case 0: .cancelled
            case 1: .error(reason: "x" + text())
            default: .completed(item())
            }
        return FluxCallback(result, context: context())
    }

    mutating func report() -> AiletReport {
        var report: AiletReport = model()
        // What is written without a visit is read with that of the recognition.
        if report.visitID == nil { report.content?.recognition?.visitID = nil }
        report.parameters = context()
        return report
    }

    /// Parameters that no contract names.
    mutating func context() -> [String: String] {
        var context: [String: String] = [:]
        for index in 0..<random.integer(in: 0...2) { context["x\(index)" + text()] = text() }
        return context
    }

    // MARK: Members

    mutating func map(_ name: String, _ value: inout String?) { value = isThere ? text() : nil }
    mutating func map(_ name: String, _ value: inout Double?) { value = isThere ? number() : nil }
    mutating func map(_ name: String, _ value: inout Bool?) { value = isThere ? flag() : nil }

    mutating func map(_ name: String, _ value: inout Int?) {
        let bits = Int(truncatingIfNeeded: random.next())
        value = isThere ? bits >> random.integer(in: 0...63) : nil
    }

    mutating func map(_ name: String, _ value: inout LooseScalar?) {
        guard isThere else {
            value = nil
            return
        }
        switch random.integer(in: 0...3) {
        case 0: value = .string(text())
        case 1: value = .boolean(flag())
        case 2: value = LooseScalar(random.integer(in: -9...999))
        default: value = .number("\(random.integer(in: 0...99)).50")
        }
    }

    mutating func map(_ name: String, _ value: inout OpenJSON?) {
        let texts = ["[]", "{\"a\":[1,null,\"x\"]}", "1.50", "\"\"", "null"]
        value = isThere ? OpenJSON(parsing: Array(element(of: texts).utf8)) : nil
    }

    mutating func map(_ name: String, _ value: inout [String]?) {
        value = isThere ? (0..<random.integer(in: 0...3)).map { _ in text() } : nil
    }

    mutating func map<Model: JSONModel>(_ name: String, _ value: inout Model?) {
        value = isThere ? model() : nil
    }

    mutating func map<Model: JSONModel>(_ name: String, _ value: inout [Model]?) {
        value = isThere ? (0..<random.integer(in: 0...2)).map { _ in model() } : nil
    }

    mutating func map<Model: JSONModel>(
        _ name: String, _ value: inout [Model]?, id: WritableKeyPath<Model, String>
    ) {
        map(name, &value)
        for index in value?.indices ?? 0..<0 { value?[index][keyPath: id] = "\(index)\(text())" }
    }

    private mutating func model<Model: JSONModel>() -> Model {
        var model = Model()
        model.map(&self)
        return model
    }

    private var isThere: Bool {
        mutating get { random.integer(in: 0...1) > 0 }
    }

    private mutating func flag() -> Bool { random.integer(in: 0...1) == 1 }

    private mutating func number() -> Double {
        switch random.integer(in: 0...4) {
        case 0: return Double(random.integer(in: -3...300))
        case 1: return random.decimal(in: 0...100, by: 100)
        case 2: return random.decimal(in: 0...1_000_000, by: 997)
        case 3: return -0.0
        default:
            let number = Double(bitPattern: random.next())
            return number.isFinite ? number : .greatestFiniteMagnitude
        }
    }

    private mutating func element(of texts: [String]) -> String {
        texts[random.integer(in: 0...texts.count - 1)]
    }

    private mutating func text() -> String {
        let pieces = [
            "", "a", "Z9", "-._~", "&", "=", "+", "%", "%41", "#", "?", "/", "\"", "\\", "\n", "\t",
            "\u{1}", "\u{7F}", "ä", "ÿþ", "\u{2028}", "日本", "👩‍💻", " ", "null", "1", "{}", ",", ";",
            "<",
        ]
        var text = ""
        for _ in 0..<random.integer(in: 0...6) { text += element(of: pieces) }
        return text
    }
}
