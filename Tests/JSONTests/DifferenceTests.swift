// Where two JSON values differ.

import JSON
import Testing

@Suite struct DifferenceTests {
    private static func differences(_ old: String, _ new: String) throws -> [String] {
        var found: [String] = []
        JSONDifference.find(
            try JSONDocument(parsing: Array(old.utf8)).root,
            try JSONDocument(parsing: Array(new.utf8)).root, at: ""
        ) { pointer, old, new in
            let texts = [old, new].map { $0.map { String(decoding: $0.text, as: UTF8.self) } }
            found.append("\(pointer): \(texts[0] ?? "-") \(texts[1] ?? "-")")
        }
        return found
    }

    @Test(arguments: [
        ("1", "1", []), ("1", "1.0", [": 1 1.0"]), ("[]", "{}", [": [] {}"]),
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []), (#"{"a/b":1}"#, "{}", ["/a~1b: 1 -"]),
        (
            #"{"a":1,"b":[1]}"#, #"{"c":1,"b":[2,3]}"#,
            ["/a: 1 -", "/b/0: 1 2", "/b/1: - 3", "/c: - 1"]
        ),
        (#"{"\u0061":1}"#, #"{"a":1}"#, []), (#"{"a":1,"a":2}"#, #"{"a":1,"b":3}"#, ["/b: - 3"]),
        (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#, ["/a: 1 2"]),
        (#"{"é":1}"#, #"{"e\u0301":1}"#, ["/é: 1 -", "/e\u{301}: - 1"]),
    ])
    func areFoundByMember(old: String, new: String, expected: [String]) throws {
        #expect(try Self.differences(old, new) == expected)
    }

    /// In the order of the other side each name would be looked for among all.
    @Test func areFoundAmongManyMembers() throws {
        func object(_ numbers: [Int]) -> String {
            "{\(numbers.map { "\"k\(1_000_000 + $0)\":\($0)" }.joined(separator: ","))}"
        }
        let count = 200_000
        let found = try Self.differences(
            object(Array(0..<count)), object((1...count).reversed()))
        #expect(found == ["/k1000000: 0 -", "/k1200000: - 200000"])
    }
}
