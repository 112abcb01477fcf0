// A broken layer is named, with the byte of the request as it was received.
// Offsets count in the escaped text, never in what was decoded from it.

import JSON
import Testing

@testable import Vendors

@Suite("Broken layers")
struct LayerTests {
    @Test(
        "of a query are named with their byte",
        arguments: [
            (.welltory, "/?stress=0.3%2&energy=1", .percent, 12),
            (.welltory, "/?stress=0.3%zz&energy=1", .percent, 12),
            (.welltory, "/?energy=1&stress=%", .percent, 18),
            (.welltory, "/?stress=%30%FF1&energy=1", .utf8, 12),
            (.welltory, "/?stress=0%00&energy=1", .url, 10),
            (.welltory, "/?energy=1&%FFa=1&stress=1", .utf8, 11),
            (.dimmy, "/?response=eyJh*iI", .base64, 15),
            (.dimmy, "/?response=%65yJh%2AiI", .base64, 17),
            (.dimmy, "/?response=eyJhIjox%7", .percent, 19),
            (.dimmy, "/?response=eyJhI", .base64, 16),
            // `{"a":x}` in Base64: the x is the first octet of the third group.
            (.dimmy, "/?response=eyJhIjp4fQ", .json, 17),
            (.dimmy, "/?response=%65%79JhIjp4fQ", .json, 21),
            // `{"a":1` ends too early, at the end of the value.
            (.dimmy, "/?response=eyJhIjox&b=1", .json, 19),
            (.dimmy, "/?response=ew", .json, 13), (.dimmy, "/?response=%FF", .base64, 11),
            (.ailet, "/?result=%7B%22status%22%3A", .json, 27),
            (.ailet, "/?result=%7B%22status%22%3Ax%7D", .json, 27),
            (.ailet, "/?result=%7B%22status%22%3A%22%C3%28%22%7D", .utf8, 30),
            (.ailet, "/?result=%7B%22status%22%3A%22%00%22%7D", .json, 30),
            (.ailet, "/?a=1&result=[1]", .json, 13), (.ailet, "/?result={}%", .percent, 11),
            (.ailet, "/?result=%3Chtml%3E", .json, 9),
        ] as [(Vendor, String, Diagnostic.Layer, Int)])
    func query(vendor: Vendor, target: String, layer: Diagnostic.Layer, offset: Int) {
        let decoding = Decoding(url: target, from: vendor)
        #expect(decoding.diagnostics.first?.layer == layer)
        #expect(decoding.diagnostics.first?.offset == offset)
        #expect(decoding.diagnostics.first?.part == .target)
        #expect(decoding.verdict != .decoded)
    }

