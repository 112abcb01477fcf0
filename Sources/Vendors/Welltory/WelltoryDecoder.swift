// Decodes Welltory's result: plain parameters (vendor document 2.2).
//
// Invariant: an invalid parameter doesn't affect the others. A number is never guessed: `0,32` is
// an error, not 0. Values are in a diagnostic's `found` only, which masking can replace. Left out:
// declining, for which Welltory sends nothing.

import JSON
import Text

/// The decoder of the `welltory-dds` contract.
enum WelltoryDecoder {
    /// A parameter of the contract with its decoded text.
    private struct Field {
        let key: WelltoryKey
        let parameter: Parameter
        let text: ArraySlice<UInt8>
    }

    /// Decodes a message; of repeated parameters the last is used, as in the vendor's code.
    static func decode(_ message: inout Message) -> Decoding {
        message.adoptBodyMembers()
        message.settle(WelltoryKey.table, keeping: .last)
        var json = JSONWriter(ofDocument: 384)
        var (known, measurements) = (0, 0)
        var fields: [Field] = []
        fields.reserveCapacity(WelltoryKey.all.count)
        json.beginObject()
        for (place, key) in WelltoryKey.all.enumerated() {
            guard let parameter = message.parameter(key: place) else { continue }
            known += 1
            let value = message.value(of: parameter)
            let text = CleanText(value, findings: &message.findings)?.bytes
            let field = text.map { Field(key: key, parameter: parameter, text: $0) }
            guard let field, write(field, to: &json, findings: &message.findings) else { continue }
            fields.append(field)
            if key.isMeasurement { measurements += 1 }
        }
        compareColours(fields, &message.findings)
        // All parameters of a launch link are unknown here, and one diagnostic covers them.
        let isLaunch = measurements == 0 && message.launchedContract != nil
        if known < message.parameters.count, !isLaunch { writeOthers(of: &message, to: &json) }
        json.memberOfDuplicates(of: &message)
        json.endObject()
        if measurements == 0 {
            addNoMeasurement(&message)
        } else {
            if !message.has("stress") { addMissingStress(&message.findings) }
            noteAbsent(&message)
        }
        return Decoding(
            contract: .welltoryDDS, outcome: measurements == 0 ? nil : .completed,
            value: measurements == 0 ? nil : json, findings: message.findings)
    }

    /// Writes the parameters that Android echoes, as `parameters`.
    private static func writeOthers(of message: inout Message, to json: inout JSONWriter) {
        let others = message.others
        if others.isEmpty { return }
        for parameter in others {
            message.findings.addUnknownParameter(
                parameter, named: message.name(of: parameter), insteadOf: WelltoryKey.table.names)
        }
        json.member("parameters", others, of: &message)
    }

    /// Writes a field as a member; false, with an error, if its text is invalid.
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
                add(
                    .error, "not_a_boolean", field, "true or false",
                    hint: "write true or false, in lower case", &findings)
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

    /// Whether a field is a finite JSON number; warns if it is out of range.
    private static func isNumber(_ field: Field, _ findings: inout Findings) -> Bool {
        let text = field.text
        guard case .number(text.count) = JSONNumber.scan(text.span, from: 0, end: text.count),
            JSONNumber.isFinite(text)
        else {
            if isPercentEncoded(text) {
                add(
                    .error, in: .percent, "double_percent_encoding", field, "a decimal number",
                    hint: "the value was percent-encoded twice: encode it once", &findings)
            } else {
                add(
                    .error, "not_a_number", field, "a decimal number such as 0.32",
                    hint: NumberText.hint(on: text), &findings)
            }
            return false
        }
        if field.key.form == .fraction, !JSONNumber.isFraction(text) {
            let isPercentage = (2...100).contains(JSONNumber.double(text) ?? 0)
            add(
                .warning, "out_of_range", field, "a number from 0 to 1",
                hint: isPercentage ? "write a fraction: 32% is 0.32" : nil, &findings)
        }
        return true
    }

