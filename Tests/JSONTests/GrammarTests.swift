// What RFC 8259 accepts and refuses, as tables.
// Each refusal names its fault and the byte at which the text stops being JSON.

import JSON
import Testing

@Suite("The grammar of RFC 8259")
struct GrammarTests {
    @Test(
        "accepts",
        arguments: [
            "0", "-0", "1", "-1", "10", "1.0", "0.5", "-0.5", "1e1", "1E+1", "1e-01", "1.5e300",
            "123456789012345678901234567890", "0e0", "0.000",
            #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\uD83D\ude00""#,
            #""\ud800""#, #""\udc00\ud800""#, #""\ud800x""#, "\"\u{7F}\"", "\"é€😀\u{2028}\"",
            "true", "false", "null", "[]", "{}", "[[]]", "[{}]", #"{"":0}"#, #"{"a":1,"a":2}"#,
            " \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n",
            " { \"a\" : 1 , \"b\" : { } } ",
        ])
    func accepts(text: String) throws {
        let document = try JSONDocument(parsing: Array(text.utf8))
        #expect(document.root.byteRange.upperBound <= text.utf8.count)
    }

    @Test(
        "refuses, naming the fault and its byte",
        arguments: [
            ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("[", .unexpectedEnd, 1),
            ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("{", .unexpectedEnd, 1),
            (#"{"a""#, .unexpectedEnd, 4), (#"{"a":"#, .unexpectedEnd, 5),
            (#""a"#, .unexpectedEnd, 2), (#""\"#, .unexpectedEnd, 2),
            (#""\u12"#, .unexpectedEnd, 5), ("tru", .unexpectedEnd, 3), ("-", .unexpectedEnd, 1),
            ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
            ("]", .unexpectedByte, 0), (",", .unexpectedByte, 0), ("nul1", .unexpectedByte, 3),
            ("True", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0), ("+1", .unexpectedByte, 0),
            (".5", .unexpectedByte, 0), ("[1}", .unexpectedByte, 2),
            (#"{"a":1]"#, .unexpectedByte, 6), (#"{"a" 1}"#, .unexpectedByte, 5),
            ("[1,,2]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1),
            ("[1,}", .unexpectedByte, 3), (#"{"a":}"#, .unexpectedByte, 5),
            (#"{"a":1,2}"#, .badNumber, 6), ("[1;2]", .unexpectedByte, 2),
            ("[\u{A0}1]", .unexpectedByte, 1), ("[1\u{B}]", .unexpectedByte, 2),
            ("01", .badNumber, 1), ("-01", .badNumber, 2), ("1.e1", .badNumber, 2),
            ("1ex", .badNumber, 2), ("-x", .badNumber, 1), ("[1.]", .badNumber, 3),
            (#""\x""#, .badEscape, 1), (#""a\u12G4""#, .badEscape, 2), (#""\'""#, .badEscape, 1),
            ("\"\t\"", .controlCharacter, 1), ("\"a\u{0}\"", .controlCharacter, 2),
            ("\"\u{1F}\"", .controlCharacter, 1),
            ("{}}", .trailingBytes, 2), ("1x", .trailingBytes, 1),
            ("[] \u{0}", .trailingBytes, 3),
        ] as [(String, JSONFault.Kind, Int)])
    func refuses(text: String, kind: JSONFault.Kind, offset: Int) {
        let fault = JSONFault(in: text)
        #expect(fault?.kind == kind)
        #expect(fault?.offset == offset)
        #expect(fault?.expected.isEmpty == false && fault?.found.isEmpty == false)
    }

    @Test(
        "refuses what is not UTF-8, inside and outside of strings",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func refusesInvalidUTF8(sequence: [UInt8]) {
        let inString = JSONFault(in: Array("[\"é".utf8) + sequence + Array("\"]".utf8))
        #expect(inString?.kind == .invalidUTF8)
        #expect(inString?.offset == 4)
        let outside = JSONFault(in: Array("[1,".utf8) + sequence + Array("]".utf8))
        #expect(outside?.kind == .invalidUTF8)
        #expect(outside?.offset == 3)
    }

    @Test("accepts the edges of UTF-8", arguments: [0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF])
    func acceptsUTF8(scalar: UInt32) throws {
        let character = try #require(Unicode.Scalar(scalar))
        let document = try JSONDocument(parsing: Array("\"\(character)\"".utf8))
        #expect(document.root.string == String(character))
    }

    @Test("nests up to the limit and no deeper", arguments: ["[", #"{"a":"#])
    func depth(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: opening, count: depth - 1) + (opening == "[" ? "[]" : "{}")
                    + String(repeating: closing, count: depth - 1)).utf8)
        }
        _ = try JSONDocument(parsing: nested(512))
        let tooDeep = JSONFault(in: nested(513))
        #expect(tooDeep?.kind == .tooDeep)
        #expect(tooDeep?.offset == opening.utf8.count * 512)
        _ = try JSONDocument(parsing: nested(100_000), maximumDepth: 100_000)
        #expect(throws: JSONFault.self) { try JSONDocument(parsing: nested(1), maximumDepth: 0) }
    }

    @Test("says line and column of a fault")
    func position() {
        let fault = JSONFault(in: Array("{\n  \"é\": 1,\r\n  \"b\": x\n}".utf8))
        #expect(fault?.line == 3)
        #expect(fault?.column == 8)
        #expect(fault?.found == "\"x\"")
    }

    @Test("names what stood there without repeating more than a character")
    func found() {
        #expect(JSONFault(in: [0x5B, 0x01])?.found == "byte 0x01")
        #expect(JSONFault(in: [0x5B, 0xFF])?.found == "byte 0xFF")
        #expect(JSONFault(in: "[é]")?.found == "\"é\"")
        #expect(JSONFault(in: [0x5B])?.found == "the end of the text")
        #expect(JSONFault(in: "[\u{A0}]")?.found == "U+00A0")
        #expect(JSONFault(in: "[\u{202E}]")?.found == "U+202E")
        #expect(JSONFault(in: "[\u{1F600}]")?.found == "\"\u{1F600}\"")
        #expect(JSONFault(in: "\"a\n")?.found == "a line break")
    }
}
