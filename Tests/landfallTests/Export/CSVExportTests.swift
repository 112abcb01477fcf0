// Records as CSV: what a cell holds, how it is quoted, and that no spreadsheet computes it.

import Testing

@testable import ResultAPI
@testable import RezolveSandbox
@testable import Text

@Suite struct CSVExportTests {
    private let export = CSVExport(fields: SampleRecord.catalog.fields)

    private func row(_ record: SampleRecord) throws -> String {
        String(decoding: try #require(export.row(of: record.text)), as: UTF8.self)
    }

    @Test("RFC 4180 §2: a header line names the fields, lines end with CR LF")
    func headerNamesEveryColumnOnce() {
        let expected = """
            id,seq,kind,received_at,inbox,vendor,contract,outcome,verdict,flow,method,scheme,host,\
            target,peer,diagnostics,result.stress,result.token,result.width,result\r\n
            """
        #expect(String(decoding: export.header, as: UTF8.self) == expected)
    }

    @Test func rowHasACellForEachColumn() throws {
        let record = SampleRecord().with([
            "result": #"{ "stress": 0.32 }"#, "flow": #""f1""#,
            "diagnostics": #"[{"code":"not_a_number"},{"code":"missing"}]"#,
        ])
        let expected = """
            019aa2c4-14bb-7abc-8def-0123456789ab,42,callback,2025-11-20T19:35:50.715Z,default,welltory,\
            welltory-dds,completed,decoded,f1,GET,https,www.yourapp.com,/dds/?stress=0.32,\
            127.0.0.1:51512,not_a_number missing,0.32,,,"{""stress"":0.32}"\r\n
            """
        #expect(try row(record) == expected)
    }

    @Test func whatIsNullIsAnEmptyCell() throws {
        let record = SampleRecord().with(["contract": "null", "outcome": "null"])
        #expect(try row(record).contains(",welltory,,,decoded,,GET,"))
    }

    @Test(
        "RFC 4180 §2 rules 6 and 7: cells with quotes, commas and line ends are quoted",
        arguments: [
            ("a", "a"), ("a b", "a b"), ("a,b", #""a,b""#), (#"a"b"#, #""a""b""#),
            ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), ("a;b", #""a;b""#), ("ü", "ü"),
            (#"""#, #""""""#), ("", ""),
        ])
    func cellsAreQuotedWhereTheyMustBe(text: String, cell: String) throws {
        let record = SampleRecord().with(["flow": SampleRecord.json(text)])
        #expect(try row(record).contains(",decoded,\(cell),GET,"))
    }

    @Test(
        "OWASP, CSV Injection: what begins like a formula begins with an apostrophe",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-a", "'-a"), ("@a", "'@a"), ("\ta", "\"'\ta\""),
            ("\ra", "\"'\ra\""), ("-1", "-1"), ("-1.5e3", "-1.5e3"), ("-1-1", "'-1-1"),
            ("-", "'-"), ("'=1", "'=1"), ("a=1", "a=1"), ("=\"a,b\"", "\"'=\"\"a,b\"\"\""),
        ])
    func noCellIsAFormula(text: String, cell: String) throws {
        let record = SampleRecord().with(["flow": SampleRecord.json(text)])
        #expect(try row(record).contains(",decoded,\(cell),GET,"))
    }

    @Test(
        arguments: [
            ("welltory", #"{"stress":1,"token":"t"}"#, "1,t,,"),
            ("welltory", #"{"width":1,"id":"t"}"#, ",,,"),
            ("dimmy", #"{"dimensions":{"width":2},"width":3,"id":"t"}"#, ",t,2,"),
            ("dimmy", #"{"width":3,"stress":1}"#, ",,3,"),
            ("dimmy", #"{"dimensions":{"width":null},"width":3}"#, ",,,"),
            ("dimmy", #"{"dimensions":[1],"width":[1, 2]}"#, #",,"[1,2]","#),
            ("welltory", #"{"stress":true,"token":null}"#, "true,,,"),
        ])
    func declaredFieldsAreThoseOfTheRecordsVendor(
        vendor: String, result: String, cells: String
    ) throws {
        let record = SampleRecord().with(["vendor": SampleRecord.json(vendor), "result": result])
        #expect(try row(record).contains(",127.0.0.1:51512,,\(cells)"))
    }

    @Test(arguments: [
        "id", "seq", "kind", "received_at", "vendor", "verdict", "request", "diagnostics",
    ])
    func recordThatCannotBeReadIsNoRow(member: String) {
        #expect(export.row(of: SampleRecord().with([member: String?.none]).text) == nil)
        #expect(export.row(of: SampleRecord().with([member: "true"]).text) == nil)
        #expect(export.row(of: SampleRecord().text.dropLast()) == nil)
    }
}
