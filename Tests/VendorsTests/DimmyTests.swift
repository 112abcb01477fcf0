// Every row of vendor document 1.2, and what may be wrong with an item.
// Left out: the published callbacks, which are in `PublishedTests`.

import JSON
import Testing

@testable import Vendors

@Suite("Dimmy and Flux")
struct DimmyTests {
    @Test("has every byte at every place of its Base64 decoded or refused")
    func base64() {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for value in 0...UInt8.max {
            let isURLSafe = digits.utf8.contains(value) || "-_".utf8.contains(value)
            let isDigit = isURLSafe || "+/".utf8.contains(value)
            for place in 1..<23 {
                var text = Array("TWFuIGlzIGRpc3Rpbmd1aXNo".utf8)
                text[place] = value
                switch Base64Text.decode(text[...]) {
                case .octets(let octets, let repairedAt):
                    let isKnown = isDigit || value == UInt8(ascii: "=") || value == 0x20
                    #expect(isKnown && repairedAt == (value == 0x20 ? place : nil))
                    // A digit goes back to where it came from; both alphabets have 62 and 63.
                    if !isDigit { continue }
                    #expect(Base64Text.encode(octets, urlSafe: isURLSafe) == text)
                case .broken(let index):
                    #expect(!isDigit && index == (value == UInt8(ascii: "=") ? text.count : place))
                }
            }
        }
    }

    @Test(
        "tells outcome and contract by status and error",
        arguments: [
            ("status=cancelled", .cancelled, .decoded, #"{"context":{}}"#),
            (
                "order=1&status=cancelled&note=a", .cancelled, .decoded,
                #"{"context":{"order":"1","note":"a"}}"#
            ),
            (
                "status=error&error=invalid_request", .error, .decoded,
                #"{"error":"invalid_request","context":{}}"#
            ),
            (
                "status=error&error=not_logged_in", .error, .decoded,
                #"{"error":"not_logged_in","context":{}}"#
            ),
            (
                "status=error&error=flow_unavailable&order=1", .error, .decoded,
                #"{"error":"flow_unavailable","context":{"order":"1"}}"#
            ),
            (
                "status=error", .error, .decodedWithWarnings, #"{"error":"unknown","context":{}}"#
            ),
            (
                "status=error&error=", .error, .decodedWithWarnings,
                #"{"error":"unknown","context":{}}"#
            ),
            (
                "status=error&error=on%20fire", .error, .decodedWithWarnings,
                #"{"error":"on fire","context":{}}"#
            ),
            (
                "error=not_logged_in", .error, .decodedWithWarnings,
                #"{"error":"not_logged_in","context":{}}"#
            ),
        ] as [(String, Outcome, Verdict, String)])
    func outcomes(query: String, outcome: Outcome, verdict: Verdict, value: String) {
        for decoding in [
            Decoding(url: "myapp://r?" + query, from: .dimmy), Decoding(form: query, from: .dimmy),
        ] {
            #expect(decoding.contract == .flux)
            #expect(decoding.outcome == outcome)
            #expect(decoding.verdict == verdict)
            #expect(decoding.text == value)
        }
    }

    @Test(
        "is undecodable without what a status needs, and keeps the outcome that status gives",
        arguments: [
            ("status=done", Contract.flux, "unknown_status", nil),
            ("status=", .flux, "unknown_status", nil),
            ("status=completed", .flux, "missing_parameter", .completed),
            ("status=completed&response=", .flux, "empty_value", .completed),
            ("status=completed&response=-_8", .flux, "invalid_utf8", .completed),
            ("status=completed&response=eyJ9*", .flux, "broken_base64", .completed),
            ("status=completed&response=MQ", .flux, "not_an_object", .completed),
            ("order=1", .dimmy2024, "missing_parameter", nil),
            ("", .dimmy2024, "missing_parameter", nil),
            ("response=", .dimmy2024, "empty_value", nil),
            ("response=MQ", .dimmy2024, "not_an_object", nil),
        ] as [(String, Contract, String, Outcome?)])
    func undecodable(query: String, contract: Contract, code: String, outcome: Outcome?) {
        let decoding = Decoding(url: "/?" + query, from: .dimmy)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.contract == contract)
        #expect(decoding.codes == [code])
        #expect(decoding.outcome == outcome)
        #expect(decoding.value == nil)
    }

