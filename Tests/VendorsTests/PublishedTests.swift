// The vendors' own examples, each over every carrier.
// Left out: what the vendors don't show; that is tested by contract.

import JSON
import Testing

@testable import Vendors

@Suite("Published callbacks")
struct PublishedTests {
    @Test("Welltory's example decodes with its numbers as written", arguments: Carrier.allCases)
    func welltory(carrier: Carrier) throws {
        let decoding = Decoding(of: try again(Published.welltoryURL, carrier), from: .welltory)
        #expect(decoding.contract == .welltoryDDS)
        #expect(decoding.outcome == .completed)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.diagnostics.isEmpty)
        #expect(
            decoding.text
                == #"{"stress":0.32,"energy":0.75,"productivity":0.63,"rmssd":90.3,"sdnn":45.1,"#
                + #""power":100,"stress_c":"green","energy_c":"yellow","productivity_c":"red"}"#)
    }

    @Test("Dimmy's example decodes, raw plus signs and all", arguments: Carrier.allCases)
    func dimmy(carrier: Carrier) throws {
        let decoding = Decoding(of: try again(Published.dimmyURL, carrier), from: .dimmy)
        #expect(decoding.contract == .dimmy2024)
        #expect(decoding.outcome == .completed)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.diagnostics.map(\.pointer) == ["/remark"])
        #expect(try decoding.root?["item"].map(text) == compact(Published.dimmyItem))
        #expect(
            decoding.root?["first_box"].map(text)
                == #"{"width":0.42,"height":0.3,"depth":0.2,"unit":null}"#)
        #expect(decoding.root?["context"]?.count == 0)
    }

    @Test("Dimmy's example survives as a form body that nobody escaped")
    func dimmyRawForm() throws {
        let query = try #require(Published.dimmyURL.split(separator: "?", maxSplits: 1).last)
        let decoding = Decoding(form: String(query), from: .dimmy)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.codes == ["base64_plus_repaired", "unknown_member"])
        #expect(decoding.diagnostics.first?.severity == .info)
        #expect(decoding.diagnostics.first?.part == .body)
        let plus = query.utf8.enumerated().first { $0.element == UInt8(ascii: "+") }?.offset
        #expect(decoding.diagnostics.first?.offset == plus)
        #expect(try decoding.root?["item"].map(text) == compact(Published.dimmyItem))
    }

    @Test("Flux's example decodes with the partner's parameter", arguments: Carrier.allCases)
    func flux(carrier: Carrier) throws {
        let decoding = Decoding(of: try again(Published.fluxURL, carrier), from: .dimmy)
        #expect(decoding.contract == .flux)
        #expect(decoding.outcome == .completed)
        #expect(decoding.verdict == .decoded)
        #expect(try decoding.root?["item"].map(text) == compact(Published.fluxItem))
        #expect(
            decoding.root?["first_box"].map(text)
                == #"{"width":1.5,"height":2,"depth":3,"unit":"m"}"#)
        #expect(decoding.root?["context"].map(text) == #"{"order":"4711"}"#)
    }

    @Test("Flux's test of two bytes that are no JSON is undecodable at its first digit")
    func fluxNotJSON() {
        let decoding = Decoding(url: Published.fluxNotJSONURL, from: .dimmy)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.contract == .flux)
        #expect(decoding.outcome == .completed)
        #expect(decoding.value == nil)
        #expect(decoding.diagnostics.map(\.layer) == [.utf8])
        #expect(decoding.diagnostics.first?.offset == Published.fluxNotJSONURL.utf8.count - 3)
    }

    @Test(
        "Ailet's reports decode with all their members in order",
        arguments: [Published.ailetReportWithTask, Published.ailetReportWithoutTask],
        Carrier.allCases)
    func ailet(report: String, carrier: Carrier) throws {
        let decoding = Decoding(of: carrier.callback([("result", report)]), from: .ailet)
        #expect(decoding.contract == .ailetDeeplink)
        #expect(decoding.outcome == .completed)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.diagnostics.isEmpty)
        let members = try compact(report).dropLast()
        let text = try #require(decoding.text)
        #expect(text.hasPrefix(members + #","status_code":1,"visit_id":"q","normalized":{"#))
        let price = "/report/photos/602cb5b7098ee-9451/products/0/price"
        #expect(decoding.root?["normalized"]?[price]?.int == 46)
        let kind = "/report/assortment_achievement/0/price_type"
        #expect(decoding.root?["normalized"]?[kind]?.int == 0)
    }

    @Test(
        "a payload posted as the JSON body, or inside of it, decodes the same",
        arguments: [
            (Vendor.ailet, Published.ailetReportWithTask, "result"),
            (.dimmy, Published.dimmyItem, "response"), (.dimmy, Published.fluxItem, "response"),
        ])
    func posted(vendor: Vendor, payload: String, name: String) {
        let plain = Decoding(json: payload, from: vendor)
        #expect(plain.verdict == .decoded)
        #expect(plain.outcome == .completed)
        let wrapped = Decoding(json: "{\"\(name)\": \(payload)}", from: vendor)
        #expect(wrapped.verdict == .decoded)
        #expect(wrapped.contract == plain.contract)
        #expect(wrapped.text == plain.text)
    }

    @Test("a Welltory measurement may be posted with real numbers")
    func welltoryNumbers() {
        let json = #"{"stress": 0.320, "power": 1e2, "stress_c": "red", "token": null}"#
        let decoding = Decoding(json: json, from: .welltory)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.text == #"{"stress":0.320,"power":1e2,"stress_c":"red"}"#)
    }

    /// The parameters of `url` over another carrier.
    private func again(_ url: String, _ carrier: Carrier) throws -> Callback {
        if carrier == .query { return Callback(target: Array(url.utf8)) }
        let query = try #require(url.split(separator: "?", maxSplits: 1).last)
        return carrier.callback(
            query.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            })
    }

    private func text(_ node: JSONNode) -> String { String(decoding: node.text, as: UTF8.self) }
}
