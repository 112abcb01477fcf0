// Where in the values a fault stands.
// Left out: the place in the text, which `MistakeTests` and `GrammarTests` have.

import JSON
import Testing

@Suite("Pointers of faults")
struct FaultPointerTests {
    @Test(
        "lead to the value that was being read",
        arguments: [
            ("x", ""), ("", ""), ("{} {}", ""), (#"{"a":1"#, ""), (#"{"a":x}"#, "/a"),
            (#"{"a":1,"b""#, "/b"), (#"{"a":[],"b":[[0],{"c":01}]}"#, "/b/1/c"),
            ("[[1,2],[3,x]]", "/1/1"), ("[1 2]", "/1"), (#"{"a/~b":{"":[nul]}}"#, "/a~1~0b//0"),
            (#"{"\u0061":{"b":1,c}}"#, "/a"), (#"{"a":{"b":1},"c":{"d":"#, "/c/d"),
        ])
    func pointer(text: String, pointer: String) throws {
        #expect(try #require(JSONFault(in: text)).pointer == pointer)
    }
}
