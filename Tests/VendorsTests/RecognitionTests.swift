// Whose callback a message is, by its names alone, and what is said where it is nobody's.
// Left out: what its decoder then says; that is tested by contract.

import Testing

@testable import Vendors

@Suite("Recognition")
struct RecognitionTests {
    @Test(
        "goes by the names of parameters, broken values or not",
        arguments: [
            ("myapp:?result=%7B", .ailet), ("myapp:?report=%ZZ", .ailet), ("?x=1&res%75lt", .ailet),
            ("?stress=0,32", .welltory), ("?stress=high&energy=low", .welltory),
            ("/dds/?productivity_c=red&status=1", .welltory), (Published.welltoryURL, .welltory),
            (Published.dimmyURL, .dimmy), (Published.fluxURL, .dimmy), ("?response=", .dimmy),
            ("?status=cancelled&order=1", .dimmy), ("?st%61tus=err%6Fr", .dimmy),
            ("?error=not_logged_in", .dimmy), ("?status=cancelled&stress=1", .dimmy),
            ("", nil), ("/", nil), ("?", nil), ("?a=1", nil), ("/result=1", .ailet),
            ("#?result", nil), ("?status=paid", nil), ("?error=1", nil),
            ("?token=1&measurement_quality=1", nil), ("?Stress=1", nil), ("?%FF=%FF&&=", nil),
        ] as [(String, Vendor?)])
    func queries(url: String, vendor: Vendor?) {
        #expect(Vendor(recognizing: Callback(target: Array(url.utf8))) == vendor)
        guard let query = url.split(separator: "?", maxSplits: 1).last, url.contains("?"),
            !url.contains("#")
        else { return }
        let form = Callback(target: Array("/x".utf8), body: .form(Array(query.utf8)))
        #expect(Vendor(recognizing: form) == vendor)
    }

    @Test(
        "reads the members of a JSON body, or the payload that it is",
        arguments: [
            (#"{"stress":0.3}"#, .welltory), (#"{"response":"e30"}"#, .dimmy),
            (#"{"status":"cancelled"}"#, .dimmy), (#"{"result":{}}"#, .ailet),
            (#"{"status":"RESULT_OK"}"#, .ailet), (Published.ailetReportWithTask, .ailet),
            (Published.dimmyItem, .dimmy), (#"[{"endedAt":""}]"#, .dimmy),
            ("[]", nil), ("[1]", nil), ("{}", nil), ("1", nil), ("{", nil), ("", nil),
            (#"{"status":1}"#, nil), (#"{"stress":null}"#, nil),
        ] as [(String, Vendor?)])
    func bodies(json: String, vendor: Vendor?) {
        let callback = Callback(target: Array("/x".utf8), body: .json(Array(json.utf8)))
        #expect(Vendor(recognizing: callback) == vendor)
    }

    @Test("reports broken JSON before the vendor that isn't known because of it")
    func brokenBody() {
        let body = Callback.Body.json(Array(#"{"stress":0.3,}"#.utf8))
        let callback = Callback(target: Array("/".utf8), body: body)
        #expect(Vendor(recognizing: callback) == nil)
        let decoding = Decoding(ofUnknownVendor: callback, hint: "name it")
        #expect(decoding.verdict == .unmatched)
        #expect(decoding.diagnostics.map(\.code) == ["broken_json", "unknown_vendor"])
        #expect(decoding.diagnostics.map(\.part) == [.body, .body])
        #expect(decoding.diagnostics.map(\.offset) == [13, nil])
        #expect(decoding.diagnostics.last?.hint == "name it")
        let states = LayerTrace(of: callback, decoding).steps.map(\.state)
        #expect(states == [.passed, .failed, .skipped])
    }

    @Test("says of a URL of nobody that its parameters are no vendor's")
    func unknownParameters() {
        let callback = Callback(target: Array("https://example.com/?a=b".utf8))
        let decoding = Decoding(ofUnknownVendor: callback, hint: "name it")
        #expect(decoding.diagnostics.map(\.code) == ["unknown_vendor"])
        #expect(decoding.diagnostics.map(\.part) == [.target])
    }

    @Test("knows every sample", arguments: Sample.all.indices)
    func samples(index: Int) {
        let sample = Sample.all[index]
        let callback = Callback(target: Array("/?\(sample.query)".utf8))
        #expect(Vendor(recognizing: callback) == sample.vendor)
    }
}
