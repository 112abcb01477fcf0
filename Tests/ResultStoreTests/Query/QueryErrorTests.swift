// What wrong queries are answered with: place, what was expected, what stands there, a hint.

import Testing

@testable import ResultStore

@Suite struct QueryErrorTests {
    /// One wrong query.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let byte: Int
        /// Part of what is expected.
        let expected: String
        let found: String?
        let hint: String?

        init(_ text: String, _ byte: Int, _ expected: String, _ found: String?, hint: String? = nil)
        {
            self.text = text
            self.byte = byte
            self.expected = expected
            self.found = found
            self.hint = hint
        }

        var testDescription: String { text }
    }

    private static let term = "a word, a phrase in quotes, field:value or ("
    private static let name = "the name of a field before :"
    private static let moment = "a time such as"

    private static let structure = [
        Case("a AND", 5, term, nil),
        Case("AND a", 0, term, "AND"),
        Case("a OR OR b", 5, term, "OR"),
        Case("a NOT", 5, term, nil),
        Case("()", 1, term, ")"),
        Case("(a", 2, "a ) to close the ( of character 0", nil),
        Case("a (b OR", 7, term, nil),
        Case("a)", 1, "a ( before this )", ")"),
        Case("a(b)", 1, "a space or )", "(b"),
        Case("(a)b", 3, "a space or )", "b"),
        Case("\"a\"b", 3, "a space or )", "b"),
        Case("- a", 1, "a term right after -", " a"),
        Case("a -", 3, "a term right after -", nil),
        Case("\"a", 2, "a \" to close the one of character 0", nil),
        Case(#""a\n""#, 2, #"\" or \\ in quotes"#, #"\n"#),
        Case("&&", 0, "a letter or digit", "&&"),
        Case("a*b", 1, "a * only at the end of a word", "*b"),
        Case("a-*", 2, "a letter or digit before *", "*"),
        Case("\"a \"*", 4, "a letter or digit before *", "*"),
    ]

    private static let names = [
        Case("vendr:dimmy", 0, name, "vendr", hint: "vendor"),
        Case("a receivedAt:-15m", 2, name, "receivedAt", hint: "received_at"),
        Case("stress:0.3", 0, name, "stress", hint: "result.stress"),
        Case("result.stres:0.3", 0, name, "result.stres", hint: "result.stress"),
        Case("hsa:outcome", 0, name, "hsa", hint: "has"),
        Case("https://example.com", 0, name, "https"),
        Case("result.:1", 0, name, "result."),
        Case(":a", 0, "a field's name", ":a"),
        Case("has:", 4, "a field's name", nil),
        Case("has:outcom", 4, "the name of a field", "outcom", hint: "outcome"),
        Case("has:(flow OR stress)", 13, "the name of a field", "stress", hint: "result.stress"),
    ]

    private static let values = [
        Case("vendor:", 7, "a value of vendor right after the colon", nil),
        Case("vendor: dimmy", 7, "a value of vendor right after the colon", " dimmy"),
        Case("vendor:()", 8, "a value of vendor", ")"),
        Case("vendor:(dimmy OR)", 16, "a value of vendor", ")"),
        Case("vendor:Dimmi", 7, "one of dimmy, welltory, ailet", "Dimmi", hint: "dimmy"),
        Case("vendor:(-welltory)", 8, "one of dimmy", "-welltory", hint: "NOT welltory"),
        Case("contract:x", 9, "one of welltory-dds, ailet-deeplink, flux", "x"),
        Case("outcome:complete", 8, "one of completed,", "complete", hint: "completed"),
        Case("verdict:(decoded OR x)", 20, "one of decoded,", "x"),
        Case("vendor:>dimmy", 7, "vendor has no order", ">dimmy"),
        Case("inbox:>=a", 6, "inbox has no order", ">=a"),
        Case("result.token:<t", 13, "result.token has no order", "<t"),
        Case("result.is_offline:>true", 18, "has no order", ">true"),
        Case("inbox:CI", 6, "1 to 63 of a-z", "CI"),
        Case("inbox:x*", 7, "inbox has no wildcards", "*"),
        Case("outcome:*", 8, "outcome has no wildcards", "*", hint: "has:outcome"),
        Case("path:/a..b", 7, "path has no ranges", "..b"),
        Case("id:019a", 3, "a whole UUID", "019a"),
        Case("result.is_offline:ture", 18, "true or false", "ture", hint: "true"),
        Case("seq:1.5", 4, "a whole number", "1.5"),
        Case("seq:+1", 4, "a whole number", "+1"),
        Case("seq:99999999999999999999", 4, "a whole number", "99999999999999999999"),
        Case("seq:9..7", 4, "from the lower to the higher", "9..7"),
        Case("seq:1..x", 7, "a whole number", "x"),
        Case("seq:..", 4, "a value before or after ..", ".."),
        Case("seq:>=1..5", 6, "a whole number", "1..5"),
        Case("seq:\"1..5\"", 4, "a whole number", "\"1..5"),
        Case("result.stress:.5", 14, "a number", ".5"),
        Case("result.stress:0x10", 14, "a number", "0x10"),
        Case("result.stress:nan", 14, "a number", "nan"),
        Case("result.stress:1e999", 14, "a number", "1e999"),
        Case("result.stress:1.", 14, "a number", "1."),
        Case("result.stress:1...5", 17, "a number", ".5"),
        Case("received_at:2026-02-30", 12, moment, "2026-02-30"),
        Case("received_at:15m", 12, moment, "15m"),
        Case("received_at:-15w", 12, moment, "-15w"),
        Case("received_at:-m", 12, moment, "-m"),
        Case("received_at:--1m", 12, moment, "--1m"),
        Case("received_at:-999999999999999999d", 12, moment, "-999999999999999999d"),
        Case("received_at:-99999999d", 12, moment, "-99999999d"),
        Case("received_at:2026-11-20..x", 24, moment, "x"),
        Case("received_at:-1h..-2h", 12, "from the lower to the higher", "-1h..-2h"),
    ]

    @Test(arguments: structure + names + values)
    func theFirstFaultIsNamedWithItsPlace(wrong: Case) throws {
        let error = try #require(throws: QueryError.self) { try parse(wrong.text) }
        #expect(error.byte == wrong.byte)
        #expect(error.character == wrong.byte)
        #expect(error.expected.contains(wrong.expected), "\(error)")
        #expect(error.found == wrong.found)
        #expect(error.hint == wrong.hint)
    }

    @Test func placesAreCountedInCharactersAndInBytes() throws {
        let error = try #require(throws: QueryError.self) { try parse("äé🙂 vendr:x") }
        #expect(error.character == 4)
        #expect(error.byte == 9)
    }

    @Test func anErrorIsOneSentence() throws {
        let hinted = try #require(throws: QueryError.self) { try parse("verdict:decode") }
        #expect(
            hinted.description
                == "Expected one of decoded, decoded_with_warnings, undecodable at character 8, "
                + "but found \"decode\"; did you mean decoded?")
        let plain = try #require(throws: QueryError.self) { try parse("seq:1 AND ") }
        #expect(
            plain.description
                == "Expected a word, a phrase in quotes, field:value or ( at character 10, "
                + "but found the end.")
    }

    @Test(arguments: ["received_at:-15m", "-received_at:<-1d", "received_at:-2d..2026-11-20"])
    func withoutATimeOfTheQueryRelativeTimesAreRefused(text: String) throws {
        let error = try #require(throws: QueryError.self) {
            try QueryParser.parse(text, catalog: queryCatalog, now: nil)
        }
        #expect(error.expected.contains("isn't relative"), "\(error)")
    }

    @Test func whatWasFoundIsShortenedAndFreeOfControls() throws {
        let long = String(repeating: "x", count: 500)
        let error = try #require(throws: QueryError.self) { try parse("seq:\u{1B}\0" + long) }
        #expect(error.found == "\u{FFFD}\u{FFFD}" + String(long.prefix(38)) + "…")
    }

    @Test(arguments: [
        (String(repeating: "a", count: Limits.queryBytes + 1), Limits.queryBytes, "4096 bytes"),
        (
            String(repeating: "a", count: Limits.queryBytes - 1) + "🙂", Limits.queryBytes - 1,
            "4096 bytes"
        ),
        (String(repeating: "(", count: 40), 32, "at most 32 open"),
        (String(repeating: "NOT ", count: 40), 128, "at most 32 open"),
        (String(repeating: "-", count: 4000), 32, "at most 32 open"),
        (String(repeating: "a ", count: 65), 128, "at most 64"),
        ("\"" + String(repeating: "a ", count: 65) + "\"", 0, "at most 64"),
        ("seq:(" + String(repeating: "1 ", count: 65) + ")", 133, "at most 64"),
        (String(repeating: "has:id ", count: 65), 452, "at most 64"),
        (String(repeating: "* ", count: 65), 128, "at most 64"),
    ]) func whatIsTooMuchIsRefusedWhereItGetsTooMuch(
        text: String, byte: Int, expected: String
    ) throws {
        let error = try #require(throws: QueryError.self) { try parse(text) }
        #expect(error.byte == byte)
        #expect(error.expected.contains(expected), "\(error)")
    }
}
