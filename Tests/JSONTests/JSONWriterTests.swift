// What the writer writes, byte for byte.
import Testing

@testable import JSON

@Suite struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func membersKeepTheOrderInWhichTheyAreWritten() {
        let written = text { json in
            json.object { json in
                json.member("z", 1)
                json.member("a", "x")
                json.key("list")
                json.array { json in
                    json.value(true)
                    json.null()
                    json.array { _ in }
                    json.object { _ in }
                }
                json.member("half", 0.5)
            }
        }
        #expect(written == #"{"z":1,"a":"x","list":[true,null,[],{}],"half":0.5}"#)
    }

    @Test(arguments: [
        ("plain", #""plain""#),
        ("say \"hi\" \\ back", #""say \"hi\" \\ back""#),
        ("\u{0}\u{1F}\n\r\t", #""\u0000\u001f\n\r\t""#),
        ("é漢🙂", "\"é漢🙂\""),
        ("", "\"\""),
    ])
    func stringsAreEscapedAsRFC8259Section7Requires(text input: String, expected: String) {
        #expect(text { $0.value(input) } == expected)
    }

    @Test func membersHoldArraysObjectsAndRawText() {
        let written = JSONWriter.text { json in
            json.member("texts", ["a", "\"b\""])
            json.member("none", [String]())
            json.object("object") { $0.member("x", 1) }
            json.array("array") { json in for number in 1...2 { json.value(number) } }
            json.objects("objects", of: [1, 2]) { json, number in json.member("number", number) }
            json.member("raw", raw: Array("[null]".utf8))
            json.member("last", true)
        }
        #expect(
            written == #"{"texts":["a","\"b\""],"none":[],"object":{"x":1},"array":[1,2],"#
                + #""objects":[{"number":1},{"number":2}],"raw":[null],"last":true}"#)
    }

    @Test func numbersThatJSONCannotExpressBecomeNull() {
        #expect(
            text {
                $0.array {
                    $0.value(Double.nan)
                    $0.value(Double.infinity)
                }
            } == "[null,null]")
    }

    @Test func rawTextIsPlacedLikeAnyOtherValue() {
        let written = text { json in
            json.array { json in
                json.raw(Array("{\"a\":1}".utf8))
                json.raw(Array("2".utf8))
            }
        }
        #expect(written == #"[{"a":1},2]"#)
    }

    @Test func absentValuesAreNull() {
        let written = text { json in
            json.object { json in
                json.member("text", nil as String?)
                json.member("count", nil as Int?)
                json.member("flag", nil as Bool?)
            }
        }
        #expect(written == #"{"text":null,"count":null,"flag":null}"#)
    }

    @Test func everyByteIsEscapedOrKeptAtEveryPlaceOfATextOfAnyLength() {
        let escapes: [UInt8: String] = [
            0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x22: "\\\"", 0x5C: "\\\\",
        ]
        for value in 0..<UInt8(0x80) {
            let digits = String(value, radix: 16)
            let known = escapes[value] ?? "\\u00" + (digits.count == 1 ? "0" : "") + digits
            let kept = String(Unicode.Scalar(value))
            let expected = value < 0x20 || escapes[value] != nil ? known : kept
            for (count, place) in (1...20).flatMap({ count in (0..<count).map { (count, $0) } }) {
                let (before, after) = (
                    String(repeating: "a", count: place),
                    String(repeating: "!", count: count - place - 1)
                )
                let original = before + kept + after
                let quoted = "\"" + before + expected + after + "\""
                #expect(text { $0.value(original) } == quoted)
                #expect(text { $0.string(utf8: Array(("xé" + original).utf8)[3...]) } == quoted)
            }
        }
    }

    @Test func bytesAreFoundAtEveryPlaceOfATextOfAnyLength() {
        for count in 0...20 {
            for place in 0...count {
                for byte in [UInt8(ascii: "%"), 0x26, 0x24, 0x80, 0xA5, 0xFF] {
                    var bytes = [UInt8](repeating: 0x61, count: count)
                    if place < count { bytes[place] = byte }
                    let isSought = place < count && (byte == 0x25 || byte == 0x26)
                    let found = bytes.span.place(of: 0x25, or: 0x26, from: 0, to: count)
                    #expect(found == (isSought ? place : count))
                    #expect(bytes.span.isASCII == (place == count || byte < 0x80))
                }
            }
        }
    }

    @Test(arguments: [
        #"{"a":[1,-2.5e3,{"b":"x\n\"","":[]}],"c":null,"é":true,"f":false}"#, "[[[]],{}]",
        #"{ "a" : [ 1 , "b c" ] }"#, #""text""#, "0",
    ])
    func aWritersDocumentIsWhatParsingItsTextGives(copied: String) throws {
        let other = try JSONDocument(parsing: Array(copied.utf8))
        var json = JSONWriter(ofDocument: 0)
        json.object { json in
            json.member("text", "a\nb")
            json.member("plain", "a text that is longer than eight bytes")
            json.member("quoted \" name", nil as String?)
            json.member("joined", joining: "a\"", "b")
            json.member("apart", joining: "a", "b")
            json.array("list") { json in
                json.value(-7)
                json.value(0.25)
                json.value(true)
                json.value(false)
                json.string(utf8: Array("é\u{1}".utf8))
                json.array { _ in }
                json.object { $0.member("deep", "er") }
            }
            json.key("copy")
            json.value(other.root)
            json.member("last", 12_345)
        }
        let parsed = try JSONDocument(parsing: json.bytes)
        let document = try #require(json.document())
        #expect(document.bytes == json.bytes)
        #expect(document.tape == parsed.tape)
        #expect(document.root["copy"]?.count == other.root.count)
    }

    @Test func aWritersDocumentIsParsedOnlyIfRawTextWasWritten() throws {
        var json = JSONWriter(ofDocument: 64)
        json.beginObject()
        json.key("raw")
        #expect(json.document() == nil)
        json.raw(Array("[1, 2]".utf8))
        #expect(json.document() == nil)
        json.endObject()
        #expect(try #require(json.document()).tape == JSONDocument(parsing: json.bytes).tape)

        var broken = JSONWriter(ofDocument: 64)
        broken.object { $0.member("raw", raw: Array("[1,".utf8)) }
        #expect(broken.document() == nil)
        #expect(JSONWriter(ofDocument: 64).document() == nil)
    }
}
