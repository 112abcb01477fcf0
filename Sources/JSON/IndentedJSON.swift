// JSON for people: a member a line. What a terminal would act upon is escaped, so the text means the
// same and shows everything.

import Text

/// JSON text in lines.
package enum IndentedJSON {
    /// The value's text, without a line end; empty arrays and objects stay on their line.
    ///
    /// O(size).
    package static func text(of node: JSONNode) -> [UInt8] {
        var text: [UInt8] = []
        append(node, indent: 0, to: &text)
        return text
    }

    /// The reader has bounded the depth.
    private static func append(_ node: JSONNode, indent: Int, to text: inout [UInt8]) {
        switch node.kind {
        case .object where node.count > 0:
            text.append(UInt8(ascii: "{"))
            for (index, member) in node.members.enumerated() {
                begin(index, indent + 1, &text)
                appendScalar(member.name, to: &text)
                text += ": ".utf8
                append(member.value, indent: indent + 1, to: &text)
            }
            end(UInt8(ascii: "}"), indent, &text)
        case .array where node.count > 0:
            text.append(UInt8(ascii: "["))
            for (index, element) in node.elements.enumerated() {
                begin(index, indent + 1, &text)
                append(element, indent: indent + 1, to: &text)
            }
            end(UInt8(ascii: "]"), indent, &text)
        case .object: text += "{}".utf8
        case .array: text += "[]".utf8
        default: appendScalar(node, to: &text)
        }
    }

    private static func begin(_ index: Int, _ indent: Int, _ text: inout [UInt8]) {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\n"))
        text += repeatElement(UInt8(ascii: " "), count: indent * 2)
    }

    private static func end(_ bracket: UInt8, _ indent: Int, _ text: inout [UInt8]) {
        text.append(UInt8(ascii: "\n"))
        text += repeatElement(UInt8(ascii: " "), count: indent * 2)
        text.append(bracket)
    }

    /// A scalar as it is written, but for what is hidden.
    private static func appendScalar(_ node: JSONNode, to text: inout [UInt8]) {
        if node.text.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            text += node.text
            return
        }
        for scalar in String(decoding: node.text, as: UTF8.self).unicodeScalars {
            if !TerminalText.isHidden(scalar) {
                text += String(scalar).utf8
                continue
            }
            for unit in String(scalar).utf16 {
                text += "\\u\(Hexadecimal.text(unit, digits: 4))".utf8
            }
        }
    }
}
