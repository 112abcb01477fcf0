// Names that an object has more than once: legal, and asked for.

import JSON
import Testing

@Suite("Repeated names")
struct RepeatedNameTests {
    @Test(
        "are found per object, unescaped, each with the first one",
        arguments: [
            ("{}", []), ("[1,1]", []), (#"{"a":1,"b":1}"#, []), (#"{"a":{"a":1}}"#, []),
            (#"[{"a":1},{"a":1}]"#, []), (#"{"a":"a"}"#, []), (#"{"a":1,"A":1}"#, []),
            (#"{"a":1,"a":2}"#, ["7 of 1"]), (#"{"a":1,"a":2,"a":3}"#, ["7 of 1", "13 of 1"]),
            (#"{"a":1,"\u0061":2}"#, ["7 of 1"]), (#"{"\u0061":1,"a":2}"#, ["12 of 1"]),
            (#"{"":1,"":2}"#, ["6 of 1"]), (#"[{"a":1,"a":2}]"#, ["8 of 2"]),
            (#"{"a":{"b":1,"b":2},"c":0,"a":3}"#, ["12 of 6", "25 of 1"]),
            (#"{"a":1,"b":2,"b":3,"a":4}"#, ["13 of 7", "19 of 1"]),
            // The same to the eye, other code units: two names (RFC 8259 §8.3).
            (#"{"\u00e9":1,"e\u0301":2}"#, []),
            (#"{"\ud800":1,"\ud801":2}"#, ["12 of 1"]),
        ])
    func repeated(text: String, expected: [String]) throws {
        let document = try JSONDocument(parsing: Array(text.utf8))
        let found = document.repeatedNames.map {
            "\($0.repetition.name.byteRange.lowerBound) of \($0.first.name.byteRange.lowerBound)"
        }
        #expect(found == expected)
    }

    @Test("come with their values and pointers")
    func values() throws {
        let text = Array(#"{"x":[{"a":1,"b":2,"a":3}]}"#.utf8)
        let found = try #require(try JSONDocument(parsing: text).repeatedNames.first)
        #expect(found.first.value.int == 1)
        #expect(found.repetition.value.int == 3)
        #expect(found.repetition.name.pointer == "/x/0/a")
        #expect(found.repetition.name.position.column == 20)
    }

    @Test("are found among many, and the first of them is what a lookup gives")
    func many() throws {
        let members = (0..<20_000).map { "\"name\($0 % 15_000)\":\($0)" }
        let text = "{" + members.joined(separator: ",") + "}"
        let document = try JSONDocument(parsing: Array(text.utf8))
        let found = document.repeatedNames
        #expect(found.count == 5000)
        #expect(found.allSatisfy { ($0.repetition.value.int ?? 0) - 15_000 == $0.first.value.int })
        #expect(document.root["name7"]?.int == 7)
    }
}