    @Test(
        "reads Base64 in both alphabets, padded or not, trimmed, with spaces for plus signs",
        arguments: [
            "eyJjb2RlIjoiPz8/fn5+In0=", "eyJjb2RlIjoiPz8_fn5-In0", "eyJjb2RlIjoiPz8_fn5-In0=",
            "eyJjb2RlIjoiPz8%2Ffn5%2BIn0%3D", "%20eyJjb2RlIjoiPz8/fn5+In0=%0A",
            "eyJjb2RlIjoiPz8/fn5%20In0=", "eyJjb2RlIjoiPz8/fn5+In0==", "eyJjb2RlIjoiPz8/fn5+=In0",
        ])
    func base64(text: String) {
        let decoding = Decoding(url: "?response=" + text, from: .dimmy)
        #expect(decoding.root?["item"]?["code"]?.string == "???~~~")
        let isRepaired = text.contains("5%20I")
        let isOther = text.contains("_") || text.hasSuffix("==")
        #expect(
            decoding.codesOfItem
                == (isRepaired ? ["base64_plus_repaired"] : isOther ? ["nonstandard_base64"] : []))
        #expect(decoding.diagnostics.allSatisfy { $0.severity == .info })
    }

    @Test("takes the first of several values, with a warning")
    func duplicates() {
        let decoding = Decoding(
            url: "?status=cancelled&status=completed&a=1&a=2&a=3", from: .dimmy)
        #expect(decoding.outcome == .cancelled)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(
            decoding.text
                == #"{"context":{"a":"1"},"duplicates":{"status":["cancelled","completed"],"#
                + #""a":["1","2","3"]}}"#)
        #expect(decoding.codes == ["duplicate_parameter", "duplicate_parameter"])
    }

    @Test("keeps an array of items, with a warning")
    func array() {
        let decoding = Decoding(
            json: #"[{"startedAt":"2026-03-09T13:02:11Z","dimensioning":[]}]"#, from: .dimmy)
        #expect(decoding.contract == .flux)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.codesOfItem == ["array_instead_of_object"])
        #expect(decoding.root?["item"]?[0]?["startedAt"]?.string == "2026-03-09T13:02:11Z")
    }

    @Test(
        "finds the first box, whatever surrounds it",
        arguments: [
            (#"{"_id":"1"}"#, "null", []),
            (#"{"_id":"1","dimensioning":{}}"#, "null", ["wrong_type"]),
            (
                #"{"_id":"1","dimensioning":[1,{},{"dimensions":null}]}"#, "null", ["wrong_type"]
            ),
            (
                #"{"dimensioning":[{},{"dimensions":{"depth":1.50}},{"dimensions":{}}]}"#,
                #"{"width":null,"height":null,"depth":1.50,"unit":null}"#, []
            ),
            (
                #"{"dimensioning":[{"dimensions":{"width":1,"height":1e999,"depth":-1E+400}}]}"#,
                #"{"width":1,"height":null,"depth":null,"unit":null}"#,
                ["out_of_range", "out_of_range"]
            ),
        ])
    func firstBox(item: String, box: String, codes: [String]) {
        let decoding = Decoding(json: item, from: .dimmy)
        #expect(decoding.codesOfItem == codes)
        #expect(
            decoding.root?["first_box"].map { String(decoding: $0.text, as: UTF8.self) } == box)
    }

    @Test("warns of a dimension that is no number, by pointer and offset in the request")
    func wrongDimension() {
        let item = #"{"dimensioning":[{"dimensions":{"width":"wide","height":2}}]}"#
        let decoding = Decoding(json: item, from: .dimmy)
        #expect(decoding.verdict == .decodedWithWarnings)
        let diagnostic = decoding.diagnostic("wrong_type")
        #expect(diagnostic?.pointer == "/dimensioning/0/dimensions/width")
        #expect(diagnostic?.offset == 40)
        #expect(decoding.root?["first_box"]?["width"]?.kind == .null)
        #expect(decoding.root?["item"]?["dimensioning"]?[0]?["dimensions"]?["width"] != nil)
    }

    @Test(
        "warns of times that are no date with a time, and of nothing that vendors write",
        arguments: [
            ("2026-03-09T13:02:11Z", true), ("2026-03-09T13:02:11.5+01:00", true),
            ("2024-09-23T08:16:04.218000", true), ("2026-03-09 13:02:11+0100", true),
            (#"2026-03-09T13:02\u003a11Z"#, true), ("2026-03-09T13:02Z", true),
            ("2026-12-31T23:59:60Z", true), ("", false), ("yesterday", false),
            ("2026-03-09", false), ("2026-13-09T13:02:11Z", false), ("2026-03-09T24:02:11Z", false),
            ("2026-03-09T13:02:11Zulu", false), ("2026-03-09T13:02:11.Z", false),
            ("09.03.2026 13:02", false), ("1773061331", false), ("2026-03-09T13:02:11+1", false),
        ])
    func times(text: String, isValid: Bool) {
        let item = "{\"startedAt\":\"2026-03-09T13:02:11Z\",\"endedAt\":\"\(text)\"}"
        let decoding = Decoding(
            json: "{\"status\":\"completed\",\"response\":\(item)}", from: .dimmy)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.codes == (isValid ? [] : ["not_a_date_time"]))
        #expect(decoding.diagnostics.first?.pointer == (isValid ? nil : "/endedAt"))
        #expect(decoding.root?["ended_at"] != nil)
    }

    @Test("warns of swapped coordinates in the item, by its own pointer, but not in the context")
    func swappedCoordinates() {
        let own = Decoding(url: "/r?lat=116.2&lng=39.9&status=cancelled", from: .dimmy)
        #expect(own.verdict == .decoded && own.codes.isEmpty)
        let item = #"{"started_at":"2024-05-21T16:40:00Z","lat":116.2,"lng":39.9}"#
        let swapped = Decoding(json: item, from: .dimmy).diagnostics.filter {
            $0.code == "swapped_coordinates"
        }
        #expect(swapped.map(\.pointer) == ["/lat"] && swapped.map(\.offset) == [43])
        let posted = Decoding(
            json: #"{"item_ids":["a"],"at":{"lat":116.2,"lng":39.9}}"#, from: .dimmy)
        #expect(posted.contract == .fluxWebhook)
        #expect(posted.diagnostic("swapped_coordinates")?.pointer == "/at/lat")
    }

    @Test("keeps one member of each name, and all values by pointer")
    func duplicateMembers() {
        let item =
            #"{"started_at":"a","ended_at":"e", "started_at":"b","dimensioning":"#
            + #"[{"dimensions":{"width":1,"width":{"a":1,"a":2}}}],"#
            + #""password":{"x":1,"x":2}}"#
        let decoding = Decoding(json: item, from: .dimmy)
        #expect(decoding.codes.filter { $0 == "duplicate_member" }.count == 1)
        #expect(decoding.root?["first_box"]?["width"]?.int == 1)
        #expect(
            decoding.root?["item"].map { String(decoding: $0.text, as: UTF8.self) }
                == #"{"started_at":"a","ended_at":"e","dimensioning":[{"dimensions":{"width":1}}],"#
                + #""password":"[redacted]"}"#)
        #expect(
            decoding.root?["duplicates"].map { String(decoding: $0.text, as: UTF8.self) }
                == #"{"/started_at":["a","b"],"/dimensioning/0/dimensions/width":[1,{"a":1}],"#
                + #""/dimensioning/0/dimensions/width/a":[1,2],"#
                + #""/password/x":"[redacted]"}"#)
    }

    @Test("bounds what it keeps of thousands of repetitions")
    func manyDuplicates() {
        let members = (0..<5000).map { "\"m\($0 % 2500)\":\($0)" }.joined(separator: ",")
        let decoding = Decoding(json: "{\"started_at\":\"x\",\(members)}", from: .dimmy)
        let found = decoding.diagnostic("duplicate_member")?.found
        #expect(found == "another \"m0\", and 2499 more repetitions")
        #expect(decoding.root?["item"]?.count == 2501)
        #expect(decoding.root?["duplicates"]?.count == Limits.maximumRepeatedMembers)
    }

    @Test(
        "misses what every item has",
        arguments: [
            (#"{"response":{}}"#, [], []),
            (
                #"{"status":"completed","response":{}}"#, ["", ""],
                ["the member startedAt", "the member endedAt"]
            ),
            (#"{"status":"completed","response":{"endedAt":"x"}}"#, [""], ["the member startedAt"]),
            (
                #"{"startedAt":"x","endedAt":"x","photographing":[{"photos":[{"date":"x"},{}]}]}"#,
                ["/photographing/0/photos/0", "/photographing/0/photos/1"],
                ["the member url", "the member date"]
            ),
        ])
    func missingMembers(json: String, pointers: [String], expected: [String]) {
        let missing = Decoding(json: json, from: .dimmy).diagnostics.filter {
            $0.code == "missing_member"
        }
        #expect(missing.map(\.pointer) == pointers)
        #expect(missing.map(\.expected) == expected)
        #expect(missing.allSatisfy { $0.severity == .warning })
    }

    @Test("takes no array without an object for an item", arguments: ["[1,2]", "[]", "[[{}]]"])
    func noItem(json: String) {
        for decoding in [
            Decoding(json: json, from: .dimmy),
            Decoding(json: "{\"response\":\(json)}", from: .dimmy),
        ] {
            #expect(decoding.verdict == .undecodable)
            #expect(decoding.codes == ["not_an_object"])
        }
    }

    @Test(
        "takes out bar codes, links of photos and times, in either spelling",
        arguments: [
            (
                #"{"started_at":"s","ended_at":"e","photographing":[{"photos":[{"url":"p"},"#
                    + #"{"url":1}]},{"photos":[{"url":"q"}]}],"barcode_scanning":[{"#
                    + #""flow_step_id":"f","barcodes":[{"value":"1","type":"EAN"},"2"]}]}"#,
                #"["1","2"]"#, #"["p","q"]"#
            ),
            (
                #"{"startedAt":"s","endedAt":"e","photographing":[{"photos":["p"]},{"photos":["q"]}],"#
                    + #""barcodeScanning":[["1"],{"barcodeType":"x","mainBarcode":"2"}]}"#,
                #"["1","2"]"#, #"["p","q"]"#
            ),
            (
                #"{"startedAt":"s","endedAt":"e","barcodeScanning":[{"barcodes":[{"value":"1","#
                    + #""text":"1","barcode":"2"},{"barcode":{"code":"3"},"data":"4"},"5",{"#
                    + #""shelf":{"barcodes":["6"]}},{"text":7}]}],"code":"8"}"#,
                #"["1","2","3","4","5","6"]"#, "[]"
            ),
            (#"{"startedAt":"s","endedAt":"e"}"#, "[]", "[]"),
        ])
    func excerpts(item: String, barcodes: String, photos: String) {
        let root = Decoding(json: item, from: .dimmy).root
        let text = { (name: String) in root?[name].map { String(decoding: $0.text, as: UTF8.self) }
        }
        #expect(text("barcodes") == barcodes)
        #expect(text("photo_urls") == photos)
        #expect(text("started_at") == #""s""#)
        #expect(text("ended_at") == #""e""#)
    }

    @Test("reads a link as a photo")
    func photoLinks() throws {
        let decoding = Decoding(
            json: #"{"startedAt":"s","endedAt":"e","photographing":[{"photos":["p"]}]}"#,
            from: .dimmy)
        guard case .completed(let item)? = FluxCallback(decoding)?.result else {
            Issue.record("no item")
            return
        }
        #expect(item.photoURLs == ["p"])
    }

    @Test(
        "keeps status and error of the partner's own link beside an item of 2024",
        arguments: [
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "status=open", nil, Contract.dimmy2024),
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "error=0", nil, .dimmy2024),
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "status=", .dimmy2024, .dimmy2024),
            (#"{"dimensioning":[]}"#, "status=open&error=none", .dimmy2024, .dimmy2024),
            (#"{"dimensioning":[]}"#, "status=open", nil, .flux),
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "status=open", .flux, .flux),
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "status=complete", nil, .flux),
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "status=Compleeted", nil, .flux),
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "error=not_loged_in", nil, .flux),
            (#"{"started_at":"2024-05-21T16:40:00Z"}"#, "status=a&status=completed", nil, .flux),
            (#"{"startedAt":"2024-05-21T16:40:00Z"}"#, "status=open", .dimmy2024, .flux),
        ] as [(String, String, Contract?, Contract)])
    func ownStatus(item: String, own: String, pinned: Contract?, contract: Contract) {
        let text = String(decoding: Base64Text.encode(item.utf8, urlSafe: false), as: UTF8.self)
        let decoding = Decoding(
            of: Callback(target: Array("/d?\(own)&response=\(text)".utf8)), from: .dimmy,
            contract: pinned)
        #expect(decoding.contract == contract)
        guard contract == .dimmy2024 else { return }
        #expect(decoding.outcome == .completed && decoding.verdict == .decoded)
        let context = decoding.root?["context"]
        for pair in own.split(separator: "&") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            #expect(context?[String(parts[0])]?.string == String(parts[1]))
        }
        #expect(decoding.root?["error"] == nil && decoding.root?["status"] == nil)
    }

    @Test(
        "warns of an item in the body that isn't the only one, or comes with another status",
        arguments: [
            ("status=completed&response=eyJzdGFydGVkQXQiOiIxIn0", "duplicate_parameter", "1"),
            ("status=cancelled", "unexpected_parameter", "2"),
            ("status=error&error=not_logged_in", "unexpected_parameter", "2"),
        ])
    func itemsInBody(query: String, code: String, started: String) {
        let decoding = Decoding(
            of: Callback(
                target: Array("/?\(query)".utf8), body: .json(Array(#"{"startedAt":"2"}"#.utf8))),
            from: .dimmy)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.diagnostic(code)?.part == .body)
        #expect(decoding.diagnostic(code)?.offset == 0)
        #expect(decoding.text?.contains(#""startedAt":"\#(started)""#) == true)
    }

    @Test("tells the contract of a posted item by its spelling")
    func spelling() {
        #expect(Decoding(json: #"{"started_at":"x"}"#, from: .dimmy).contract == .dimmy2024)
        #expect(Decoding(json: #"{"endedAt":"x"}"#, from: .dimmy).contract == .flux)
        let wrapped = Decoding(json: #"{"response":{"endedAt":"x"}}"#, from: .dimmy)
        #expect(wrapped.contract == .flux)
    }
}
