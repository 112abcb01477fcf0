// Welltory's result: plain parameters (vendor document 2.2).
//
// Invariant: a parameter that can't be read never costs another one. A number is never guessed:
// `0,32` is an error, not 0. Left out: the decline, for which Welltory sends nothing.

import JSONText
import PositionedJSON

/// The decoder of the `welltory-dds` contract.
enum WelltoryDecoder {
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
            let isWritten = write(key, parameter, to: &json, findings: &message.findings)
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
            !WelltoryKey.all.contains { parameter.isNamed($0.rawValue) }
        }
        for parameter in others { message.findings.addUnknownParameter(parameter) }
        json.member("parameters", others, findings: &message.findings)
    }

    /// Writes a parameter as a member; false, with an error, when its text can't be read.
    private static func write(
        _ key: WelltoryKey, _ parameter: Parameter, to json: inout JSONWriter,
        findings: inout Findings
    ) -> Bool {
        guard let text = CleanText(parameter.value, findings: &findings)?.bytes else {
            return false
        }
        switch key.form {
        case .fraction, .number:
            guard isNumber(text, key, parameter, &findings) else { return false }
            json.key(key.rawValue)
            json.raw(text)
        case .flag:
            guard text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) else {
                add(.error, "not_a_boolean", parameter, text, "true or false", &findings)
                return false
            }
            json.key(key.rawValue)
            json.raw(text)
        case .colour, .text:
            if key.form == .colour { checkColour(text, parameter, &findings) }
            json.key(key.rawValue)
            json.string(utf8: text)
        }
        return true
    }

    /// Whether `text` is a finite number in JSON's spelling; warns when it is out of range.
    private static func isNumber(
        _ text: ArraySlice<UInt8>, _ key: WelltoryKey, _ parameter: Parameter,
        _ findings: inout Findings
    ) -> Bool {
        let bytes = Array(text)
        guard case .number(bytes.count) = JSONNumber.scan(bytes, from: 0, end: bytes.count),
            JSONNumber.isFinite(bytes)
        else {
            let hasComma = text.contains(UInt8(ascii: ","))
            add(
                .error, "not_a_number", parameter, text, "a decimal number such as 0.32",
                hint: hasComma ? "write the decimal point as a point" : nil, &findings)
            return false
        }
        if key.form == .fraction, !(0...1).contains(JSONNumber.double(bytes) ?? .infinity) {
            add(.warning, "out_of_range", parameter, text, "a number from 0 to 1", &findings)
        }
        return true
    }

    private static func checkColour(
        _ text: ArraySlice<UInt8>, _ parameter: Parameter, _ findings: inout Findings
    ) {
        let colours = ["green", "yellow", "red", "unknown"]
        if colours.contains(where: { text.elementsEqual($0.utf8) }) { return }
        add(
            .warning, "unknown_colour", parameter, text, "green, yellow, red or unknown",
            &findings)
    }

    private static func add(
        _ severity: Diagnostic.Severity, _ code: String, _ parameter: Parameter,
        _ text: ArraySlice<UInt8>, _ expected: String, hint: String? = nil,
        _ findings: inout Findings
    ) {
        findings.add(
            severity, .model, code, in: parameter.value.part,
            at: parameter.value.range.lowerBound, expected: "\(parameter.nameText): \(expected)",
            found: Excerpt.quoted(text), hint: hint)
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
