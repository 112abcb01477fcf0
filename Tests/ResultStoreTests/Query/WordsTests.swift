// Folding. What SQLite makes of single letters was read from its tokenizer for the cases below.

import Testing

@testable import ResultStore

@Suite struct WordsTests {
    @Test(arguments: [
        ("", []),
        (" -_.,!\0", []),
        ("Hello, World-2", ["hello", "world", "2"]),
        ("snake_case", ["snake", "case"]),
        ("МОЛОКО Ёж", ["молоко", "ёж"]),
        ("Straße ÄÖÜ ẞ", ["straße", "äöü", "ß"]),
        ("日本 ½", ["日本", "½"]),
        ("a🙂b", ["a", "b"]),
        ("Cafe\u{301}s", ["cafe\u{301}s"]),
        ("\u{301}a", ["a"]),
        ("ΛΌΓΟΣ λόγος", ["λόγοσ", "λόγοσ"]),
        ("ſ µ ẛ", ["s", "μ", "ṡ"]),
        ("İ", ["i\u{307}"]),
        ("x\u{1CF2}y", ["x", "y"]),
    ]) func textBecomesTheWordsThatSQLiteKeeps(text: String, words: [String]) {
        #expect(Words.split(text).map { Array($0.utf8) } == words.map { Array($0.utf8) })
    }

    @Test(arguments: [
        (String(repeating: "a", count: 65), String(repeating: "a", count: 64)),
        (String(repeating: "a", count: 63) + "äb", String(repeating: "a", count: 63)),
        (String(repeating: "ж", count: 40), String(repeating: "ж", count: 32)),
    ]) func aLongWordIsCutAtACharacter(text: String, word: String) {
        #expect(Words.split(text + " b") == [word, "b"])
    }

    @Test func wordsAreJoinedBySingleSpaces() {
        var words: [UInt8] = []
        for text in ["  A  b ", "", "--", "C"] { Words.fold(text.utf8Span.span, into: &words) }
        #expect(words == Array("a b c".utf8))
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], "a b"), ([0x61, 0xC3], "a"), ([0xE2, 0x82, 0x61], "a"),
            ([0xED, 0xA0, 0x80, 0x61], "a"), ([0x61, 0xEF, 0xBF, 0xBD, 0x62], "a b"),
            ([0xF0, 0x9F, 0x98], ""),
        ] as [([UInt8], String)]) func whatIsNotUTF8Separates(bytes: [UInt8], expected: String)
    {
        var words: [UInt8] = []
        Words.fold(bytes.span, into: &words)
        #expect(words == Array(expected.utf8))
    }

    @Test func foldingAgainChangesNothing() {
        let scalars = (0...0x1_FFFF).compactMap { Unicode.Scalar($0 as UInt32) }
        let unstable = scalars.filter { scalar in
            var once: [UInt8] = []
            Words.fold("a\(scalar)b \(scalar)".utf8Span.span, into: &once)
            var twice: [UInt8] = []
            Words.fold(once.span, into: &twice)
            return once != twice
        }
        #expect(unstable == [])
    }
}
