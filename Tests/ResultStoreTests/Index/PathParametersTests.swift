// The index's form of a path's parameters: no value may look like another parameter.

import Testing

@testable import ResultStore

@Suite struct PathParametersTests {
    @Test(arguments: ["7", "", "7\nid=8", "\n", "%0A", "\0", "=", "é", "e\u{301}", " 7"])
    func aValueIsFoundByItselfAlone(value: String) throws {
        let text = try #require(PathParameters.text(of: ["id": value, "i=d": "x", "z": "id=8"]))
        for other in ["7", "8", "", "\n", "%0A", "\0", "=", "é", "e\u{301}", " 7", value] {
            let wanted = try #require(PathParameters.text(of: ["id": other]))
            #expect(
                Array(text.utf8).contains(Array(wanted.utf8))
                    == (Array(other.utf8) == Array(value.utf8)))
        }
        #expect(text.contains(PathParameters.start(of: "i=d")))
        #expect(!text.contains(PathParameters.start(of: "i")))
        #expect(!text.utf8.contains(0))
    }

    @Test func withoutParametersThereIsNoText() {
        #expect(PathParameters.text(of: [:]) == nil)
    }
}
