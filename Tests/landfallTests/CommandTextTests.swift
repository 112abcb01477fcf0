// What commands print for people: tables and results on a terminal, help, suggestions.

import ArgumentParser
import JSON
import ResultAPI
import Testing
import Text

@testable import landfall

@Suite struct CommandTextTests {
    private static let table = """
        RECEIVED              ID    INBOX    VENDOR    OUTCOME    VERDICT      SUMMARY
        2026-11-21T06:13:00Z  id-1  default  welltory  completed  decoded      stress=0.32 energy=0.75
        2026-11-21T06:12:00Z  id-2  ci       dimmy     -          undecodable  form.missing

        """

    @Test(arguments: [40, 60, 80, 100, 200])
    func aTableFitsItsTerminalAndKeepsTheIds(width: Int) {
        let text = FittedTable(width: width, style: TerminalStyle()).text(of: Self.table)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3)
        for line in lines { #expect(line.unicodeScalars.count <= width, "\(line)") }
        #expect(lines[1].contains("id-1") && lines[2].contains("id-2"))
    }

    @Test func aWideTableStaysAsItIs() {
        let text = FittedTable(width: 200, style: TerminalStyle()).text(of: Self.table)
        #expect(text == Self.table)
    }

    @Test func aSummaryIsCutBeforeAColumnIsDropped() {
        let text = FittedTable(width: 90, style: TerminalStyle()).text(of: Self.table)
        #expect(text.contains("stress=0.32") && text.contains("…"))
        #expect(text.contains("undecodable") && text.contains("INBOX"))
    }

    @Test func anEmptyTableIsNoTable() {
        #expect(FittedTable(width: 80, style: TerminalStyle()).text(of: "") == "")
    }

    @Test func aResultForPeopleNamesWhatCountsAndNoControlCharacters() throws {
        let json = #"""
            {"id":"id-1","seq":7,"kind":"callback","received_at":"2026-11-21T06:13:00.123Z",
            "inbox":"ci","vendor":"welltory","contract":"welltory-dds","outcome":"completed",
            "verdict":"decoded_with_warnings","flow":null,"result":{"stress":0.32},
            "diagnostics":[{"severity":"warning","layer":"model","offset":3,"expected":"a number",
            "found":"\u001b[2J","hint":"write a number"}],
            "request":{"method":"POST","target":"/callbacks/welltory","headers":[["Host","a"]],
            "body":{"encoding":"utf8","data":"stress=0.32\n\u0007x"}}}
            """#
        let root = try JSONDocument(parsing: Array(json.utf8)).root
        let text = ResultText(record: root, style: TerminalStyle()).text
        for part in [
            "id-1", "number 7", "inbox     ci", "welltory-dds", "\"stress\": 0.32",
            "warning  model at byte 3: expected a number, found ?[2J", "write a number",
            "POST /callbacks/welltory", "Host: a", "  stress=0.32\n  ?x",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
    }

    @Test func theLinesOfABodyMayEndAsThoseOfHTTPDo() throws {
        let json =
            #"{"request":{"method":"POST","target":"/","body":{"encoding":"utf8","data":"a\r\nb\nc"}}}"#
        let root = try JSONDocument(parsing: Array(json.utf8)).root
        let text = ResultText(record: root, style: TerminalStyle()).text
        #expect(text.hasSuffix("\n  a\n  b\n  c\n"))
    }

    @Test func aBodyThatIsNoTextIsNotPrinted() throws {
        let json =
            #"{"request":{"method":"GET","target":"/","body":{"encoding":"base64","data":"AAEC"}}}"#
        let root = try JSONDocument(parsing: Array(json.utf8)).root
        let text = ResultText(record: root, style: TerminalStyle()).text
        #expect(!text.contains("AAEC") && text.contains("--body"))
    }

    @Test(
        arguments: [
            ("inbox:ci", "default", "inbox is default, not ci"),
            (
                "outcome:(completed OR error)", nil,
                "outcome is missing; it should be (completed OR error)"
            ),
            ("seq:>12", "9", "seq is 9, not >12"),
            ("result.note:\"a b\"", "c", "doesn't match result.note:\"a b\", has c"),
            (
                "vendor:ailet OR flow:a", "vendor: raw, flow: none",
                "doesn't match vendor:ailet OR flow:a, has vendor: raw, flow: none"
            ),
            ("NOT vendor:raw", "raw", "doesn't match NOT vendor:raw, has raw"),
            ("has:flow", nil, "doesn't match has:flow"), ("word", nil, "doesn't match word"),
        ] as [(String, String?, String)])
    func aMissSaysWhatIsThereInPlaceOfWhatWasAskedFor(
        condition: String, found: String?, text: String
    ) {
        #expect(CommandFailure.text(ofMiss: condition, found: found) == text)
    }

    private static func commands(
        below command: any ParsableCommand.Type = Landfall.self
    ) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(below: $0) }
    }

    @Test func examplesInHelpFit80Columns() {
        #expect(Self.commands().count > 20)
        for command in Self.commands() {
            for line in command.configuration.discussion.split(separator: "\n")
            where line.hasPrefix("  ") {
                // ArgumentParser counts the end of the line.
                #expect(line.count < 80, "\(command): \(line)")
            }
        }
    }

    @Test(arguments: [
        (["serv"], "Did you mean: landfall serve"),
        (["result", "list"], "Did you mean: landfall results"),
        (["results", "lst"], "Did you mean: landfall results list"),
        (["config", "shwo"], "Did you mean: landfall config show"),
    ])
    func aMisspelledCommandIsAnsweredWithTheLikelyOne(arguments: [String], sentence: String) {
        #expect(Landfall.suggestion(for: arguments) == sentence)
    }

    @Test func anUnknownCommandIsAnsweredWithTheKnownOnes() {
        let text = Landfall.suggestion(for: ["config", "nonsense"]) ?? ""
        #expect(text.contains("Commands of landfall config: show, check, init"))
        #expect(Landfall.suggestion(for: ["serve", "--prot", "1"]) == nil)
        #expect(Landfall.suggestion(for: ["results", "list", "anything"]) == nil)
        #expect(Landfall.suggestion(for: ["launch", "flux", "--form", "none"]) == nil)
        #expect(Landfall.suggestion(for: []) == nil)
    }
}
