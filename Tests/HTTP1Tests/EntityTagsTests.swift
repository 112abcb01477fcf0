// Lists of entity tags (RFC 9110 §8.8.3): what is one, and how two are compared.

import Testing

@testable import HTTP1

struct EntityTagsTests {
    private static func read(_ lines: [String]) -> EntityTags {
        EntityTags(lines.map { Array($0.utf8)[...] })
    }

    @Test(
        "RFC 9110 §8.8.3: tags hold commas and backslashes as they are",
        arguments: [
            (["\"a\""], ["\"a\""]), (["\"\""], ["\"\""]), (["W/\"a\""], ["W/\"a\""]),
            (["W/\"\""], ["W/\"\""]), (["\"a\",\"b\""], ["\"a\"", "\"b\""]),
            (["\"a,b\""], ["\"a,b\""]), (["\"a,b\" , W/\"c,,d\""], ["\"a,b\"", "W/\"c,,d\""]),
            (["\"a\\\""], ["\"a\\\""]), (["\"a\\\", \"b\""], ["\"a\\\"", "\"b\""]),
            (["\"a\\b\\\\\""], ["\"a\\b\\\\\""]), (["\",\""], ["\",\""]), (["\"*\""], ["\"*\""]),
            (["\"W/\""], ["\"W/\""]), (["\"!#[]^~\u{E9}\""], ["\"!#[]^~\u{E9}\""]),
            (["\"a b\tc\""], ["\"a b\tc\""]),
            (["\"a\"", "\"b\",W/\"c\""], ["\"a\"", "\"b\"", "W/\"c\""]),
        ] as [([String], [String])])
    func tags(_ lines: [String], _ tags: [String]) {
        #expect(Self.read(lines) == .list(tags.map { Array($0.utf8)[...] }))
    }

    @Test(
        "RFC 9110 §5.6.1: empty members are skipped",
        arguments: [
            ([",\"a\","], ["\"a\""]), ([" \t, ,\"a\" ,\t, \"b\", "], ["\"a\"", "\"b\""]),
            (["", "\"a\"", ","], ["\"a\""]), ([""], []), ([", ,"], []), (["", ""], []),
        ] as [([String], [String])])
    func emptyMembers(_ lines: [String], _ tags: [String]) {
        #expect(Self.read(lines) == .list(tags.map { Array($0.utf8)[...] }))
    }

    @Test(
        "RFC 9110 §13.1.1: what isn't * or a list of tags is malformed as a whole",
        arguments: [
            ["a"], ["\"a"], ["a\""], ["\""], ["\"a\"b"], ["\"a\"\"b\""], ["\"a\" \"b\""],
            ["w/\"a\""],
            ["W/ \"a\""], ["W\"a\""], ["W/a"], ["W/"], ["W"], ["W/W/\"a\""], ["'a'"], ["\"a\";b"],
            ["\"a\",b"], ["b,\"a\""], ["\"a\\\"b\""], ["\"a\u{1}b\""], ["\"a\u{7F}\""],
            ["\"a\"", "b"], ["\"a", "b\""], ["*,"], [",*"], ["*, \"a\""], ["\"a\", *"], ["*,*"],
            ["*", "*"], ["*", "\"a\""], ["*", ""], ["**"], ["* *"], ["W/*"], ["\u{201C}a\u{201D}"],
        ])
    func malformed(_ lines: [String]) {
        #expect(Self.read(lines) == .malformed)
        #expect(!Self.read(lines).contains(Array("\"a\"".utf8), .weak))
    }

    @Test(
        "RFC 9110 §8.8.3.2: the table of comparisons",
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
            ("\"1\"", "W/\"1\"", false, true), ("\"a\"", "\"A\"", false, false),
            ("\"1\"", "\"11\"", false, false), ("\"W/1\"", "W/\"1\"", false, false),
        ])
    func comparison(_ left: String, _ right: String, _ strong: Bool, _ weak: Bool) {
        let (tags, tag) = (Self.read([left]), Array(right.utf8))
        #expect(tags.contains(tag, .strong) == strong)
        #expect(tags.contains(tag, .weak) == weak)
    }

    @Test("RFC 9110 §13.1.1: * is any tag, weak ones too")
    func any() {
        #expect(Self.read(["*"]) == .any)
        for tag in ["\"a\"", "W/\"a\""] {
            #expect(Self.read(["*"]).contains(Array(tag.utf8), .strong))
            #expect(Self.read(["*"]).contains(Array(tag.utf8), .weak))
        }
    }

    @Test("an empty list and an absent field hold nothing")
    func none() {
        #expect(!Self.read([""]).contains(Array("\"\"".utf8), .weak))
        #expect(!Self.read([]).contains(Array("\"\"".utf8), .weak))
    }
}
