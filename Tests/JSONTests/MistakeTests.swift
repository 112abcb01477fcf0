// Mistakes that people and programs make, each with its name, its place and what to do about it.
// Places are written as line and column, since that is what people are shown.

import JSON
import Testing

@Suite("Mistakes with a name")
struct MistakeTests {
    typealias Mistake = (
        text: String, kind: JSONFault.Kind, line: Int, column: Int, hint: String
    )

    private static let punctuation: [Mistake] = [
        ("[1,]", .trailingComma, 1, 3, "remove the comma"),
        ("{\n \"a\": 1 ,\n}", .trailingComma, 2, 9, "remove the comma"),
        ("[[1], \n ]", .trailingComma, 1, 5, "remove the comma"),
        ("[1 2]", .missingComma, 1, 4, "comma after the value that ends on line 1"),
        ("[\"a\"\n\"b\"]", .missingComma, 2, 1, "comma after the value that ends on line 1"),
        ("[{}\n\n {}]", .missingComma, 3, 2, "comma after the value that ends on line 1"),
        ("{\"a\": [\n]\n\"b\": 1}", .missingComma, 3, 1, "the value that ends on line 2"),
        ("[1 true]", .missingComma, 1, 4, "comma"), ("[1[2]]", .missingComma, 1, 3, "comma"),
        ("{\"a\": 1 {}}", .unexpectedByte, 1, 9, ""),
        ("{\"a\":0,5}", .badNumber, 1, 7, "a point before"),
        ("{\"a\": 12,50, \"b\": 1}", .badNumber, 1, 9, "a point before"),
        ("{\"a\":0, 5}", .unquotedName, 1, 9, "quotation marks"),
        ("{\"a\":0,5:1}", .unquotedName, 1, 8, "quotation marks"),
        ("{} {}", .severalValues, 1, 4, "array"), ("1 2", .severalValues, 1, 3, "array"),
        ("{\"a\":1}\n{\"a\":2}\n", .severalValues, 2, 1, "array"),
        ("{\"a\":1},\n{\"a\":2}", .severalValues, 1, 8, "array"),
        ("\"a\" null", .severalValues, 1, 5, "array"), ("[],", .trailingBytes, 1, 3, ""),
        ("[]]", .trailingBytes, 1, 3, "one too many"),
        ("{\"a\":1};", .sourceCode, 1, 8, "semicolon"),
        ("\"use strict\";\nlet a", .sourceCode, 1, 13, "semicolon"),
    ]

    private static let quotes: [Mistake] = [
        ("{\u{201C}a\u{201D}: 1}", .wrongQuote, 1, 2, "straight mark"),
        ("[\u{201E}a\u{201C}]", .wrongQuote, 1, 2, "straight mark"),
        ("['a']", .wrongQuote, 1, 2, "double mark"), ("`a`", .wrongQuote, 1, 1, "double mark"),
        ("[\u{AB}a\u{BB}]", .wrongQuote, 1, 2, "straight mark"),
        ("[\"a\" \u{2018}b\u{2019}]", .wrongQuote, 1, 6, "straight mark"),
        ("{\"a\u{201D}: 1, \"b\": 2}", .wrongQuote, 1, 4, "straight mark"),
        ("[\n\"a\u{201D},\n\"b\"]", .wrongQuote, 2, 3, "straight mark"),
        ("[\"a\u{201D}\n]", .wrongQuote, 1, 4, "straight mark"),
        ("[\"\u{201C}a\u{201D} b\n\"]", .unclosedString, 1, 12, "\\n"),
        ("[\"a\n\"]", .unclosedString, 1, 4, "\\n"), ("\"\r\n\"", .unclosedString, 1, 2, "\\n"),
        ("{\n  \"a: 1,\n  \"b\": 2\n}", .unclosedString, 2, 9, "close the string"),
        ("{a: 1}", .unquotedName, 1, 2, "in quotation marks"),
        ("{\n  \"a\": 1,\n  b: 2}", .unquotedName, 3, 3, "in quotation marks"),
        ("{1: 1}", .unquotedName, 1, 2, "in quotation marks"),
        ("{_a: 1}", .unquotedName, 1, 2, "in quotation marks"),
        ("{größe: 1}", .unquotedName, 1, 2, "in quotation marks"),
        ("[\n  NOT \"/a\"]", .notOutsideQuotes, 2, 3, "\"NOT /path\""),
        ("[\"*\", NOT\t\"/a\"]", .notOutsideQuotes, 1, 7, "\"NOT /path\""),
        ("[not \"/a\"]", .notOutsideQuotes, 1, 2, "\"NOT /path\""),
        ("[NOT \u{201C}/a\u{201D}]", .notOutsideQuotes, 1, 2, "\"NOT /path\""),
        ("[\"*\" NOT \"/a\"]", .notOutsideQuotes, 1, 6, "\"NOT /path\""),
        ("{\"a\": [], NOT \"/a\"}", .unquotedName, 1, 11, "in quotation marks"),
        ("[NOT]", .unexpectedByte, 1, 2, "quotation marks"),
        ("[\"say \"hi\" to\"]", .unexpectedByte, 1, 8, "written \\\""),
        ("{\"a\"b\": 1}", .unexpectedByte, 1, 5, "written \\\""),
    ]

