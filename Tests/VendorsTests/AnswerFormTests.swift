// The form of an emulated app's screen: its inputs, and the callback with their values.

import JSON
import Testing

@testable import Vendors

@Suite("The form of an emulated app's screen")
struct AnswerFormTests {
    /// The decoded callback of an app whose form got these texts, by label.
    private func decoding(
        _ contract: Contract, _ texts: [String: String] = [:]
    ) throws -> (decoding: Decoding, form: AnswerForm) {
        let app = Emulated.app(contract)
        let form = try #require(AnswerForm(of: app))
        let value = form.value(
            with: Dictionary(
                uniqueKeysWithValues: form.inputs.compactMap { input in
                    texts[input.label].map { (input.pointer, $0) }
                }))
        let query = try #require(CallbackForm.query(of: value, in: contract))
        let answer = EmulatedAnswer(query: query, outcome: .completed)
        return (answer.decoding(contract), form)
    }

    @Test(
        "Every app with callbacks has inputs, each with a place and a name of its own",
        arguments: Emulated.contracts)
    func inputs(contract: Contract) throws {
        let form = try #require(AnswerForm(of: Emulated.app(contract)))
        #expect(!form.inputs.isEmpty)
        #expect(Set(form.inputs.map(\.pointer)).count == form.inputs.count)
        #expect(Set(form.inputs.map(\.label)).count == form.inputs.count)
        #expect(form.inputs.count <= AnswerForm.most)
    }

    @Test(
        "A form that nobody changed sends what the app would have sent",
        arguments: Emulated.contracts)
    func unchanged(contract: Contract) throws {
        let app = Emulated.app(contract)
        let expected = try #require(app.answers(.completed).first).decoding(contract)
        let (decoding, form) = try decoding(contract)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.document?.bytes == expected.document?.bytes)
        let texts = Dictionary(uniqueKeysWithValues: form.inputs.map { ($0.pointer, $0.text) })
        #expect(form.value(with: texts) == form.value(with: [:]))
        #expect(form.value(with: ["/nowhere": "x"]) == form.value(with: [:]))
    }

    @Test("Changed values go back: numbers as numbers, text as text, empty ones not at all")
    func changed() throws {
        let flux = try decoding(
            .flux, ["Width": "7.25", "Height": "0,5", "Unit": "", "Bar code": "ä\"+&"]
        ).decoding
        let step = flux.document?.root["item"]?["dimensioning"]?[0]?["dimensions"]
        #expect(step?["width"]?.text.elementsEqual("7.25".utf8) == true)
        #expect(step?["height"]?.kind != .number)
        #expect(step?["unit"] == nil || step?["unit"]?.kind == .null)
        #expect(flux.document?.root["barcodes"]?[0]?.string == "ä\"+&")

        let welltory = try decoding(
            .welltoryDDS, ["Stress": "0.9", "Colour of stress": "red", "Colour of energy": ""]
        ).decoding.document?.root
        #expect(welltory?["stress"]?.text.elementsEqual("0.9".utf8) == true)
        #expect(welltory?["stress_c"]?.string == "red")
        #expect(welltory?["energy_c"]?.string == nil)
    }

    @Test(
        "A text stays one, also if it is a JSON value of another type",
        arguments: ["4006381333931", "0.50", "true", "null", "{}"])
    func textsThatLookLikeValues(text: String) throws {
        let item = try decoding(.flux, ["Bar code": text]).decoding.document?.root
        #expect(item?["barcodes"]?[0]?.string == text)
        let report = try decoding(.ailetDeeplink, ["Visit": text]).decoding.document?.root
        #expect(report?["visit_id"]?.string == text)
    }

    @Test("Bounded numbers have a range, listed values are choices")
    func kinds() throws {
        let inputs = try decoding(.welltoryDDS).form.inputs
        #expect(inputs.first { $0.label == "Stress" }?.range == 0...1)
        #expect(inputs.first { $0.label == "Colour of stress" }?.choices.contains("red") == true)
        #expect(inputs.first { $0.label == "Power" }?.isNumber == true)
        let status = try decoding(.ailetDeeplink).form.inputs.first { $0.label == "Status" }
        #expect(status?.choices.contains("IR_RESULT_OK") == true)
        #expect(status?.isOptional == false)
    }
}
