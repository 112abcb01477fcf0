// Classes of bytes, encodings, hashes, suggestions and text for people.

import Testing

@testable import Text

struct TextTests {
    @Test("classes of bytes agree with the characters of RFC 3986 and RFC 9110")
    func classes() {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let tokens = letters + "0123456789!#$%&'*+-.^_`|~"
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            #expect(byte.isLetter == letters.contains(character))
            #expect(byte.isLowercaseLetter == letters.prefix(26).contains(character))
            #expect(byte.isDigit == "0123456789".contains(character))
            #expect(byte.isAlphanumeric == (letters + "0123456789").contains(character))
            #expect(byte.isUnreserved == (letters + "0123456789-._~").contains(character))
            #expect(byte.isTokenCharacter == tokens.contains(character))
            #expect(byte.isHexadecimal == "0123456789abcdefABCDEF".contains(character))
            #expect((byte.hexadecimalValue != nil) == byte.isHexadecimal)
        }
        #expect("09afAF".utf8.map(\.hexadecimalValue) == [0, 9, 10, 15, 10, 15])
        #expect("AZaz@[09".utf8.map(\.lowercased) == Array("azaz@[09".utf8))
    }

    @Test("bytes become hexadecimal digits, and digits in either case bytes")
    func hexadecimal() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hexadecimal.text(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(text.utf8) == bytes)
        #expect(Hexadecimal.bytes(text.uppercased().utf8) == bytes)
        #expect(Hexadecimal.bytes("".utf8) == [])
        for text in ["0", "0g", "+1", "0x10", "é"] { #expect(Hexadecimal.bytes(text.utf8) == nil) }
        #expect(Hexadecimal.text(0xAB as UInt16, digits: 4) == "00ab")
        #expect(Hexadecimal.text(0x1_ABCD as UInt32, digits: 4, uppercase: true) == "1ABCD")
    }

    @Test("the hash is the published one (draft-eastlake-fnv-33, appendix C)")
    func hash() {
        #expect(FNV1a().value == 0xCBF2_9CE4_8422_2325)
        #expect(FNV1a(Array("a".utf8)).value == 0xAF63_DC4C_8601_EC8C)
        #expect(FNV1a(Array("foobar".utf8)).value == 0x8594_4171_F739_67E8)
    }

    @Test("secrets are equal if every byte is")
    func secrets() {
        let secret = Array("secret".utf8)
        #expect(secret.equalsInConstantTime(secret))
        for other in ["", "secre", "secrets", "Secret", "secreT"] {
            #expect(!secret.equalsInConstantTime(Array(other.utf8)))
        }
    }

    @Test(
        "what isn't percent-encoded stays, if asked",
        arguments: [
            ("", ""), ("a%41%c3%A4", "aAä"), ("%", "%"), ("%4", "%4"), ("%4g%", "%4g%"),
            ("%%41", "%A"), ("a+b", "a+b"),
        ])
    func decoding(text: String, expected: String) {
        #expect(PercentEncoding.decode(text.utf8) == Array(expected.utf8))
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

    @Test("every byte that a query may not have is encoded, and no other one")
    func queries() {
        let allowed =
            "!$%&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
        for byte in 0...UInt8.max {
            let encoded = PercentEncoding.encodeQuery([byte])
            #expect((encoded.utf8.count == 1) == allowed.utf8.contains(byte))
            #expect(PercentEncoding.decode(encoded.utf8) == [byte])
        }
        let text = PercentEncoding.encodeQuery(Array("%41/a?b=\"ä\">{c}".utf8)[...])
        #expect(text == "%41/a?b=%22%C3%A4%22%3E%7Bc%7D")
    }

    @Test(
        "what isn't percent-encoded UTF-8 is not decoded",
        arguments: ["%", "%4", "%4g", "%zz", "%00", "%C3", "%FF", "a\u{0}"])
    func refusals(_ text: String) {
        #expect(String(percentDecoding: Array(text.utf8)[...]) == nil)
    }

    @Test(
        "a suggestion has one or two letters of difference, by the length of the name",
        arguments: [
            ("strss", "stress"), ("STRESSED", "stress"), ("tsress", "stress"), ("hvr", "hrv"),
            ("stres5ed", nil), ("hr", nil), ("", nil), ("stress", nil),
        ])
    func suggestions(word: String, expected: String?) {
        #expect(Spelling.nearest(to: word, among: ["hrv", "stress"]) == expected)
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

    @Test("bytes and words are found at every place, and nowhere in an empty range")
    func searches() {
        for count in 0...40 {
            for place in 0...count {
                var bytes = [UInt8](repeating: 0x61, count: count)
                for index in place..<min(place + 2, count) { bytes[index] = 0x62 }
                #expect(bytes.span.place(of: 0x62, from: 0, to: count) == place)
                #expect(bytes.span.place(of: 0x62, from: place, to: count) == place)
                let word = bytes.span.index(of: [0x62, 0x62], from: 0, to: count)
                #expect(word == (count - place >= 2 ? place : nil))
            }
        }
        let bytes = [UInt8](repeating: 0x62, count: 4)
        #expect(bytes.span.place(of: 0x62, from: 4, to: 4) == 4)
        #expect(bytes.span.place(of: 0x62, from: 3, to: 2) == 2)
        #expect(bytes.span.index(of: [0x62], from: 3, to: 2) == nil)
    }

    @Test("a number is appended as Swift writes it")
    func decimals() {
        for number in [0, 1, 9, 10, -1, -10, 1_234_567_890, .max, .min] {
            var text = Array("a".utf8)
            text.append(decimal: number)
            #expect(String(decoding: text, as: UTF8.self) == "a\(number)")
        }
    }

    @Test("a number is read as Swift writes it, and not otherwise")
    func readDecimals() {
        for number in [0, 80, -1, .max, .min] { #expect(Int(decimal: "\(number)") == number) }
        for text in ["", "+80", "0080", "-0", " 80", "80 ", "0x50", "8e1", "65536"] {
            #expect(UInt16(decimal: text) == nil, "\(text)")
        }
    }
}
