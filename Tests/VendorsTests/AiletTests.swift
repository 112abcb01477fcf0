// Every row of the status table of vendor document 3.2, and slips in the report.
// Left out: the published reports, which are in `PublishedTests`.

import Testing

@testable import Vendors

@Suite("Ailet")
struct AiletTests {
    @Test(
        "tells outcome and code by the status, with and without Android's missing prefix",
        arguments: [
            ("IR_RESULT_OK", .completed, 1), ("IR_RESULT_EMPTY", .empty, 2),
            ("IR_ERROR", .error, 5), ("IR_ERROR_NO_INET", .error, 6),
            ("IR_ERROR_TOKEN", .error, 7), ("IR_ERROR_STORE_ID_INCORRECT", .error, 10),
            ("IR_ERROR_VISIT_ID_INCORRECT", .error, 12), ("IR_ERROR_AUTH", .error, 13),
            ("IR_RESULT_INPROGRESS", .inProgress, 16), ("IR_ERROR_NOVISIT", .error, 17),
            ("RESULT_INPROGRESS_OFFLINE", .inProgress, nil),
            ("ERROR_READONLY_VISIT", .error, nil), ("ERROR_INCORRECT_INPUT_PARAMS", .error, nil),
            ("ERROR_PHOTO", .error, nil), ("ERROR_BUSY", .error, nil),
            ("ERROR_CANT_LOAD_VISIT", .error, nil),
        ] as [(String, Outcome, Int?)])
    func statuses(status: String, outcome: Outcome, code: Int?) {
        for name in [status, status.hasPrefix("IR_") ? String(status.dropFirst(3)) : status] {
            let decoding = Decoding(json: "{\"status\":\"\(name)\"}", from: .ailet)
            #expect(decoding.outcome == outcome)
            #expect(decoding.verdict == .decoded)
            #expect(decoding.root?["status"]?.string == name)
            #expect(decoding.root?["status_code"]?.int == code)
        }
    }

    @Test(
        "keeps a status that it doesn't know, with a warning",
        arguments: [("IR_ERROR_NEW", Outcome.error), ("IR_RESULT_NEW", nil), ("", nil)]
            as [(String, Outcome?)])
    func unknownStatus(status: String, outcome: Outcome?) {
        let decoding = Decoding(json: "{ \"status\" : \"\(status)\" }", from: .ailet)
        #expect(decoding.outcome == outcome)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.text == "{\"status\":\"\(status)\"}")
        #expect(decoding.diagnostic("unknown_value")?.pointer == "/status")
        #expect(decoding.diagnostic("unknown_value")?.offset == 13)
    }