    private static let comments: [Mistake] = [
        "//c\n1", " //c\n[]", "/*c*/{}", "#c\n{}", "[//c\n1]", "[/**/]", "[1/*c*/,2]",
        "[1, // 2\n]",
        "[1,#c\n2]", "{//c\n}", "{\"a\"//c\n:1}", "{\"a\":/*c*/1}", "{\"a\":1#c\n}",
        "{\"a\":1,//c\n\"b\":2}", "{} // c", "{}\n# c", "1/**/", "[t//",
    ].map { text in
        let before = text.prefix { $0 != "/" && $0 != "#" }
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return (text, .comment, lines.count, (lines.last?.utf8.count ?? 0) + 1, "remove it")
    }

    private static let placeholders: [Mistake] = [
        ("{{x}}", .templatePlaceholder, 1, 1, "template"),
        ("{\"a\": {{ x }}}", .templatePlaceholder, 1, 7, "template"),
        ("{\n {{x}}: 1}", .templatePlaceholder, 2, 2, "template"),
        ("[{{{x}}}]", .templatePlaceholder, 1, 3, "template"),
        ("[{{#each a}} 1 {{/each}}]", .templatePlaceholder, 1, 2, "template"),
        ("[1, {% if a %} 2 {% endif %}]", .templatePlaceholder, 1, 5, "template"),
        ("[1 {{x}}]", .templatePlaceholder, 1, 4, "template"),
        ("[${x}]", .templatePlaceholder, 1, 2, "template"),
        ("[$(TEAM)]", .templatePlaceholder, 1, 2, "template"),
        ("[$TEAM]", .templatePlaceholder, 1, 2, "template"),
        ("[<%= x %>]", .templatePlaceholder, 1, 2, "template"),
        ("<% x %>[]", .templatePlaceholder, 1, 1, "template"),
        ("<?php echo 1;", .templatePlaceholder, 1, 1, "template"),
        ("[<TEAM>]", .templatePlaceholder, 1, 2, "template"),
        ("[__X__]", .templatePlaceholder, 1, 2, "template"),
        ("{__X__: 1}", .templatePlaceholder, 1, 2, "template"),
        ("[%X%]", .templatePlaceholder, 1, 2, "template"),
        ("[%@, %d]", .templatePlaceholder, 1, 2, "template"),
        ("[@X@]", .templatePlaceholder, 1, 2, "template"),
        ("[#{x}]", .templatePlaceholder, 1, 2, "template"),
        ("[{TEAM_ID}]", .templatePlaceholder, 1, 2, "template"),
        ("{\"a\": 1 ${x}}", .templatePlaceholder, 1, 9, "template"),
        ("{{\"a\": 1}}", .unexpectedByte, 1, 2, ""), ("{{}}", .unexpectedByte, 1, 2, ""),
    ]

