// Welltory's result: plain parameters (vendor document 2.2).
//
// Invariant: a parameter that can't be read never costs another one. A number is never guessed:
// `0,32` is an error, not 0. Left out: the decline, for which Welltory sends nothing.

import JSONText
import PositionedJSON

/// The decoder of the `welltory-dds` contract.
enum WelltoryDecoder {
    /// A parameter of the contract with its unescaped text.
    private struct Field {
        let key: WelltoryKey
        let parameter: Parameter
        let text: ArraySlice<UInt8>
    }

    /// Decodes a message; of parameters that repeat the last one counts, as in the vendor's code.
    static func decode(_ message: inout Message) -> Decoding {
        message.adoptBodyMembers()
        message.resolveDuplicates(keeping: .last)
        var json = JSONWriter(reservingCapacity: 384)
        var (known, measurements) = (0, 0)
        json.beginObject()
        for key in WelltoryKey.all {
            guard let parameter = message.parameter(key.rawValue) else {
                if key == .stress { addMissingStress(&message.findings) }
                continue
            }
            known += 1
            let value = message.value(of: parameter)
            guard let text = CleanText(value, findings: &message.findings)?.bytes else { continue }
            let field = Field(key: key, parameter: parameter, text: text)
            let isWritten = write(field, to: &json, findings: &message.findings)
            if isWritten, key.isMeasurement { measurements += 1 }
        }
        if known < message.parameters.count { writeOthers(of: &message, to: &json) }
        json.endObject()
        if measurements == 0 { addNoMeasurement(&message.findings) }
        return Decoding(
            contract: .welltoryDDS, outcome: .completed,
            value: measurements == 0 ? nil : json.bytes, findings: message.findings)
    }

    /// Writes the parameters that Android echoes, as `parameters`.
    private static func writeOthers(of message: inout Message, to json: inout JSONWriter) {
        let others = message.parameters.filter { parameter in
            !WelltoryKey.all.contains { message.isNamed(parameter, $0.rawValue) }
        }
        for parameter in others {
            message.findings.addUnknownParameter(parameter, named: message.name(of: parameter))
        }
        json.member("parameters", others, of: &message)
    }

    /// Writes a field as a member; false, with an error, when its text can't be read.
    private static func write(
        _ field: Field, to json: inout JSONWriter, findings: inout Findings
    ) -> Bool {
        switch field.key.form {
        case .fraction, .number:
            guard isNumber(field, &findings) else { return false }
            json.key(field.key.rawValue)
            json.raw(field.text)
        case .flag:
            guard field.text.elementsEqual("true".utf8) || field.text.elementsEqual("false".utf8)
            else {
                add(.error, "not_a_boolean", field, "true or false", &findings)
                return false
            }
            json.key(field.key.rawValue)
            json.raw(field.text)
        case .colour, .text:
            if field.key.form == .colour { checkColour(field, &findings) }
            json.key(field.key.rawValue)
            json.string(utf8: field.text)
        }
        return true
    }

    /// Whether a field is a finite number in JSON's spelling; warns when it is out of range.
    private static func isNumber(_ field: Field, _ findings: inout Findings) -> Bool {
        let text = field.text
        guard case .number(text.count) = JSONNumber.scan(text.span, from: 0, end: text.count),
            JSONNumber.isFinite(text)
        else {
            let hasComma = text.contains(UInt8(ascii: ","))
            add(
                .error, "not_a_number", field, "a decimal number such as 0.32",
                hint: hasComma ? "write the decimal point as a point" : nil, &findings)
            return false
        }
        if field.key.form == .fraction, !JSONNumber.isFraction(text) {
            add(.warning, "out_of_range", field, "a number from 0 to 1", &findings)
        }
        return true
    }

    private static let colours = ["green", "yellow", "red", "unknown"].map { Array($0.utf8) }

    private static func checkColour(_ field: Field, _ findings: inout Findings) {
        for colour in colours where field.text == colour[...] { return }
        add(.warning, "unknown_colour", field, "green, yellow, red or unknown", &findings)
    }

    private static func add(
        _ severity: Diagnostic.Severity, _ code: String, _ field: Field, _ expected: String,
        hint: String? = nil, _ findings: inout Findings
    ) {
        findings.add(
            severity, .model, code, in: field.parameter.part,
            at: field.parameter.valueRange.lowerBound,
            expected: "\(field.key.rawValue): \(expected)", found: Excerpt.quoted(field.text),
            hint: hint)
    }

    private static func addMissingStress(_ findings: inout Findings) {
        findings.add(
            .warning, .model, "missing_parameter", expected: "the parameter stress",
            found: "none", hint: "Welltory sends stress with every result")
    }

    private static func addNoMeasurement(_ findings: inout Findings) {
        let names = WelltoryKey.all.filter(\.isMeasurement).map(\.rawValue)
        findings.add(
            .error, .model, "no_measurement",
            expected: "at least one of " + names.joined(separator: ", "), found: "none")
    }
}