    /// Whether a decoded text still contains an escape.
    private static func isPercentEncoded(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { index in
            PercentEncoding.octet(text.span, at: index - text.startIndex, end: text.count) != nil
        }
    }

    private static let colours = ["green", "yellow", "red", "unknown"].map { Array($0.utf8) }

    private static func checkColour(_ field: Field, _ findings: inout Findings) {
        for colour in colours where field.text == colour[...] { return }
        let isVariant = colours.contains {
            Spelling.isVariant(field.text, of: String(decoding: $0, as: UTF8.self))
        }
        add(
            .warning, "unknown_colour", field, "green, yellow, red or unknown",
            hint: isVariant ? "write one of these words, in lower case" : nil, &findings)
    }

    /// Notes a colour that says the opposite of its number.
    ///
    /// The vendor doesn't publish its thresholds, and colours numbers of the middle by more than
    /// their size; so only the outer sixths count.
    private static func compareColours(_ fields: [Field], _ findings: inout Findings) {
        for colour in fields where colour.key.form == .colour {
            let name = colour.key.rawValue.dropLast(2)
            guard let field = fields.first(where: { $0.key.rawValue == name }),
                let value = JSONNumber.double(field.text), (0...1).contains(value)
            else { continue }
            let good = field.key == .stress ? 1 - value : value
            let isGood = colour.text.elementsEqual("green".utf8)
            let isBad = colour.text.elementsEqual("red".utf8)
            guard isGood && good <= 1.0 / 6 || isBad && good >= 5.0 / 6 else { continue }
            add(
                .info, "inconsistent_colour", colour, "another colour for \(field.key.rawValue)",
                found: Excerpt.quoted(colour.text) + " beside " + Excerpt.quoted(field.text),
                hint: "green is good, yellow normal, red bad; high stress is bad", &findings)
        }
    }

    private static func add(
        _ severity: Diagnostic.Severity, in layer: Diagnostic.Layer = .model, _ code: String,
        _ field: Field, _ expected: String, found: String? = nil, hint: String? = nil,
        _ findings: inout Findings
    ) {
        findings.add(
            severity, layer, code, in: field.parameter.part,
            at: field.parameter.valueRange.lowerBound,
            expected: "\(field.key.rawValue): \(expected)",
            found: found ?? Excerpt.quoted(field.text), hint: hint)
    }

    private static func addMissingStress(_ findings: inout Findings) {
        findings.add(
            .warning, .model, "missing_parameter", expected: "the parameter stress",
            found: "none", hint: "Welltory sends stress with every result")
    }

    /// Notes the other parameters that a whole result has, and this one lacks.
    private static func noteAbsent(_ message: inout Message) {
        let absent = WelltoryKey.all.filter { key in
            (key.isMeasurement || key.form == .colour) && key != .stress
                && !message.has(key.rawValue)
        }
        guard !absent.isEmpty else { return }
        let isColour = absent.allSatisfy { $0.form == .colour }
        message.findings.add(
            .info, .model, "absent_parameters",
            expected: "the parameters " + absent.map(\.rawValue).joined(separator: ", "),
            found: "none",
            hint: isColour
                ? "colours are optional; the vendor's Android sample takes an absent one for green"
                : "a whole result has all six numbers; the vendor's samples take an absent one for 0"
        )
    }

    /// Adds: there is no measurement, and the reason if it is recognisable.
    private static func addNoMeasurement(_ message: inout Message) {
        let names = WelltoryKey.all.filter(\.isMeasurement).map(\.rawValue)
        let isSent = names.contains { message.has($0) }
        if !isSent, message.explainMissing(WelltoryKey.table.names) { return }
        message.findings.add(
            .error, .model, "no_measurement",
            expected: "at least one of " + names.joined(separator: ", "), found: "none",
            hint: isSent ? "see the findings about each of them" : nil)
    }
}
