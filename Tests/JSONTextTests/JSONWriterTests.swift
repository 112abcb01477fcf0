// What the writer writes, byte for byte.
import Testing

@testable import JSONText

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
}
