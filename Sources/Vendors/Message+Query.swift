// Queries and forms: `name=value` pairs between `&`.
//
// Rules of the vendor document: split at `&`, then at the first `=`, then percent-decode; `+` is a
// plus sign in a query and a space in a form.

import PositionedJSON

extension Message {
    /// Where the query of `target` stands; nil when there is none.
    ///
    /// RFC 3986 §3.4: from the first `?` to the first `#`, or the end.
    static func query(of target: [UInt8]) -> Range<Int>? {
        let text = target.span
        let (mark, end) = (UInt8(ascii: "#"), text.count)
        let question = text.place(of: UInt8(ascii: "?"), or: mark, from: 0, to: end)
        guard question < end, text[question] != mark else { return nil }
        return question + 1..<text.place(of: mark, or: mark, from: question + 1, to: end)
    }

    /// Adds the parameters in `range` of a part; empty pairs are skipped.
    mutating func addParameters(
        in range: Range<Int>, of part: Diagnostic.Part, escaping: EscapedText.Escaping
    ) {
        let bytes = bytes(of: part)
        var start = range.lowerBound
        while start < range.upperBound {
            let (equals, end) = Self.pair(in: bytes, from: start, to: range.upperBound)
            if start < end {
                addParameter(
                    name: EscapedText(
                        part: part, bytes: bytes, range: start..<equals, escaping: escaping),
                    value: min(equals + 1, end)..<end)
            }
            start = end + 1
        }
    }

    /// Where the name and the whole of the pair that starts at `start` end.
    private static func pair(
        in bytes: [UInt8], from start: Int, to limit: Int
    ) -> (equals: Int, end: Int) {
        let text = bytes.span
        let ampersand = UInt8(ascii: "&")
        let equals = text.place(of: UInt8(ascii: "="), or: ampersand, from: start, to: limit)
        return (equals, text.place(of: ampersand, or: ampersand, from: equals, to: limit))
    }

    private mutating func addParameter(name: EscapedText, value: Range<Int>) {
        let isPlain = name.isPlain
        let range =
            isPlain ? name.range : repair(Repaired(name, findings: &findings).bytes)
        add(
            Parameter(
                nameSource: isPlain ? .part : .repaired, nameRange: range, part: name.part,
                offset: name.range.lowerBound, valueRange: value, escaping: name.escaping))
    }
}
