// RFC 8259 where its cases can be counted: all of them, against another account of the rule.
//
// Texts are put at every distance from the start of a word of eight bytes, since the reader looks at
// so many at a time.

import JSON
import Testing

@Suite("Every case of RFC 8259")
struct ExhaustiveTests {
    @Test("accepts the numbers of §6 among all texts of up to five of their characters")
    func numbers() throws {
        let grammar = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
        var texts = [""]
        var accepted = 0
        for _ in 0..<5 {
            texts = texts.flatMap { text in ["0", "7", "-", "+", ".", "e", "E"].map { text + $0 } }
            for text in texts {
                let isNumber = text.wholeMatch(of: grammar) != nil
                let fault = JSONFault(in: "[\(text)]")
                #expect((fault == nil) == isNumber, "\(text)")
                accepted += isNumber ? 1 : 0
                // By itself it is cut off, or wrong at the same byte.
                guard let fault else { continue }
                let alone = try #require(JSONFault(in: text), "\(text)")
                let isCut = alone.kind == .unexpectedEnd
                #expect(isCut || alone.offset == fault.offset - 1, "\(text)")
            }
        }
        #expect(accepted > 300)
    }

    @Test("accepts in a string what §7 does, at every distance", arguments: 0..<18)
    func plainText(distance: Int) {
        let before = [0x22] + [UInt8](repeating: UInt8(ascii: "x"), count: distance)
        for byte in UInt8.min...UInt8.max {
            for after in [0, 1, 9] {
                let tail = [UInt8](repeating: UInt8(ascii: "y"), count: after)
                let fault = JSONFault(in: before + [byte] + tail + [0x22])
                let kind: JSONFault.Kind? =
                    switch byte {
                    case 0x0A, 0x0D: .unclosedString
                    case 0..<0x20: .controlCharacter
                    case 0x80...: .invalidUTF8
                    case UInt8(ascii: "\\"): after == 0 ? .unexpectedEnd : .badEscape
                    case UInt8(ascii: "\""): after == 0 ? .severalValues : .trailingBytes
                    default: nil
                    }
                #expect(fault?.kind == kind, "\(byte)")
                if byte < 0x20 || byte >= 0x80 { #expect(fault?.offset == distance + 1) }
            }
        }
    }

    @Test("accepts the escapes of §7 and no other")
    func escapes() throws {
        let values: [UInt8: String] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
            UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n",
            UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        ]
        for byte in UInt8.min...UInt8.max {
            let text: [UInt8] = [0x22, 0x5C, byte, 0x20, 0x22]
            if let value = values[byte] {
                #expect(try JSONDocument(parsing: text).root.string == value + " ")
            } else {
                #expect(JSONFault(in: text)?.kind == .badEscape)
                #expect(JSONFault(in: text)?.offset == 1)
            }
        }
    }

    @Test("reads code units that are written as escapes as Swift does, alone and in pairs")
    func codeUnits() throws {
        for unit in UInt16.min...UInt16.max where unit.isMultiple(of: 7) || unit & 0x3FF < 2 {
            let escape = escape(unit, uppercase: unit.isMultiple(of: 2))
            #expect(try string(escape) == String(decoding: [unit], as: UTF16.self))
            for other in [0x41, 0x20AC, 0xD83D, 0xDE00] as [UInt16] {
                let pair = escape + self.escape(other, uppercase: false)
                #expect(try string(pair) == String(decoding: [unit, other], as: UTF16.self))
            }
        }
    }

    private func escape(_ unit: UInt16, uppercase: Bool) -> String {
        let digits = String(unit, radix: 16, uppercase: uppercase)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private func string(_ inner: String) throws -> String? {
        try JSONDocument(parsing: Array("\"\(inner)\"".utf8)).root.string
    }

    @Test("accepts UTF-8 as Swift does, at every distance", arguments: 0..<9)
    func sequences(distance: Int) {
        let before = [0x22] + [UInt8](repeating: UInt8(ascii: "x"), count: distance)
        let edges: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        let rests: [[UInt8]] = [[], [0x80], [0xBF, 0x80], [0x7F], [0x80, 0x41], [0xC0]]
        for lead in UInt8(0x80)...0xFF {
            for sequence in edges.flatMap({ edge in rests.map { [lead, edge] + $0 } }) {
                let isText = String(validating: sequence, as: UTF8.self) != nil
                let fault = JSONFault(in: before + sequence + [0x22])
                #expect((fault == nil) == isText, "\(sequence)")
                #expect(fault.map { $0.kind == .invalidUTF8 } ?? isText)
            }
        }
    }

    @Test("takes the four bytes of §2 for whitespace, at every distance", arguments: 0..<18)
    func whitespace(distance: Int) {
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: distance)
        let pieces = [
            ("", "{}"), ("{}", ""), ("[", "{}]"), ("[{}", "]"), ("{", "\"\":{}}"),
            ("{\"\"", ":{}}"), ("{\"\":", "{}}"), ("[{}", ",{}]"), ("[{},", "{}]"), ("{", "}"),
        ]
        for byte in UInt8.min...UInt8.max {
            let gap = spaces + [byte] + spaces
            let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            for (head, tail) in pieces {
                let fault = JSONFault(in: Array(head.utf8) + gap + Array(tail.utf8))
                #expect((fault == nil) == isSpace, "\(byte) between \(head) and \(tail)")
            }
        }
    }

    @Test(
        "accepts any value at the top (§2)",
        arguments: ["1", "-0.5e3", "\"a\"", "true", "false", "null", "[]", "{}"])
    func top(text: String) throws {
        let root = try JSONDocument(parsing: Array(" \(text)\n".utf8)).root
        #expect(String(decoding: root.text, as: UTF8.self) == text)
        #expect(root.pointer == "" && root.position.column == 2)
    }
}
