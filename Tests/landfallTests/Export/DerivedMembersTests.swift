// What responses say of a record besides what is stored: its summary and its worst diagnostic.

import JSON
import Testing

@testable import ResultAPI

@Suite struct DerivedMembersTests {
    private func listed(_ record: SampleRecord, fields: String? = nil) throws -> JSONNode {
        let selection = try fields.map { try #require(FieldSelection($0)) }
        return try JSONDocument(parsing: selection.apply(to: record.text)).root
    }

    private static let finding =
        #"{"severity":"SEVERITY","code":"CODE","pointer":null,"expected":"a","found":"b"}"#

    private static func finding(_ severity: String, _ code: String) -> String {
        finding.replacing("SEVERITY", with: severity).replacing("CODE", with: code)
    }

    @Test func everyRecordInAListHasThem() throws {
        let record = SampleRecord().with([
            "result": #"{"stress":0.32,"token":"SECRET"}"#,
            "diagnostics": "[\(Self.finding("info", "one")),\(Self.finding("warning", "two")),"
                + "\(Self.finding("warning", "three"))]",
        ])
        let root = try listed(record)
        #expect(root["summary"]?.string == "stress 0.32")
        #expect(root["first_diagnostic"]?["code"]?.string == "two")
        #expect(root["first_diagnostic"]?["severity"]?.string == "warning")
        #expect(root["first_diagnostic"]?["message"]?.string == "expected a, found b")
        #expect(root["kind"]?.string == "callback")
    }

    @Test(
        arguments: [
            ("null", "expected a, found b"), ("\"\"", "expected a, found b"),
            (#""/stress""#, "/stress: expected a, found b"),
        ])
    func diagnosticsSayWhereTheyAreUnlessItIsTheRoot(pointer: String, message: String) throws {
        let finding = Self.finding("error", "one").replacing("null", with: pointer)
        let root = try listed(SampleRecord().with(["diagnostics": "[\(finding)]"]))
        #expect(root["first_diagnostic"]?["message"]?.string == message)
    }

    @Test func selectionHasTheMembersThatItNames() throws {
        let record = SampleRecord().with(["result": #"{"stress":0.32}"#])
        let root = try listed(record, fields: "id,summary")
        #expect(root.members.map { $0.name.string } == ["id", "summary"])
        #expect(root["summary"]?.string == "stress 0.32")
        let other = try listed(record, fields: "first_diagnostic")
        #expect(other["first_diagnostic"]?.kind == .null && other.count == 1)
    }

    @Test func pseudonymsAreNoSummary() throws {
        let record = SampleRecord().with(
            ["result": #"{"stress":0.123456789}"#], request: ["masked": #""values""#])
        #expect(try listed(record)["summary"]?.string == "values are masked")
    }

    @Test func deliveriesSayWhatCameBack() throws {
        let record = SampleRecord().with([
            "kind": #""delivery""#,
            "result": #"{"attempt":2,"status":503,"failure":null,"duration_ms":12}"#,
        ])
        #expect(try listed(record)["summary"]?.string == "attempt 2 · HTTP 503 · 12 ms")
    }

    @Test func launchesSayWhatWasLaunchedOrWhereItComesBack() throws {
        func summary(_ result: String, _ request: [String: String?] = [:]) throws -> String? {
            let record = SampleRecord().with(
                ["kind": #""launch""#, "result": result], request: request)
            return try listed(record)["summary"]?.string
        }
        let minted =
            #"{"callback":null,"scenario":null,"url":"https://a.example/open?a=1&token=SECRET"}"#
        #expect(try summary(minted) == "https://a.example/open?a=1&token=[hidden]")
        #expect(try summary(minted, ["masked": #""values""#]) == nil)
        let opened = #"{"callback":"b://done","scenario":"silent"}"#
        #expect(try summary(opened) == "silent · b://done")
    }

    @Test func straysSayWhereTheyWentButNotWithWhat() throws {
        func summary(_ target: String, _ changes: [String: String?] = [:]) throws -> String? {
            let request = changes.merging(["target": SampleRecord.json(target)]) { $1 }
            let record = SampleRecord().with(
                ["kind": #""stray""#, "vendor": #""raw""#, "result": #"{"status":404}"#],
                request: request)
            let root = try listed(record)
            return root["summary"]?.string
        }
        #expect(try summary("/callbacks/welltori?stress=0.3") == "GET /callbacks/welltori")
        #expect(try summary("/ddz?\u{301}stress=0.3", ["method": #""POST""#]) == "POST /ddz")
        #expect(try summary("/ddz/stress=1&token=SECRET") == "GET /ddz/stress=1&token=[hidden]")
        #expect(try summary("/ddz?stress=0.3", ["masked": #""values""#]) == nil)
        let long = try #require(try summary("/" + String(repeating: "x", count: 1000)))
        #expect(long.count == 120 && long.hasSuffix("…"))
    }

    @Test(arguments: ["{}", "[]", "null", "x", ""])
    func textThatIsNoRecordStaysAsItIs(text: String) {
        let bytes = Array(text.utf8)
        #expect(DerivedMembers(of: bytes).added(to: bytes) == bytes)
    }
}
