// The line that says in lists what a callback brought: one line, bounded, and without what is masked.

import JSON
import Testing

@testable import Vendors

@Suite struct SummaryTests {
    private func summary(
        _ vendor: Vendor, _ value: String, isMasked: Bool = false
    ) throws -> String? {
        let root = try JSONDocument(parsing: Array(value.utf8)).root
        return vendor.summary(of: root, isMasked: isMasked)
    }

    @Test(
        arguments: [
            (
                Vendor.dimmy,
                #"{"first_box":{"width":1.08,"height":0.33,"depth":0.69,"unit":"m"},"#
                    + #""barcodes":["4006381333931"],"photo_urls":["a","b"]}"#,
                "1.08 × 0.33 × 0.69 m · 2 photos · 4006381333931"
            ),
            (
                .dimmy,
                #"{"first_box":{"width":1,"height":2,"depth":null},"barcodes":["1","2","3"],"#
                    + #""photo_urls":["a"]}"#, "1 photo · 1 and 2 more"
            ),
            (.dimmy, #"{"error":"not_logged_in"}"#, "not_logged_in"),
            (.welltory, #"{"stress":0.32,"energy":0.75}"#, "stress 0.32 · energy 0.75"),
            (.welltory, #"{"stress":0.123456789}"#, "stress 0.123"),
            (.welltory, #"{"stress":-0.0001}"#, "stress 0"),
            (
                .ailet,
                #"{"status":"IR_RESULT_OK","photosCounter":4,"scenesCounter":2,"report":{"#
                    + #""share_shelf":{"share_shelf_by_visit":[{"value":42}]}}}"#,
                "OK · 4 photos · 2 scenes · shelf 42 %"
            ),
            (.ailet, #"{"status":"ERROR_NO_INET"}"#, "ERROR NO INET"),
            (
                .rezolve,
                #"{"kind":"product","partner_id":1,"merchant_id":2,"category_id":252,"#
                    + #""product_id":7}"#, "product 1/2/252/7"
            ),
            (
                .rezolve, #"{"kind":"engagement","engagement_id":"e-5"}"#, "engagement e-5"
            ),
            (.rezolve, #"{"act_id":"12","answers":[{},{},{}]}"#, "act 12 · 3 answers"),
            (.xCallbackURL, #"{"errorCode":"17","errorMessage":"Not found"}"#, "17 Not found"),
            (
                .xCallbackURL, #"{"parameters":{"id":"5","name":"box"}}"#, "id=5 · name=box"
            ),
        ])
    func eachVendorSaysWhatHappened(vendor: Vendor, value: String, line: String) throws {
        #expect(try summary(vendor, value) == line)
    }

    @Test(arguments: Vendor.allCases)
    func valuesThatSayNothingHaveNoSummary(vendor: Vendor) throws {
        for value in ["{}", "null", "[]", #""text""#, "1", #"{"other":{"deep":[1]}}"#] {
            #expect(try summary(vendor, value) == nil, "\(value)")
        }
    }

    @Test func maskedValuesAreNotShown() throws {
        let value = #"{"stress":0.123456789,"energy":0.5,"stress_c":"unknown"}"#
        #expect(try summary(.welltory, value, isMasked: true) == "values are masked")
        let code = #"{"errorCode":"masked:0123456789abcdef"}"#
        #expect(try summary(.xCallbackURL, code) == nil)
    }

    @Test func hostileTextStaysOnOneBoundedLine() throws {
        let long = String(repeating: "x", count: 1_000_000)
        let line = try #require(try summary(.dimmy, #"{"error":"\#(long)"}"#))
        #expect(line.count == Limits.maximumSummaryCharacters && line.hasSuffix("x…"))
        let marks = try #require(
            try summary(.dimmy, #"{"error":"a\u202eb\u0000c\nd"}"#))
        #expect(marks == "a?b?c?d")
        let many = (0..<10_000).map { #""n\#($0)":"v""# }.joined(separator: ",")
        let few = try summary(.xCallbackURL, #"{"parameters":{\#(many)}}"#)
        #expect(few == "n0=v · n1=v · n2=v")
    }
}
