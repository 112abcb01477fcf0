// Records as columns: aligned, a line each, and harmless to a terminal.

import Testing

@testable import ResultAPI
@testable import RezolveSandbox
@testable import Server
@testable import Text

@Suite struct ResultTableTests {
    private func table(_ records: [SampleRecord]) -> String {
        var table = ResultTable()
        for record in records {
            let isRead = table.add(record.text)
            #expect(isRead)
        }
        return table.text
    }

    @Test func columnsAreAligned() {
        let id = "019aa2c4-14bb-7abc-8def-0123456789ab"
        let records = [
            SampleRecord().with(["summary": #""stress 0.32""#]),
            SampleRecord().with([
                "inbox": #""a-long-inbox""#, "outcome": "null", "verdict": #""undecodable""#,
            ]),
        ]
        #expect(
            table(records) == """
                RECEIVED              ID                                    INBOX         \
                VENDOR    OUTCOME    VERDICT      SUMMARY
                2025-11-20T19:35:50Z  \(id)  default       \
                welltory  completed  decoded      stress 0.32
                2025-11-20T19:35:50Z  \(id)  a-long-inbox  \
                welltory  -          undecodable

                """)
    }

    @Test func noRecordsAreAHeaderLine() {
        #expect(table([]) == "RECEIVED  ID  INBOX  VENDOR  OUTCOME  VERDICT  SUMMARY\n")
    }

    @Test(
        arguments: [
            (#""stress 0.32""#, "[]", "stress 0.32"),
            ("null", #"[{"code":"bad"},{"code":"worse"}]"#, "bad"),
            (#""stress 1""#, #"[{"code":"bad"}]"#, "stress 1"),
            ("null", "[]", ""),
            (
                "\"\(String(repeating: "x", count: 60))\"", "[]", String(repeating: "x", count: 60)
            ),
            (
                "\"\(String(repeating: "x", count: 61))\"", "[]",
                String(repeating: "x", count: 57) + "..."
            ),
        ])
    func summaryIsCutToItsColumn(
        summary: String, diagnostics: String, shown: String
    ) throws {
        let record = SampleRecord().with(["summary": summary, "diagnostics": diagnostics])
        let line = try #require(table([record]).split(separator: "\n").last)
        let verdict = try #require(line.firstRange(of: "decoded"))
        #expect(line[verdict.upperBound...].drop { $0 == " " } == shown)
    }

    @Test(
        arguments: [
            ("\u{1B}[2J", "?[2J"), ("a\nb", "a?b"), ("a\tb\r", "a?b?"), ("\u{9B}1m", "?1m"),
            ("\u{202E}x", "?x"), ("\u{2028}", "?"), ("\u{200B}", "?"), ("\0\u{7F}", "??"),
            ("grüße 😀 日本", "grüße 😀 日本"),
        ])
    func nothingInARecordMovesTheCursor(token: String, shown: String) {
        let record = SampleRecord().with([
            "summary": SampleRecord.json("token=" + token),
            "inbox": SampleRecord.json(token),
        ])
        let lines = table([record]).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.hasSuffix("token=\(shown)") == true)
        #expect(lines.last?.contains("  \(shown)  ") == true)
    }

    @Test func recordThatCannotBeReadIsNoRow() {
        var table = ResultTable()
        let empty = table.text
        let isRead = table.add(Array("{}".utf8))
        #expect(!isRead)
        #expect(table.text == empty)
    }
}