    private static let others: [Mistake] = [
        ("<!DOCTYPE html>", .markup, 1, 1, "web page"), ("\n<html>", .markup, 2, 1, "web page"),
        ("<?xml version=\"1.0\"?>", .markup, 1, 1, "XML"),
        ("module.exports = {}", .sourceCode, 1, 1, "JavaScript"),
        ("\nexport default {}", .sourceCode, 2, 1, "JavaScript"),
        ("const x = {}", .sourceCode, 1, 1, "JavaScript"),
        ("var x={}", .sourceCode, 1, 1, "JavaScript"), ("x = {}", .sourceCode, 1, 1, "program"),
        ("callback({})", .sourceCode, 1, 1, "JavaScript"),
        ("function f() {}", .sourceCode, 1, 1, "JavaScript"),
        ("(function() {})()", .sourceCode, 1, 1, "JavaScript"),
        ("({})", .sourceCode, 1, 1, "program"), ("import Foundation", .sourceCode, 1, 1, "program"),
        ("namespace = 1", .sourceCode, 1, 1, "program"),
        ("Not Found", .unexpectedByte, 1, 1, "error message"),
        ("no route", .unexpectedByte, 1, 2, "error message"),
        ("True", .unexpectedByte, 1, 1, "write true"), ("[NULL]", .unexpectedByte, 1, 2, "null"),
        ("[nil]", .unexpectedByte, 1, 3, "write null"), ("[None]", .unexpectedByte, 1, 2, "null"),
        ("[NaN]", .unexpectedByte, 1, 2, "no such number"), ("[abc]", .unexpectedByte, 1, 2, "put"),
        ("[,1]", .unexpectedByte, 1, 2, "comma too many"),
        ("[1,,2]", .unexpectedByte, 1, 4, "comma too many"),
        ("[+1]", .unexpectedByte, 1, 2, "plus"), ("[.5]", .unexpectedByte, 1, 2, "digit"),
        ("{\"a\" = 1}", .unexpectedByte, 1, 6, "colon"),
        ("[\u{A0}1]", .unexpectedByte, 1, 2, "can't be seen"),
        ("[1,\u{FEFF}2]", .unexpectedByte, 1, 4, "can't be seen"),
        ("[\"C:\\d\"]", .badEscape, 1, 5, "\\\\"), ("[\"\t\"]", .controlCharacter, 1, 3, "\\t"),
    ]

    private static let all = punctuation + quotes + comments + placeholders + others

    @Test("are named where they start, with what to do about them", arguments: all)
    func mistake(
        text: String, kind: JSONFault.Kind, line: Int, column: Int, hint: String
    ) throws {
        let fault = try #require(JSONFault(in: text))
        #expect(fault.kind == kind)
        #expect((fault.line, fault.column) == (line, column))
        let position = JSONPosition(offset: fault.offset, in: Array(text.utf8))
        #expect((position.line, position.column) == (line, column))
        #expect(hint.isEmpty ? fault.hint == nil : fault.hint?.contains(hint) == true)
        #expect(!fault.expected.isEmpty)
    }

    @Test(
        "are named in texts that aren't UTF-8",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x31], "UTF-8"), ([0xFF, 0xFE, 0x31, 0], "UTF-16"),
            ([0xFE, 0xFF, 0, 0x31], "UTF-16"), ([0xFF, 0xFE, 0, 0, 0x31, 0, 0, 0], "UTF-32"),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x31], "UTF-32"),
        ] as [([UInt8], String)])
    func byteOrderMark(bytes: [UInt8], encoding: String) throws {
        let fault = try #require(JSONFault(in: bytes))
        #expect(fault.kind == .byteOrderMark && fault.offset == 0)
        #expect(fault.found == "a byte order mark of \(encoding)")
        #expect(fault.hint?.contains("UTF-8") == true)
    }

    @Test("hint at UTF-16 where it has no mark", arguments: [[0x7B, 0, 0x7D, 0], [0, 0x7B]])
    func unmarked(bytes: [UInt8]) throws {
        let fault = try #require(JSONFault(in: bytes))
        #expect(fault.kind == .unexpectedByte && fault.found == "byte 0x00")
        #expect(fault.hint?.contains("UTF-16") == true)
    }

    @Test("are all in these tables, but for what other tests are about")
    func completeness() {
        let named = Set(Self.all.map(\.kind))
        let elsewhere: Set<JSONFault.Kind> = [
            .unexpectedEnd, .invalidUTF8, .tooDeep, .tooLarge, .byteOrderMark,
        ]
        #expect(named.union(elsewhere) == Set(JSONFault.Kind.allCases))
        #expect(named.isDisjoint(with: elsewhere))
    }

    @Test("show one character of the text and no more")
    func found() {
        for (text, kind, _, _, _) in Self.all where kind != .badEscape {
            let found = JSONFault(in: text)?.found ?? ""
            let isQuoted = found.hasPrefix("\"") && found.hasSuffix("\"")
            let isName = ["a line break", "byte 0x09", "U+00A0", "U+FEFF"].contains(found)
            #expect(isQuoted && found.unicodeScalars.count == 3 || isName, "\(found) of \(text)")
        }
    }

    @Test("are no mistakes inside of strings")
    func insideOfStrings() throws {
        let pieces = [
            "// c", "/* c */", "# c", "{{x}}", "${x}", "<%= x %>", "__X__", "%X%", "NOT /a",
            "\u{201C}a\u{201D}", "it's", "<html>", "module.exports = 1;", "a, ]",
        ]
        let text = "[" + pieces.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let document = try JSONDocument(parsing: Array(text.utf8))
        #expect(document.root.elements.map { $0.string ?? "" } == pieces)
    }
}
