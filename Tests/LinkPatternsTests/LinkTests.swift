// Request targets become links: split first, then each part decoded once and strictly.

import LinkPatterns
import Testing

@Suite struct LinkTests {
    @Test(arguments: [
        ("", []), ("/", []), ("//", []), ("/a", ["a"]), ("a/b", ["a", "b"]),
        ("//a///b/", ["a", "b"]),
        ("/a%2Fb/c", ["a/b", "c"]), ("/%2525", ["%25"]), ("/a+b", ["a+b"]), ("/%c3%A9", ["é"]),
        ("/é", ["é"]), ("/%20", [" "]), ("/.", ["."]), ("/%EF%BF%BD", ["\u{FFFD}"]),
    ])
    func pathsAreSplitBeforeTheyAreDecoded(path: String, components: [String]) {
        #expect(Link(target: path)?.components == components)
    }

    @Test(arguments: [
        "/%", "/a/%4", "/%zz", "/%4z", "/%%41", "/%FF", "/%C3", "/%00", "/\u{0}", "/%+1",
    ])
    func pathsThatCannotBeDecodedAreRefused(path: String) {
        #expect(Link(target: path) == nil)
    }

    @Test(
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x61, 0x80]] as [[UInt8]])
    func bytesThatAreNotUTF8AreRefused(path: [UInt8]) {
        #expect(Link(path: path[...]) == nil)
    }

    @Test(
        arguments: [
            ("a=1&b=2&a=3", [("a", "1"), ("b", "2"), ("a", "3")]), ("a", [("a", nil)]),
            ("a=", [("a", "")]), ("=a", [("", "a")]), ("=", [("", "")]), ("a==", [("a", "=")]),
            ("&&", []), ("", []), ("a=%3D%26&b", [("a", "=&"), ("b", nil)]),
            ("a+b=c+d", [("a+b", "c+d")]),
            ("a=%zz&b=1&%ff=2&%00", [("b", "1")]),
        ] as [(String, [(String, String?)])])
    func queriesKeepTheOrderOfTheWire(query: String, expected: [(String, String?)]) {
        let link = Link(path: [], query: Array(query.utf8)[...])
        #expect(link?.query == expected.map { QueryItem(name: $0.0, value: $0.1) })
    }

    @Test func slicesOfALargerBufferAreRead() {
        let bytes = Array("GET /a/b?c=d HTTP/1.1".utf8)
        let link = Link(path: bytes[4..<8], query: bytes[9..<12])
        #expect(link == Link(components: ["a", "b"], query: [QueryItem(name: "c", value: "d")]))
    }
}
