// Nothing that a peer sends may trap the reader.
// Seeded, so that a failure can be repeated.

import JSON
import Mutations
import Testing

@Suite("Hostile input")
struct HostileInputTests {
    private let rich = Array(RichDocument.text.utf8)

    @Test("refuses every truncation of a document for its end, or the half of a character there")
    func truncations() throws {
        for length in 0..<rich.count {
            let fault = try #require(JSONFault(in: Array(rich[..<length])))
            if fault.kind == .unexpectedEnd {
                #expect(fault.offset == length && fault.found == "the end of the text")
            } else {
                #expect(fault.kind == .invalidUTF8 && length - fault.offset < 4)
            }
        }
    }

    @Test("accepts the document itself, so that the truncations mean something")
    func whole() throws {
        _ = try JSONDocument(parsing: rich)
    }

    @Test("survives 100,000 mutations, and what it accepts can be walked")
    func mutations() {
        var random = SeededGenerator(seed: 0x1AFD_FA11)
        var accepted = 0
        for _ in 0..<100_000 {
            let bytes = random.mutation(of: rich)
            do {
                let document = try JSONDocument(parsing: bytes)
                accepted += 1
                _ = document.repeatedNames
                walk(document.root, within: bytes.count)
            } catch {
                #expect(0...bytes.count ~= error.offset)
                #expect(error.found.utf8.count < 40, "\(error.found)")
            }
        }
        #expect(accepted > 100)
    }

    @Test("survives pieces of mistakes anywhere in a document, and where it ends after them")
    func mistakes() {
        let pieces = [
            "{{", "}}", "{{x}}", "{%", "${", "$", "%", "%X%", "<%", "<?", "<?xml", "<", "@", "#",
            "#{",
            "//", "/", "/*", "__X__", "__", "NOT", "NOT \"", "'", "\u{201C}", "\u{201D}", "\n",
            "\r",
            "\"", "\\", "(", "=", ".", ";", ",", "module.exports =", "\u{FEFF}", "\u{A0}", "\0",
            "1 2",
        ]
        for piece in pieces {
            for index in 0...rich.count {
                let bytes = Array(rich[..<index]) + Array(piece.utf8)
                for text in [bytes, bytes + rich[index...]] {
                    guard let fault = JSONFault(in: text) else { continue }
                    #expect(0...text.count ~= fault.offset)
                }
            }
        }
    }

    private func walk(_ node: JSONNode, within length: Int) {
        #expect(!node.byteRange.isEmpty && node.byteRange.upperBound <= length)
        _ = (node.string, node.int, node.double, node.bool)
        for element in node.elements { walk(element, within: length) }
        for member in node.members {
            #expect(member.name.string != nil)
            walk(member.value, within: length)
        }
        var text: [UInt8] = []
        node.appendCompact(to: &text)
        #expect(!text.contains(UInt8(ascii: "\n")))
    }
}
