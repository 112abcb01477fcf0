// Each quirk of vendor document 1 to 3 and 6: what is said of it, where, and what is still decoded.
// Left out: intact messages, which the vendors' own tests have, and hostile ones.

import Testing

@testable import Vendors

@Suite("Quirks")
struct QuirkTests {
    /// One malformed message and what is to be said first of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let vendor: Vendor
        let message: String
        let layer: Diagnostic.Layer
        let code: String
        /// The text that starts at the finding's offset; empty for the end of the message.
        let at: String
        /// A part of the hint.
        let hint: String
        /// A part of the value that is decoded all the same; nil when nothing is.
        let value: String?

        var testDescription: String { "\(vendor) \(code) \(message.prefix(40))" }
    }

    private static func row(
        _ vendor: Vendor, _ message: String, _ layer: Diagnostic.Layer, _ code: String, at: String,
        _ hint: String, _ value: String? = nil
    ) -> Row {
        Row(
            vendor: vendor, message: message, layer: layer, code: code, at: at, hint: hint,
            value: value)
    }

    private func check(_ row: Row, _ decoding: Decoding, _ text: String) {
        let finding = decoding.diagnostics.first { $0.severity != .info }
        #expect(finding?.layer == row.layer)
        #expect(finding?.code == row.code)
        #expect(finding?.hint?.contains(row.hint) == true, "\(finding?.hint ?? "no hint")")
        let rest = text.utf8.dropFirst(finding?.offset ?? 0)
        #expect(finding?.offset != nil)
        #expect(row.at.isEmpty ? rest.isEmpty : rest.starts(with: row.at.utf8))
        guard let value = row.value else {
            #expect(decoding.verdict == .undecodable)
            return
        }
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.text?.contains(value) == true, "\(decoding.text ?? "no value")")
    }

    @Test(
        "of how parameters are put together",
        arguments: [
            row(
                .dimmy, "https://a/cb?order=1?response=eyJjb2RlIjoiYSJ9", .url, "wrong_separator",
                at: "?response", "second ?", #""item":{"code":"a"}"#),
            row(
                .dimmy, "/?order=1?status=cancelled", .url, "wrong_separator", at: "?status",
                "second ?", #""context":{"order":"1"}"#),
            row(
                .dimmy, "/??response=eyJjb2RlIjoiYSJ9", .url, "wrong_separator", at: "?response",
                "one ?", #""code":"a""#),
            row(
                .welltory, "/?stress=0.3;energy=0.5;note=a", .url, "wrong_separator",
                at: ";energy", "with &", #"{"stress":0.3}"#),
            row(
                .welltory, "/?stress=0.3&amp;energy=0.5", .url, "wrong_separator",
                at: "amp;energy", "HTML", #"{"stress":0.3,"energy":0.5}"#),
            row(
                .welltory, "/?a=1?stress=0.3&energy=0.5", .url, "wrong_separator", at: "?stress",
                "second ?", #""parameters":{"a":"1"}"#),
            row(
                .dimmy, "/?a=1?status=completed&response=eyJjb2RlIjoiYSJ9", .url,
                "wrong_separator", at: "?status", "second ?", #""context":{"a":"1"}"#),
            row(
                .ailet, "app://?a=1?result={\"status\":\"IR_ERROR\"}", .url, "wrong_separator",
                at: "?result", "second ?", #""status":"IR_ERROR""#),
            row(
                .dimmy, "https://a/cb?order=1#top?response=eyJhIjoxfQ", .url,
                "parameters_in_fragment", at: "#top", "before #"),
            row(
                .welltory, "https://a/cb#stress=0.3&energy=1", .url, "parameters_in_fragment",
                at: "#stress", "before #"),
            row(
                .dimmy, "https://a/cb&response=eyJhIjoxfQ", .url, "missing_question_mark",
                at: "&response", "with ? when"),
            row(
                .ailet, "app:result=%7B%7D", .url, "missing_question_mark", at: ":result",
                "with ? when"),
            row(
                .welltory, "/?stress%3D0.3%26energy%3D0.5", .percent, "escaped_separators",
                at: "stress", "not the whole query"),
            row(
                .dimmy, "/?response%3DeyJhIjoxfQ", .percent, "escaped_separators", at: "response",
                "not the whole query"),
        ])
    func parameters(row: Row) {
        check(row, Decoding(url: row.message, from: row.vendor), row.message)
    }

    @Test(
        "of names",
        arguments: [
            row(
                .welltory, "/?Stress=0.3&energy=1", .url, "misspelled_parameter", at: "Stress",
                "write stress", #"{"stress":0.3,"energy":1}"#),
            row(
                .welltory, "/?stress=0.3&stress-C=red", .url, "misspelled_parameter",
                at: "stress-C", "write stress_c", #""stress_c":"red""#),
            row(
                .dimmy, "/?Response=eyJjb2RlIjoiYSJ9", .url, "misspelled_parameter",
                at: "Response", "write response", #""code":"a""#),
            row(
                .dimmy, "/?respnse=eyJjb2RlIjoiYSJ9", .model, "misspelled_parameter",
                at: "respnse", "perhaps response"),
            row(
                .ailet, "/?reslut=%7B%7D", .model, "misspelled_parameter", at: "reslut",
                "perhaps result"),
            row(
                .ailet, "/?RESULT=%7B%22status%22:%22IR_ERROR%22%7D", .url,
                "misspelled_parameter", at: "RESULT", "write result", "IR_ERROR"),
            row(
                .ailet, "/?report=%7B%22status%22:%22IR_ERROR%22%7D", .url,
                "misspelled_parameter", at: "report", "older vendor documents", "IR_ERROR"),
            row(
                .ailet, "/?result={\"status\":\"IR_ERROR\",\"sceneCounter\":1}", .model,
                "misspelled_member", at: "1}", "older vendor document", #""scenesCounter":1"#),
            row(
                .ailet, "/?result={\"status\":\"IR_RESULTOK\"}", .model, "unknown_value",
                at: "\"IR_RESULTOK", "perhaps IR_RESULT_OK", "IR_RESULTOK"),
            row(
                .dimmy, "/?status=Completed&response=eyJjb2RlIjoiYSJ9", .model, "unknown_status",
                at: "Completed", "write completed", #""status":"Completed","item":{"code":"a"}"#),
            row(
                .dimmy, "/?status=error&error=flow_unavailible", .model, "unknown_error_reason",
                at: "flow_unavailible", "perhaps flow_unavailable", "flow_unavailible"),
            row(
                .dimmy, "/?status=canceled&order=1", .model, "unknown_status", at: "canceled",
                "write cancelled", #"{"status":"canceled","context":{"order":"1"}}"#),
            row(
                .dimmy, "/?status=complete&response=eyJjb2RlIjoiYSJ9", .model, "unknown_status",
                at: "complete", "write completed", #""item":{"code":"a"}"#),
            row(
                .dimmy, "/?status=failed&error=not_logged_in", .model, "unknown_status",
                at: "failed", "write error", #""error":"not_logged_in""#),
            row(
                .dimmy, "/?status=competed", .model, "unknown_status", at: "competed",
                "perhaps completed"),
        ])
    func names(row: Row) {
        check(row, Decoding(url: row.message, from: row.vendor), row.message)
    }

    @Test(
        "of escapes",
        arguments: [
            row(
                .dimmy, "/?response=eyJjb2RlIjoiPz8/fn5%252BIn0%253D", .percent,
                "double_percent_encoding", at: "%252B", "encode it once", #""code":"???~~~""#),
            row(
                .ailet, "/?result=%257B%2522status%2522%253A%2522IR_ERROR%2522%257D", .percent,
                "double_percent_encoding", at: "%257B", "encode it once", #""status":"IR_ERROR""#),
            row(
                .ailet, "/?result={%2522status%2522%253A%2522IR_ERROR%2522}", .percent,
                "double_percent_encoding", at: "%2522status", "encode it once",
                #""status":"IR_ERROR""#),
            row(
                .welltory, "/?energy=1&stress=32%", .percent, "broken_percent_encoding", at: "%",
                "%25", #"{"energy":1}"#),
            row(
                .dimmy, "/?response=undefined", .model, "empty_value", at: "undefined",
                "leave the parameter out"),
            row(
                .dimmy, "/?response=null", .model, "empty_value", at: "null",
                "leave the parameter out"),
            row(
                .ailet, "/?result=undefined", .model, "empty_value", at: "undefined",
                "leave the parameter out"),
            row(
                .ailet, "/?result=%5Bobject%20Object%5D", .model, "empty_value", at: "%5B",
                "as JSON first"),
            row(
                .dimmy, "/?response=hello", .base64, "broken_base64", at: "",
                "not Base64 of JSON"),
            row(
                .welltory, "/?energy=1&stress=0%252E3", .percent, "double_percent_encoding",
                at: "0%252E", "encode it once", #"{"energy":1}"#),
            row(
                .ailet, "/?result=%7B%22a%22:%22%u00e9%22%7D", .percent,
                "broken_percent_encoding", at: "%u00e9", "encodeURIComponent"),
            row(
                .ailet, "/?result=%7B%22a%22:%22100% sure%22%7D", .percent,
                "broken_percent_encoding", at: "% s", "%25"),
            row(
                .ailet, "/?result=%7B%22a%22:%22b%2", .percent, "broken_percent_encoding",
                at: "%2", "cut off"),
            row(
                .ailet, "/?result=%7B%22a%22:%22caf%E9%22%7D", .utf8, "invalid_utf8", at: "%E9",
                "ISO-8859-1"),
            row(
                .welltory, "/?stress=1&token=caf%E9", .utf8, "invalid_utf8", at: "%E9",
                "ISO-8859-1", #"{"stress":1}"#),
        ])
    func escapes(row: Row) {
        check(row, Decoding(url: row.message, from: row.vendor), row.message)
    }

    @Test(
        "of Base64",
        arguments: [
            // `{"code":"a"}` in Base64, and that in Base64 again.
            row(
                .dimmy, "/?response=ZXlKamIyUmxJam9pWVNKOQ==", .base64, "double_base64",
                at: "ZXlK", "once too often", #""item":{"code":"a"}"#),
            row(
                .dimmy, "/?response=%7B%22code%22:%22a%22%7D", .base64, "not_base64", at: "%7B",
                "encode the JSON in Base64", #""item":{"code":"a"}"#),
            row(
                .ailet, "/?result=eyJzdGF0dXMiOiJJUl9FUlJPUiJ9", .base64, "unexpected_base64",
                at: "eyJz", "percent-encode the JSON itself"),
            row(.dimmy, "/?response=eyJj.b2Rl", .base64, "broken_base64", at: ".b2", "RFC 4648"),
            row(
                .dimmy, "/?response=%22eyJjb2RlIjoiYSJ9%22", .base64, "broken_base64", at: "%22",
                "quotation marks"),
            row(
                .dimmy, "/?response=eyJjb2Rl%0AIjoiYSJ9", .base64, "broken_base64", at: "%0A",
                "NO_WRAP"),
            row(
                .dimmy, "/?response=eyJjb2RlI&order=1", .base64, "broken_base64", at: "&order",
                "was cut off"),
            row(
                .dimmy, "/?response=eyJjb2RlIj&order=1", .json, "broken_json", at: "&order",
                "cut off"),
            row(
                .dimmy, "/?response=H4sIAAAAAAAAA6tWSs5PSVWyUkpUqgUA", .json, "broken_json",
                at: "H4s", "gzip"),
        ])
    func base64(row: Row) {
        check(row, Decoding(url: row.message, from: row.vendor), row.message)
    }

    @Test(
        "of JSON",
        arguments: [
            row(.ailet, "<!DOCTYPE html><p>502", .json, "broken_json", at: "<!", "web page"),
            row(
                .ailet, "{'status':'IR_ERROR'}", .json, "broken_json", at: "'status", "double mark"),
            row(
                .ailet, "\u{FEFF}{\"status\":\"IR_ERROR\"}", .json, "byte_order_mark",
                at: "\u{FEFF}", "without BOM", #""status":"IR_ERROR""#),
            row(
                .welltory, "\u{FEFF}{\"stress\":0.5,\"energy\":\"1\"}", .json, "byte_order_mark",
                at: "\u{FEFF}", "without BOM", #"{"stress":0.5,"energy":1}"#),
            row(
                .ailet, #"{"status":"IR_ERROR"}{"a":1}"#, .json, "broken_json",
                at: #"{"a""#, "one value"
            ),
            row(
                .ailet, #" "{\"status\":\"IR_ERROR\"}""#, .json, "json_in_string", at: "\"{",
                "encoded twice", #""status":"IR_ERROR""#),
            row(
                .dimmy, #"{"started_at":NaN}"#, .json, "broken_json", at: "NaN",
                "JSON has no such number"),
            row(.ailet, #"{"status":"IR_ERROR","#, .json, "broken_json", at: "", "cut off"),
            row(
                .welltory, "stress=0.5&energy=1", .body, "mislabelled_body", at: "stress",
                "x-www-form-urlencoded", #"{"stress":0.5,"energy":1}"#),
        ])
    func json(row: Row) {
        check(row, Decoding(json: row.message, from: row.vendor), row.message)
    }

    @Test("leaves a ? and a ; in a value alone where the name behind it is sent as well")
    func innocent() {
        let decoding = Decoding(
            url: "/?note=a;stress=9?energy=9&stress=1&energy=1", from: .welltory)
        #expect(decoding.codes == ["unknown_parameter", "absent_parameters"])
        #expect(decoding.root?["parameters"]?["note"]?.string == "a;stress=9?energy=9")
    }

    @Test(
        "leaves a ? in a partner's own value alone, whatever name follows it",
        arguments: [
            (
                Vendor.welltory, "parameters", "https://p.example/app?token=abc123",
                "stress=0.32&energy=0.5"
            ),
            (.welltory, "parameters", "/app?stress=1", "energy=0.5&stress=0.32"),
            (.dimmy, "context", "/report?error=none", "status=cancelled"),
            (.dimmy, "context", "/report?response=e30", "status=cancelled"),
            (.dimmy, "context", "/report?error=none", "response=eyJjb2RlIjoiYSJ9"),
            (.ailet, "parameters", "/report?report=1", "result=%7B%22status%22:%22IR_ERROR%22%7D"),
        ])
    func ownQuestionMarks(vendor: Vendor, member: String, next: String, block: String) {
        let decoding = Decoding(url: "/?next=\(next)&\(block)", from: vendor)
        #expect(!decoding.codes.contains("wrong_separator"))
        #expect(decoding.root?[member]?["next"]?.string == next)
    }

    @Test("of JSON that is sent as a form is read as JSON, with a warning")
    func mislabelledJSON() {
        let decoding = Decoding(form: #"{"stress":0.5,"energy":1}"#, from: .welltory)
        #expect(decoding.codes == ["mislabelled_body", "absent_parameters"])
        #expect(decoding.text == #"{"stress":0.5,"energy":1}"#)
    }

    @Test(
        "of numbers",
        arguments: [
            ("0,32", "a point before"), ("NaN", "could not be computed"),
            ("inf", "could not be computed"), ("-Infinity", "could not be computed"),
            ("0x1p-2", "decimal number"), ("1e400", "too large"), ("32%25", "32% is 0.32"),
            ("", "leave it out"), ("null", "leave it out"),
            ("%200.3", "white space"), ("%220.3%22", "quotation marks"), ("+0.3", "plus sign"),
            (".3", "before the point"), ("1.", "after the point"), ("00.3", "zeros in front"),
            ("0.3%26energy%3D1", "by itself"), ("%D9%A0", "ASCII digits"),
            ("-0,5", "a point before"), ("-007", "zeros in front"), ("00e1", "zeros in front"),
            ("%E2%88%920.3", "ASCII digits"), ("%D9%A0.%D9%A3", "ASCII digits"),
        ])
    func numbers(text: String, hint: String) {
        let decoding = Decoding(url: "/?energy=0.5&stress=\(text)", from: .welltory)
        let finding = decoding.diagnostic("not_a_number")
        #expect(finding?.severity == .warning)
        #expect(finding?.offset == 20)
        #expect(finding?.hint?.contains(hint) == true, "\(finding?.hint ?? "no hint")")
        #expect(decoding.root?["energy"]?.double == 0.5)
        #expect(decoding.root?["stress"] == nil)
    }

    @Test(
        "of texts that resemble no number have no hint",
        arguments: [
            "0.3e", "1.e5", "0.3-0.5", "0-1", "0.3.1", "%C3%A9", "%C2%BD", "90%C2%A0", "1%C3%A9",
            "1,234.5", "1,234,567", "0.3,", ",3", "high", "a,b", "--1", "-",
        ])
    func wordsForNumbers(text: String) {
        let decoding = Decoding(url: "/?energy=0.5&stress=\(text)", from: .welltory)
        let finding = decoding.diagnostic("not_a_number")
        #expect(finding != nil && finding?.hint == nil, "\(finding?.hint ?? "no hint")")
    }

    @Test(
        "hint at a cut only where one is likely: in JSON, or where URLs are cut",
        arguments: [
            ("/?energy=1&token=" + String(repeating: "a", count: 2000) + "%", true),
            ("/?energy=1&token=" + String(repeating: "a", count: 1500) + "%", false),
            ("/?energy=1&token=a%2", false),
        ])
    func cuts(url: String, isCut: Bool) {
        let finding = Decoding(url: url, from: .welltory).diagnostic("broken_percent_encoding")
        #expect(finding?.hint?.contains("cut off") == isCut)
    }

    @Test(
        "say of a lost body what is wrong with it, and no more",
        arguments: [Vendor.dimmy, .welltory, .ailet, .rezolve],
        [
            (Callback.Body.json(Array(#"{"status":"cancelled",}"#.utf8)), "broken_json"),
            (.json(Array("[1,2]".utf8)), "not_an_object"),
            (.other(contentType: "text/plain", Array("a".utf8)), "unsupported_content_type"),
        ])
    func lostBodies(vendor: Vendor, row: (body: Callback.Body, code: String)) {
        let target = vendor == .rezolve ? "/submissions/act/1/answers" : "/x"
        let callback = Callback(target: Array(target.utf8), body: row.body)
        let decoding = Decoding(of: callback, from: vendor)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.codes == [row.code])
    }

    @Test("hint at a decimal comma in JSON, at the comma")
    func decimalComma() {
        let text = #"{"stress":0,5}"#
        let finding = Decoding(json: text, from: .welltory).diagnostic("broken_json")
        #expect(finding?.hint == "use a point before the decimals, not a comma")
        #expect(finding?.offset == 11)
    }

    @Test(
        "have a pointer in JSON bodies",
        arguments: [
            (Vendor.welltory, #"{"energy":"0,7","stress":1}"#, "not_a_number", "/energy"),
            (.welltory, #"{"stress":1, "a/b" : 2}"#, "unknown_parameter", "/a~1b"),
            (.dimmy, #"{"status":"complete"}"#, "unknown_status", "/status"),
            (
                .ailet, #"{"status":"IR_ERROR","report":{"photos":{"a":[1,{"b":x}]}}}"#,
                "broken_json", "/report/photos/a/1/b"
            ),
            (
                .ailet, #"{"status":"IR_ERROR","report":{"photos":{"a":[1,2"#, "broken_json",
                "/report/photos/a/2"
            ),
        ])
    func pointers(vendor: Vendor, json: String, code: String, pointer: String) {
        #expect(Decoding(json: json, from: vendor).diagnostic(code)?.pointer == pointer)
    }

    @Test("of parameters in an object of their own are told as that")
    func wrapped() {
        let decoding = Decoding(json: #"{"result":{"stress":0.5}}"#, from: .welltory)
        #expect(decoding.codes.filter { $0 != "unknown_parameter" } == ["wrapped_parameters"])
        #expect(decoding.diagnostic("wrapped_parameters")?.pointer == "/result")
    }

    @Test("hints at percentages and at colours in another case")
    func nearlyRight() {
        let nearlyOne = Decoding(url: "/?stress=1.0000001", from: .welltory)
        #expect(nearlyOne.diagnostic("out_of_range")?.hint == nil)
        let decoding = Decoding(url: "/?stress=32&stress_c=Green", from: .welltory)
        #expect(decoding.diagnostic("out_of_range")?.hint?.contains("0.32") == true)
        #expect(decoding.diagnostic("unknown_colour")?.hint?.contains("lower case") == true)
    }

    @Test(
        "of launch links that are pasted as callbacks",
        arguments: [
            ("intelligenceretail:?method=report&login=a&password=b&visit_id=1", "ailet-deeplink"),
            ("https://dimmy.api.optioryx.com/open?flow=default&callback=aHR0", "dimmy-2024"),
            ("https://flux.api.optioryx.com/open?flowName=Box", "flux"),
            ("https://welltory.com/action/dds/measurement?source=a&callback=b", "welltory-dds"),
            ("welltory://branch/Measurement/Start/source%3Da%26callback%3Db", "welltory-dds"),
        ])
    func launches(url: String, contract: String) throws {
        let callback = Callback(target: Array(url.utf8))
        let vendor = try #require(Vendor(recognizing: callback))
        #expect(Contract(rawValue: contract)?.vendor == vendor)
        let decoding = Decoding(of: callback, from: vendor)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.diagnostic("launch_link")?.found == "a launch link of \(contract)")
        #expect(decoding.codes == ["launch_link"])
        #expect(decoding.contract?.rawValue == contract)
    }
}
