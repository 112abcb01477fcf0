// The report's rows of vendor document 3.3: right types, wrong ones, and numbers in other clothes.
// Left out: the root, which `AiletTests` have.

import JSON
import Testing

@testable import Vendors

@Suite("Schemas")
struct SchemaTests {
    private func decode(report: String) -> Decoding {
        Decoding(json: "{\"status\":\"IR_RESULT_OK\",\"report\":\(report)}", from: .ailet)
    }

    @Test(
        "normalise numbers that are written as text or boolean, and keep what was written",
        arguments: [
            (
                #"{"photos":{"p/1":{"products":[{"price":"46.50"}]}}}"#,
                "/report/photos/p~11/products/0/price", "46.50"
            ),
            (
                #"{"photos":{"a":{"products":[{},{"price_type":true}]}}}"#,
                "/report/photos/a/products/1/price_type", "1"
            ),
            (#"{"photos":{"a":{"error":{"code":"1"}}}}"#, "/report/photos/a/error/code", "1"),
            (#"{"result":{"code":"17"}}"#, "/report/result/code", "17"),
            (
                #"{"assortment_achievement":[{"price_type":false}]}"#,
                "/report/assortment_achievement/0/price_type", "0"
            ),
            (
                #"{"assortment_achievement_by_metrics":[{"products":[{"price":"1e2"}]}]}"#,
                "/report/assortment_achievement_by_metrics/0/products/0/price", "1e2"
            ),
            (
                #"{"photos":{"q\"\u0041":{"products":[{"price":"1"}]}}}"#,
                "/report/photos/q\"A/products/0/price", "1"
            ),
        ])
    func normalized(report: String, pointer: String, number: String) {
        let decoding = decode(report: report)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.diagnostics.isEmpty)
        #expect(decoding.text?.contains(report) == true)
        let value = decoding.root?["normalized"]?[pointer]
        #expect(value.map { String(decoding: $0.text, as: UTF8.self) } == number)
    }

    @Test(
        "add nothing for what is normal or means no number",
        arguments: [
            #"{"photos":{"a":{"products":[{"price":46.5,"price_type":1}]}}}"#,
            #"{"photos":{"a":{"error":{"code":"RESULT_OK"}}}}"#,
            #"{"photos":{"a":{"products":[{"width":null}]}}}"#,
            #"{"custom":[1,{"a":2}]}"#, #"{"visit_stats":{"need_send":{"photo":1}}}"#,
            #"{"share_shelf":{"share_shelf_by_brands":[{"brand":"A","is_own":1,"facing":"2"}]}}"#,
        ])
    func normal(report: String) {
        let decoding = decode(report: report)
        #expect(decoding.diagnostics.isEmpty)
        #expect(decoding.root?["normalized"] == nil)
    }

    @Test(
        "warn of wrong types by pointer, and keep them",
        arguments: [
            (#"{"photos":[]}"#, "/report/photos", "an object"),
            (#"{"photos":{"a":1}}"#, "/report/photos/a", "an object"),
            (#"{"photos":{"a":{"scene_id":1}}}"#, "/report/photos/a/scene_id", "a string"),
            (#"{"photos":{"a":{"products":{}}}}"#, "/report/photos/a/products", "an array"),
            (
                #"{"photos":{"a":{"products":[{"facing":1.5}]}}}"#,
                "/report/photos/a/products/0/facing", "an integer"
            ),
            (
                #"{"photos":{"a":{"products":[{"width":{"cm":"16"}}]}}}"#,
                "/report/photos/a/products/0/width/cm", "a number"
            ),
            (
                #"{"photos":{"a":{"products":[{"price":{}}]}}}"#,
                "/report/photos/a/products/0/price", "a number or the text of a number"
            ),
            (#"{"result":{"total_photos":"1"}}"#, "/report/result/total_photos", "an integer"),
            (
                #"{"visit_stats":{"photo":{"sent":true}}}"#, "/report/visit_stats/photo/sent",
                "an integer"
            ),
            (
                #"{"share_shelf":{"share_shelf_by_visit":[{"value":"1"}]}}"#,
                "/report/share_shelf/share_shelf_by_visit/0/value", "an integer"
            ),
            (
                #"{"share_shelf_by_metrics":[{"share_shelf_by_brands":[{"percent":"1"}]}]}"#,
                "/report/share_shelf_by_metrics/0/share_shelf_by_brands/0/percent", "a number"
            ),
            (
                #"{"perfectstore":{"tasks":[{"questions":[{"required":1}]}]}}"#,
                "/report/perfectstore/tasks/0/questions/0/required", "true or false"
            ),
            (
                #"{"perfectstore":{"tasks":[{"kpis":[{"fact_value":[]}]}]}}"#,
                "/report/perfectstore/tasks/0/kpis/0/fact_value", "a number"
            ),
            (#"{"custom":{}}"#, "/report/custom", "an array"),
        ])
    func wrongTypes(report: String, pointer: String, expected: String) {
        let decoding = decode(report: report)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.codes == ["wrong_type"])
        #expect(decoding.diagnostics.first?.pointer == pointer)
        #expect(decoding.diagnostics.first?.expected == expected)
        #expect(decoding.text?.contains(report) == true)
    }

    @Test(
        "hint at what is wrong with the text of a price",
        arguments: [
            ("4,50", "use a point before the decimals, not a comma"),
            ("", "leave it out when there is no value"),
        ])
    func prices(price: String, hint: String) {
        let report = #"{"photos":{"a":{"products":[{"price":"\#(price)"}]}}}"#
        let decoding = decode(report: report)
        #expect(decoding.codes == ["not_a_number"])
        #expect(decoding.diagnostics.first?.hint == hint)
    }

    @Test(
        "warn of values that aren't listed, by pointer, and keep them",
        arguments: [
            (
                #"{"perfectstore":{"tasks":[{"kpis":[{"metric_type":"osa_sko"}]}]}}"#,
                "/report/perfectstore/tasks/0/kpis/0/metric_type", "perhaps osa_sku is meant"
            ),
            (
                #"{"perfectstore":{"tasks":[{"questions":[{"type":"zzz"}]}]}}"#,
                "/report/perfectstore/tasks/0/questions/0/type", nil
            ),
            (#"{"result":{"source":"mars"}}"#, "/report/result/source", nil),
            (
                #"{"share_shelf":{"share_shelf_by_brands":[{"is_own":7}]}}"#,
                "/report/share_shelf/share_shelf_by_brands/0/is_own", nil
            ),
        ] as [(String, String, String?)])
    func unknownValues(report: String, pointer: String, hint: String?) {
        let decoding = decode(report: report)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.codes == ["unknown_value"])
        #expect(decoding.diagnostics.first?.pointer == pointer)
        #expect(decoding.diagnostics.first?.hint == hint)
        #expect(decoding.text?.contains(report) == true)
    }

    @Test("take what is listed, however it is written")
    func listedValues() {
        let decoding = decode(
            report: #"{"result":{"source":"on\u002ddevice"},"#
                + #""share_shelf":{"share_shelf_by_brands":[{"is_own":0},{"is_own":true}]}}"#)
        #expect(decoding.codes == [])
    }

    @Test("tell of one kind of slip once, with the first place and the number of others")
    func bounded() {
        let products = (0..<500).map { #"{"facing":"\#($0)","size":\#($0)}"# }
        let photos = (0..<4).map {
            "\"p\($0)\":{\"products\":[\(products.joined(separator: ","))]}"
        }
        let decoding = decode(report: "{\"photos\":{\(photos.joined(separator: ","))}}")
        #expect(decoding.codes == ["wrong_type", "unknown_member"])
        #expect(decoding.diagnostics[0].found == "the string \"0\", and 1999 more like it")
        #expect(decoding.diagnostics[0].pointer == "/report/photos/p0/products/0/facing")
        #expect(
            decoding.diagnostics[1].found
                == "\"size\" in /report/photos/*/products/*, and 1999 more like it")
    }

    @Test("tell of members that nobody knows, keep them, and hint at the one that is meant")
    func unknown() {
        let report = #"{"perfect_store":{},"visit_stats":{"x":1},"photos":{"a":{"scen_id":"1"}}}"#
        let decoding = decode(report: report)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.codes == ["unknown_member", "unknown_member"])
        #expect(decoding.diagnostics.map(\.severity) == [.info, .info])
        #expect(
            decoding.diagnostics.map(\.hint)
                == ["perhaps perfectstore is meant", "perhaps scene_id is meant"])
        #expect(decoding.text?.contains(report) == true)
    }

    @Test("bound what is said by pointer, however long the names are")
    func longNames() {
        let name = String(repeating: "n", count: 100_000)
        let prices = (0..<1000).map { _ in #"{"price":"1"}"# }.joined(separator: ",")
        let priced = decode(report: "{\"photos\":{\"\(name)\":{\"products\":[\(prices)]}}}")
        #expect(priced.value.map { $0.count < 2_000_000 } == true)
        let nested = (0..<60).reduce("\"\(name)\"") { inner, _ in #"{"a":\#(inner),"a":1}"# }
        let repeated = decode(report: "{\"custom\":[\(nested)]}")
        #expect(repeated.codes.contains("duplicate_member"))
        #expect(repeated.value.map { $0.count < 500_000 } == true)
    }

    @Test("bound what is told of thousands of unknown members and values")
    func hostile() {
        let members = (0..<20_000).map { "\"m\($0)\":1" }.joined(separator: ",")
        let prices = (0..<12_000).map { _ in #"{"price":"1"}"# }.joined(separator: ",")
        let decoding = decode(
            report: "{\(members),\"photos\":{\"a\":{\"products\":[\(prices)]}}}")
        #expect(decoding.diagnostics.count == Limits.maximumUnknownMembers)
        #expect(decoding.root?["normalized"]?.count == Limits.maximumNormalizedValues)
    }

    @Test(
        "know an item's members in both spellings",
        arguments: [
            (#"{"_id":"x","weighing":[],"photographing":[{"photos":[{"url":"u"}]}]}"#, []),
            (#"{"barcodeScanning":[],"photographing":[{"photos":["u"]}],"customInputs":[]}"#, []),
            (#"{"dimensioning":[{"any":[[1]],"dimensions":{"mode":1,"width":2}}]}"#, []),
            (#"{"_id":"x","colour":"red"}"#, ["unknown_member"]),
            (#"{"started_at":"x"}"#, ["not_a_date_time"]),
            (#"{"started_at":1}"#, ["wrong_type"]),
            (#"{"_id":"x","dimensioning":[{"dimensions":{"unit":1}}]}"#, ["wrong_type"]),
        ])
    func items(item: String, codes: [String]) {
        #expect(Decoding(json: item, from: .dimmy).codesOfItem == codes)
    }
}
