// What a document says of its values.
// Left out: what it refuses, which is in `GrammarTests`.

import JSON
import Testing

@Suite("Values of a document")
struct NodeTests {
    private let document: JSONDocument

    init() throws {
        document = try JSONDocument(parsing: Array(RichDocument.text.utf8))
    }

    @Test("finds members by name, also by an escaped one")
    func members() {
        let root = document.root
        #expect(root.kind == .object)
        #expect(root["name"]?.string == "Crème \"brûlée\"")
        #expect(root["escaped"]?.int == 1)
        #expect(root["missing"] == nil)
        #expect(root["name"]?["x"] == nil)
        #expect(root.members.map { $0.name.string ?? "" }.first == "name")
    }

    @Test("sees every member of a name that repeats, and answers with the first")
    func duplicates() {
        let twice = document.root["twice"]
        #expect(twice?.members.map { $0.value.int } == [1, 2])
        #expect(twice?["k"]?.int == 1)
        #expect(twice?.count == 2)
    }

    @Test("finds a name by its code units, not by its looks (RFC 8259 §8.3)")
    func codeUnits() throws {
        let object = try JSONDocument(parsing: Array(#"{"e\u0301":1,"\u00e9":2}"#.utf8)).root
        #expect(object["\u{E9}"]?.int == 2)
        #expect(object["e\u{301}"]?.int == 1)
    }

    @Test("finds elements by index")
    func elements() {
        let list = document.root["list"]
        #expect(list?.count == 5)
        #expect(list?[0]?.bool == true)
        #expect(list?[2]?.kind == .null)
        #expect(list?[4]?["deep"]?[1]?.int == 7)
        #expect(list?[5] == nil)
        #expect(list?[-1] == nil)
        #expect(document.root[0] == nil)
        #expect(document.root.elements.map(\.kind).isEmpty)
        #expect(document.root["empty"]?.count == 0)
    }

    @Test("keeps scalars as they were written")
    func text() throws {
        let number = try #require(document.root["number"])
        #expect(String(decoding: number.text, as: UTF8.self) == "-1.50E+2")
        #expect(number.double == -150)
        #expect(number.int == nil)
        #expect(String(decoding: document.root["empty"]?.text ?? [], as: UTF8.self) == "[ ]")
    }

    @Test(
        "reads integers only when they are written as such and fit",
        arguments: [
            ("0", 0), ("-0", 0), ("-7", -7), ("9223372036854775807", Int.max),
            ("-9223372036854775808", Int.min), ("9223372036854775808", nil),
            ("-9223372036854775809", nil), ("2.0", nil), ("1e2", nil), ("\"1\"", nil),
            ("99999999999999999999999", nil),
        ] as [(String, Int?)])
    func integers(text: String, expected: Int?) throws {
        #expect(try JSONDocument(parsing: Array(text.utf8)).root.int == expected)
    }

    @Test(
        "reads doubles that exist",
        arguments: [("0.1", 0.1), ("-0.0", -0.0), ("1e308", 1e308), ("1e999", nil), ("null", nil)]
            as [(String, Double?)])
    func doubles(text: String, expected: Double?) throws {
        #expect(try JSONDocument(parsing: Array(text.utf8)).root.double == expected)
    }

    @Test(
        "unescapes strings",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9A\u20AC""#, "éA€"),
            (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"),
            (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
            (#""\ud83dx\u0000""#, "\u{FFFD}x\u{0}"), (#""""#, ""),
        ])
    func strings(text: String, expected: String) throws {
        #expect(try JSONDocument(parsing: Array(text.utf8)).root.string == expected)
    }

    @Test("gives every kind only its own value")
    func kinds() throws {
        let values = try JSONDocument(parsing: Array(#"[{},[],"s",1,true,null]"#.utf8)).root
        #expect(values.elements.map(\.kind) == JSONNode.Kind.allCases)
        #expect(values.elements.filter { $0.string != nil }.map(\.kind) == [.string])
        #expect(values.elements.filter { $0.int != nil }.map(\.kind) == [.number])
        #expect(values.elements.filter { $0.double != nil }.map(\.kind) == [.number])
        #expect(values.elements.filter { $0.bool != nil }.map(\.kind) == [.boolean])
    }

    @Test("points at every value so that the pointer leads back to it")
    func pointers() {
        #expect(document.root.pointer == "")
        #expect(document.root["list"]?[4]?["deep"]?[1]?.pointer == "/list/4/deep/1")
        #expect(document.root["a/b~c"]?.pointer == "/a~1b~0c")
        #expect(document.root[""]?.pointer == "/")
        for member in document.root.members {
            #expect(member.name.pointer == member.value.pointer)
        }
    }

    @Test("knows offset, line and column")
    func positions() throws {
        let text = Array("[\n [\"é\", 1]\n]".utf8)
        let value = try #require(try JSONDocument(parsing: text).root[0]?[1])
        // Columns count bytes: the é before it takes two.
        #expect(value.position == JSONPosition(offset: 10, in: text))
        #expect((value.position.line, value.position.column) == (2, 9))
        #expect(JSONPosition(offset: 99, in: [0x0A]) == JSONPosition(offset: 1, in: [0x0A]))
    }

    @Test("drops whitespace between tokens and nothing else")
    func compact() throws {
        #expect(
            compact(document.root)
                == #"{"name":"Crème \"brûlée\"","number":-1.50E+2,"esc\u0061ped":1,"#
                + #""list":[true,"é \n ü",null,{},{"deep":[[],7]}],"twice":{"k":1,"k":2},"#
                + #""a/b~c":false,"":0,"empty":[]}"#)
        #expect(document.root["list"].map(compact)?.contains("\n") == false)
        #expect(document.root["number"].map(compact) == "-1.50E+2")
        #expect(document.root["name"].map(compact) == #""Crème \"brûlée\"""#)
    }

    private func compact(_ node: JSONNode) -> String {
        var text: [UInt8] = []
        node.appendCompact(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