    @Test(
        "of a body are named with their byte",
        arguments: [
            (.welltory, .form(Array("energy=1&stress=%3".utf8)), .percent, 16),
            (.welltory, .form(Array("energy=1&stress=a%00".utf8)), .form, 17),
            (.welltory, .json(Array(#"{"stress":0.3,}"#.utf8)), .json, 13),
            (.welltory, .json(Array(#"{"energy":1,"stress":"0\u0000"}"#.utf8)), .json, 23),
            (.welltory, .json(Array("[1]".utf8)), .json, 0),
            (.welltory, .json([0x22, 0xFF, 0x22]), .utf8, 1),
            (.ailet, .json(Array(#"{"result":"{\"status\":x}"}"#.utf8)), .json, 23),
            (.ailet, .json(Array(#"{"result":{"a":1},"b":}"#.utf8)), .json, 22),
            (.dimmy, .json(Array(#"{"response":"ey\u004Ah*"}"#.utf8)), .base64, 22),
            (.dimmy, .form(Array("a=1&response=eyJh+*".utf8)), .base64, 18),
            (.dimmy, .other(contentType: "text/plain", Array("x".utf8)), .body, 0),
        ] as [(Vendor, Callback.Body, Diagnostic.Layer, Int)])
    func body(vendor: Vendor, body: Callback.Body, layer: Diagnostic.Layer, offset: Int) {
        let decoding = Decoding(of: Callback(target: [], body: body), from: vendor)
        #expect(decoding.diagnostics.first?.layer == layer)
        #expect(decoding.diagnostics.first?.offset == offset)
        #expect(decoding.diagnostics.first?.part == .body)
        #expect(decoding.verdict != .decoded)
    }

    @Test("an unknown content type doesn't cost the query")
    func otherBody() {
        let callback = Callback(
            target: Array("?stress=1".utf8),
            body: .other(contentType: "image/png", [0x89]))
        let decoding = Decoding(of: callback, from: .welltory)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.diagnostics.first?.found == "\"image/png\"")
        let empty = Callback(target: callback.target, body: .other(contentType: "image/png", []))
        #expect(Decoding(of: empty, from: .welltory).verdict == .decoded)
    }

    @Test("what is only passed on is repaired, with a warning")
    func repaired() {
        let decoding = Decoding(url: "?stress=1&a=%FFb%&%41=c", from: .welltory)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.root?["parameters"]?["a"]?.string == "\u{FFFD}b%")
        #expect(decoding.root?["parameters"]?["A"]?.string == "c")
        #expect(decoding.diagnostic("invalid_utf8")?.offset == 12)
        #expect(decoding.diagnostic("broken_percent_encoding")?.offset == 16)
    }

    @Test("raw decodes nothing")
    func raw() {
        let decoding = Decoding(url: "?stress=%zz&password=x", from: .raw)
        #expect(decoding.verdict == .unmatched)
        #expect(decoding.contract == nil && decoding.outcome == nil && decoding.value == nil)
        #expect(decoding.diagnostics.isEmpty)
    }

    @Test("parameters and findings are bounded", arguments: Vendor.allCases)
    func bounds(vendor: Vendor) {
        let pairs = (0..<5_000).map { "p\($0)=%FF" }.joined(separator: "&")
        let decoding = Decoding(form: "stress=1&status=cancelled&" + pairs, from: vendor)
        #expect(decoding.diagnostics.count <= Limits.maximumDiagnostics)
        #expect((decoding.root?["context"]?.count ?? 0) < Limits.maximumParameters)
        if vendor == .welltory || vendor == .dimmy {
            #expect(decoding.verdict == .decodedWithWarnings)
            #expect(decoding.codes.last == "too_many_diagnostics")
        }
    }

    @Test("as many parameters as allowed are no reason for a warning", arguments: [256, 257])
    func mostParameters(count: Int) {
        let pairs = (1..<count).map { "p\($0)=1" }.joined(separator: "&")
        let decoding = Decoding(form: "stress=0.5&" + pairs, from: .welltory)
        let isTooMany = count > Limits.maximumParameters
        #expect(decoding.codes.contains("too_many_parameters") == isTooMany)
        #expect(decoding.verdict == (isTooMany ? .decodedWithWarnings : .decoded))
    }

    @Test("a separator is found wherever it stands", arguments: 0..<20)
    func separators(place: Int) {
        var text = [UInt8](repeating: 0x80, count: 20)
        // Differ from the separators in their lowest or highest bit only.
        for index in text.indices where index % 3 == 0 { text[index] = UInt8(ascii: "=") }
        for index in text.indices where index % 5 == 0 { text[index] = 0xBF }
        let find = { (text: [UInt8], start: Int, end: Int) in
            text.span.place(
                of: UInt8(ascii: "?"), or: UInt8(ascii: "<"), from: start, to: end)
        }
        #expect(find(text, 0, 20) == 20)
        for separator in "?<".utf8 {
            text[place] = separator
            #expect(find(text, 0, 20) == place)
            #expect(find(text, min(place + 1, 20), 20) == 20)
            #expect(find(text, 0, place) == place)
        }
    }

    @Test("a finding is written as one JSON object with fixed keys")
    func written() {
        var json = JSONWriter()
        Diagnostic(
            severity: .error, layer: .utf8, code: "c", part: .body, offset: 3, expected: "\"",
            found: "f"
        ).write(to: &json)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"severity":"error","layer":"utf8","code":"c","part":"body","offset":3,"#
                + #""pointer":null,"expected":"\"","found":"f","hint":null}"#)
    }
}