    @Test(
        "keeps all else when the status is missing or no string",
        arguments: [
            (#"{"photosCounter":1}"#, "missing_member"),
            (#"{"status":1,"photosCounter":1}"#, "wrong_type"),
            (#"{"status":null,"photosCounter":1}"#, "wrong_type"),
        ])
    func noStatus(report: String, code: String) {
        let decoding = Decoding(of: Carrier.query.callback([("result", report)]), from: .ailet)
        #expect(decoding.outcome == nil)
        #expect(decoding.verdict == .decodedWithWarnings)
        #expect(decoding.codes == [code])
        #expect(decoding.text == report)
    }

    @Test("warns of type slips by pointer, and keeps them")
    func typeSlips() {
        let report =
            #"{"status":"IR_RESULT_OK","photosCounter":"1","scenesCounter":1.5,"#
            + #""task_id":7,"report":[],"newMember":true}"#
        let decoding = Decoding(json: report, from: .ailet)
        #expect(decoding.outcome == .completed)
        #expect(
            decoding.codes
                == ["wrong_type", "wrong_type", "wrong_type", "wrong_type", "unknown_member"])
        #expect(
            decoding.diagnostics.map(\.pointer)
                == ["/photosCounter", "/scenesCounter", "/task_id", "/report", "/newMember"])
        #expect(decoding.text == report.dropLast() + #","status_code":1}"#)
    }

    @Test("renames sceneCounter, and keeps both if the right name is there too")
    func sceneCounter() {
        let renamed = Decoding(json: #"{"status":"IR_ERROR","sceneCounter":2}"#, from: .ailet)
        #expect(renamed.text == #"{"status":"IR_ERROR","scenesCounter":2,"status_code":5}"#)
        #expect(renamed.codes == ["misspelled_member"])
        let both = Decoding(
            json: #"{"sceneCounter":2,"status":"IR_ERROR","scenesCounter":3}"#, from: .ailet)
        #expect(
            both.text
                == #"{"sceneCounter":2,"status":"IR_ERROR","scenesCounter":3,"status_code":5}"#)
        #expect(both.codes == ["misspelled_member"])
    }

    @Test("prefers result to report, and accepts report with a warning")
    func reportParameter() {
        let error = #"{"status":"IR_ERROR"}"#
        let empty = #"{"status":"IR_RESULT_EMPTY"}"#
        for carrier in Carrier.allCases {
            let old = Decoding(of: carrier.callback([("report", error)]), from: .ailet)
            #expect(old.outcome == .error)
            #expect(old.codes == ["misspelled_parameter"])
            let both = carrier.callback([("report", error), ("result", empty)])
            #expect(Decoding(of: both, from: .ailet).outcome == .empty)
        }
        #expect(Decoding(json: "{\"report\":\(error)}", from: .ailet).outcome == .error)
    }

    @Test(
        "accepts the callback's scheme with and without slashes", arguments: ["a:", "a://", "/x"])
    func schemes(prefix: String) {
        let decoding = Decoding(
            url: prefix + "?result=%7B%22status%22%3A%22IR_ERROR%22%7D", from: .ailet)
        #expect(decoding.outcome == .error)
        #expect(decoding.verdict == .decoded)
    }

    @Test("writes no member twice, at any depth, and keeps what repeats by pointer")
    func duplicateMembers() {
        let report =
            #"{"status":"IR_ERROR","status":"IR_RESULT_OK","status_code":9,"visit_id":"v","#
            + #""report":{"result":{"code":1, "code" : 2,"codeInt":1,"code":"3"}}}"#
        let decoding = Decoding(json: report, from: .ailet)
        #expect(decoding.outcome == .completed)
        #expect(decoding.codes == ["duplicate_member", "unknown_member"])
        #expect(
            decoding.text
                == #"{"status":"IR_RESULT_OK","status_code":9,"visit_id":"v","#
                + #""report":{"result":{"codeInt":1,"code":"3"}},"#
                + #""normalized":{"/report/result/code":3},"#
                + #""duplicates":{"/status":["IR_ERROR","IR_RESULT_OK"],"#
                + #""/report/result/code":[1,2,"3"]}}"#)
        let finding = decoding.diagnostic("duplicate_member")
        #expect(finding?.pointer == "/status")
        #expect(finding?.offset == 30)
        #expect(finding?.found == "another \"status\", and 2 more repetitions")
        #expect(finding?.hint?.hasPrefix("the last value counts") == true)
        // Offsets behind a repetition still count in the request.
        #expect(decoding.diagnostic("unknown_member")?.offset == 59)
    }

    @Test("keeps the last of members that repeat inside of members that repeat")
    func nestedDuplicates() {
        let report = #"{"a":{"b":1,"b":2}, "status":"IR_ERROR" ,"a":{"b":3,"c":4,"b":5}}"#
        let decoding = Decoding(json: report, from: .ailet)
        #expect(decoding.root?["a"]?["b"]?.int == 5 && decoding.codes.contains("duplicate_member"))
        #expect(decoding.root?["a"]?["c"]?.int == 4 && decoding.outcome == .error)
    }

    @Test(
        "warns of members that contradict each other",
        arguments: [
            (#"{"status":"IR_RESULT_EMPTY","photosCounter":2}"#, true),
            (#"{"status":"IR_RESULT_EMPTY","photosCounter":0}"#, false),
            (
                #"{"status":"IR_RESULT_OK","photosCounter":1,"#
                    + #""report":{"photos":{"1":{},"2":{}}}}"#, true
            ),
            (
                #"{"status":"IR_RESULT_OK","photosCounter":2,"report":{"photos":{"1":{}}}}"#, true
            ),
            (
                #"{"status":"IR_RESULT_OK","photosCounter":1,"report":{"photos":{"1":{}}}}"#, false
            ),
            (#"{"status":"IR_RESULT_OK","photosCounter":2,"report":{}}"#, false),
            (#"{"status":"RESULT_EMPTY","report":{"photos":{}}}"#, false),
            (
                #"{"status":"IR_RESULT_INPROGRESS","photosCounter":0,"#
                    + #""report":{"photos":{"1":{}}}}"#, false
            ),
        ])
    func contradictions(report: String, isContradictory: Bool) {
        let found = Decoding(json: report, from: .ailet).diagnostic("inconsistent_report")
        #expect((found != nil) == isContradictory)
        #expect(found.map { $0.pointer == "/photosCounter" } ?? true)
    }

    @Test("warns of photos in a report that says it is empty, counted or not")
    func emptyWithPhotos() {
        let report = #"{"status":"IR_RESULT_EMPTY","report":{"photos":{"1":{}}}}"#
        let found = Decoding(json: report, from: .ailet).diagnostic("inconsistent_report")
        #expect(found?.pointer == "/report/photos" && found?.severity == .warning)
    }

    @Test("only notes more photos than the counter of a task says")
    func photosOfOtherTasks() {
        let report =
            #"{"status":"IR_RESULT_OK","task_id":"t","photosCounter":1,"#
            + #""report":{"photos":{"1":{},"2":{}}}}"#
        let decoding = Decoding(json: report, from: .ailet)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.diagnostic("inconsistent_report")?.severity == .info)
    }

    @Test(
        "warns of latitude and longitude in each other's place",
        arguments: [
            (#""latitude":121.5,"longitude":25.03"#, true), (#""lat":"-121.5","lng":25"#, true),
            (#""latitude":25.03,"longitude":121.5"#, false),
            (#""latitude":1,"longitude":2"#, false),
            (#""latitude":200,"longitude":25"#, false), (#""latitude":121.5"#, false),
            (#""latitude":121.5,"longitude":"east""#, false),
            (#""latitude":null,"longitude":[]"#, false),
        ])
    func coordinates(members: String, isSwapped: Bool) {
        let report = #"{"status":"IR_ERROR","report":{"custom":[{\#(members)}]}}"#
        let found = Decoding(json: report, from: .ailet).diagnostic("swapped_coordinates")
        #expect((found != nil) == isSwapped)
        #expect(found.map { $0.pointer?.hasPrefix("/report/custom/0/lat") == true } ?? true)
        let start = report.utf8.count - members.utf8.count - #"}]}}"#.utf8.count
        let value = members.prefix { $0 != ":" }.utf8.count + 1
        #expect(found.map { $0.part == .body && $0.offset == start + value } ?? true)
    }

    @Test(
        "knows the names of older libraries",
        arguments: [
            ("ERROR_STORES_EMPTY", nil), ("ERROR_INCORRECT_METHOD", nil),
            ("ERROR_EMPTY_SESSION_ID", nil), ("ERROR_INCORRECT_SESSION_NAME", nil),
            ("IR_ERROR_NOT_MULTIPORTAL_MODE", 23), ("ERROR_PORTAL_INCORRECT", 24),
            ("ERROR_EMPTY_PORTAL", 25), ("busy", 0), ("unknown", 5), ("noConnection", 6),
            ("tokenError", 7), ("catalogsError", 9), ("incorrectStoreId", 10),
            ("incorrectVisitId", 12), ("authError", 13), ("serverError", 20),
            ("notMultiportalMode", 23), ("incorrectPortal", 24), ("emptyPortal", 25),
            ("IRErrorBusy", 0), ("IRErrorNotMultiportalMode", 23),
        ] as [(String, Int?)])
    func olderNames(name: String, code: Int?) {
        let decoding = Decoding(json: #"{"status":"\#(name)"}"#, from: .ailet)
        #expect(decoding.outcome == .error && decoding.codes.isEmpty)
        #expect(decoding.root?["status_code"]?.int == code)
    }

    @Test(
        "takes the library's progress for progress", arguments: ["inProgress", "IRErrorInProgress"])
    func olderProgress(name: String) {
        let decoding = Decoding(json: #"{"status":"\#(name)"}"#, from: .ailet)
        #expect(decoding.outcome == .inProgress && decoding.root?["status_code"]?.int == 16)
    }

    @Test("isn't recognised by a status that is a common word")
    func commonWords() {
        let body = { (status: String) in
            Callback(target: Array("/".utf8), body: .json(Array(#"{"status":"\#(status)"}"#.utf8)))
        }
        #expect(Vendor(recognizing: body("busy")) == nil)
        #expect(Vendor(recognizing: body("IRErrorBusy")) == .ailet)
    }

    @Test("says nothing of what the methods that bring only a status don't bring")
    func statusAlone() {
        #expect(Decoding(json: #"{"status":"IR_RESULT_OK"}"#, from: .ailet).codes == [])
    }

    @Test("warns of a second report as the body", arguments: ["result", "report"])
    func reportInBody(name: String) {
        let decoding = Decoding(
            of: Callback(
                target: Array("/?\(name)=%7B%22status%22%3A%22IR_RESULT_OK%22%7D".utf8),
                body: .json(Array(#"{"status":"IR_ERROR"}"#.utf8))), from: .ailet)
        #expect(decoding.root?["status"]?.string == "IR_RESULT_OK")
        #expect(decoding.diagnostic("duplicate_parameter")?.part == .body)
        #expect(decoding.verdict == .decodedWithWarnings)
    }

    @Test("keeps other parameters beside the report")
    func parameters() {
        let callback = Carrier.query.callback([
            ("order", "7"), ("result", #"{"status":"IR_ERROR"}"#), ("password", "p%"),
        ])
        let decoding = Decoding(of: callback, from: .ailet)
        #expect(decoding.verdict == .decoded)
        #expect(decoding.codes == ["unknown_parameter", "unknown_parameter"])
        #expect(
            decoding.text
                == #"{"status":"IR_ERROR","status_code":5,"#
                + #""parameters":{"order":"7","password":"[redacted]"}}"#)
    }

    @Test(
        "is undecodable without a report",
        arguments: ["", "?", "?a=1", "?result=", "?result=%5B%5D"])
    func nothing(url: String) {
        let decoding = Decoding(url: url, from: .ailet)
        #expect(decoding.verdict == .undecodable)
        #expect(decoding.contract == .ailetDeeplink)
        #expect(decoding.diagnostics.contains { $0.severity == .error })
    }
}
