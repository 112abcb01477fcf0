// Classes of bytes, percent-encoding, edit distances and text for people.

import Testing

@testable import Text

struct TextTests {
    @Test("classes of bytes agree with the characters of RFC 3986")
    func classes() {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            #expect(byte.isDigit == "0123456789".contains(character))
            #expect(byte.isAlphanumeric == (letters + "0123456789").contains(character))
            #expect(byte.isUnreserved == (letters + "0123456789-._~").contains(character))
            #expect(byte.isHexadecimal == "0123456789abcdefABCDEF".contains(character))
            #expect((byte.hexadecimalValue != nil) == byte.isHexadecimal)
        }
        #expect("09afAF".utf8.map(\.hexadecimalValue) == [0, 9, 10, 15, 10, 15])
        #expect("AZaz@[09".utf8.map(\.lowercased) == Array("azaz@[09".utf8))
        #expect(Hexadecimal.text([0, 0x1F, 0xFF]) == "001fff")
    }

    @Test(
        "percent-encoding is undone by decoding",
        arguments: ["", "a", "a b+c", "ä€😀", "%", "%41", "\u{1}\u{7F}"])
    func roundTrip(_ text: String) {
        let encoded = text.percentEncoded
        #expect(encoded.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "%") })
        #expect(String(percentDecoding: Array(encoded.utf8)[...]) == text)
    }

    @Test("encoding keeps the bytes that are allowed")
    func allowed() {
        #expect(PercentEncoding.encode("a/b c".utf8, besides: "/") == Array("a/b%20c".utf8))
    }

    @Test(
        "what isn't percent-encoded UTF-8 is not decoded",
        arguments: ["%", "%4", "%4g", "%zz", "%00", "%C3", "%FF", "a\u{0}"])
    func refusals(_ text: String) {
        #expect(String(percentDecoding: Array(text.utf8)[...]) == nil)
    }

    @Test(
        "an edit distance counts changes, and a swap once",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abd", 1),
            ("abc", "acb", 1), ("abc", "bc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ])
    func distance(left: String, right: String, expected: Int) {
        #expect(EditDistance.between(Array(left.utf8), Array(right.utf8)) == expected)
        #expect(EditDistance.between(Array(right.utf8), Array(left.utf8)) == expected)
    }

    @Test("a table's fields are divided by commas outside of quotation marks, as RFC 4180 says")
    func tables() {
        let text = "\u{FEFF}a,b\r\n\r\n# c\r\n\"a,\"\"b\"\"\",\"\",5\" \r\n,\n"
        let lines = CommaSeparated.lines(of: Array(text.utf8))
        #expect(lines.map(\.number) == [1, 4, 5])
        #expect(lines.map(\.fields) == [["a", "b"], ["a,\"b\"", "", "5\" "], ["", ""]])
    }

    @Test("people see one line without hidden characters, and no markup")
    func people() {
        #expect(TerminalText.visible("a\u{1B}[1m\nb\u{202E}é") == "a?[1m?b?é")
        #expect(HTML.escaped("<b a='1'>\"&\u{7}") == "&lt;b a=&#39;1&#39;&gt;&quot;&amp;?")
        #expect(HTML.markup("\n<") == "\n&lt;")
    }
}
