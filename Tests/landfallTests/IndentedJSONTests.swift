// JSON for people: the same value, a member a line, and nothing that a terminal acts upon.

import JSON
import Testing

@testable import Text

struct IndentedJSONTests {
    @Test("a member or element stands on a line of its own, what is empty does not")
    func layout() throws {
        let json = #"{"a":[1,{"b":null}],"c":{ },"d":[ ],"e":"x\ny"}"#
        let root = try JSONDocument(parsing: Array(json.utf8)).root
        #expect(
            String(decoding: IndentedJSON.text(of: root), as: UTF8.self) == """
                {
                  "a": [
                    1,
                    {
                      "b": null
                    }
                  ],
                  "c": {},
                  "d": [],
                  "e": "x\\ny"
                }
                """)
    }

    @Test(
        "what a terminal would act upon is escaped, and means the same",
        arguments: ["\u{7F}", "\u{9B}31m", "\u{202E}abc", "\u{2028}", "\u{E0001}", "é😀"])
    func hidden(_ text: String) throws {
        let json = Array("[\"\(text)\"]".utf8)
        let indented = IndentedJSON.text(of: try JSONDocument(parsing: json).root)
        let again = try JSONDocument(parsing: indented).root
        #expect(again[0]?.string == text)
        let shown = String(decoding: indented, as: UTF8.self).unicodeScalars
        #expect(shown.allSatisfy { $0 == "\n" || !TerminalText.isHidden($0) })
    }

    @Test(
        "thousands are grouped",
        arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
    func grouped(_ number: Int, _ text: String) {
        #expect(number.grouped == text)
    }

    @Test("a noun stands in the number of its count")
    func counted() {
        #expect(1.counted("result") == "1 result")
        #expect(0.counted("result") == "0 results")
        #expect(1_234.counted("line") == "1,234 lines")
    }
}
