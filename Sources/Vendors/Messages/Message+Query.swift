// Parses queries and forms: `name=value` pairs separated by `&`.
//
// Rules of the vendor document: split at `&`, then at the first `=`, then percent-decode; `+` is a
// plus sign in a query and a space in a form.

import JSON

extension Message {
    /// The start of the query in `target`, after the first `?` (RFC 3986 §3.4); nil without one.
    static func startOfQuery(in target: [UInt8]) -> Int? {
        let text = target.span
        let mark = UInt8(ascii: "#")
        let question = text.place(of: UInt8(ascii: "?"), or: mark, from: 0, to: text.count)
        return question < text.count && text[question] != mark ? question + 1 : nil
    }

    /// Adds the parameters in `range` of a part, up to the `#` that ends a query; skips empty
    /// pairs.
    mutating func addParameters(
        in range: Range<Int>, of part: Diagnostic.Part, escaping: EscapedText.Escaping
    ) {
        let bytes = bytes(of: part)
        let separator = UInt8(ascii: "&")
        let limit = escaping == .query ? UInt8(ascii: "#") : separator
        var start = range.lowerBound
        while start < range.upperBound {
            let (equals, end) = Self.pair(
                in: bytes, start..<range.upperBound, to: separator, or: limit)
            if start < end {
                addParameter(
                    name: EscapedText(
                        part: part, bytes: bytes, range: start..<equals, escaping: escaping),
                    value: min(equals + 1, end)..<end)
            }
            if end < range.upperBound, bytes[end] != separator { break }
            start = end + 1
        }
    }

    /// The ends of the name and of the whole pair at the start of `range`.
    private static func pair(
        in bytes: [UInt8], _ range: Range<Int>, to separator: UInt8, or limit: UInt8
    ) -> (equals: Int, end: Int) {
        let text = bytes.span
        let start = range.lowerBound
        let end =
            limit == separator
            ? text.place(of: separator, from: start, to: range.upperBound)
            : text.place(of: separator, or: limit, from: start, to: range.upperBound)
        return (text.place(of: UInt8(ascii: "="), from: start, to: end), end)
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
