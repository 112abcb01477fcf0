// Diagnostics for the layers below JSON. Left out: Base64 and JSON, whose diagnostics `Payload`
// makes, because only it can map offsets back.

import JSON

extension Findings {
    /// Adds: the `%` at `offset` of the part is not followed by two hexadecimal digits.
    mutating func addBrokenPercent(
        _ severity: Diagnostic.Severity, _ text: EscapedText, at offset: Int
    ) {
        let shown = text.bytes[offset..<min(offset + 3, text.range.upperBound)]
        add(
            severity, .percent, "broken_percent_encoding", in: text.part, at: offset,
            expected: "% and two hexadecimal digits", found: Excerpt.quoted(shown),
            hint: Self.hint(onPercentBefore: shown.dropFirst(), of: text))
    }

    private static func hint(onPercentBefore rest: ArraySlice<UInt8>, of text: EscapedText)
        -> String
    {
        if rest.first == UInt8(ascii: "u") {
            return "%uXXXX is from JavaScript's escape(): use encodeURIComponent()"
        }
        // A number or word that ends in a percent sign is complete; JSON and Base64 can't end like
        // that.
        let start = text.unescaped().bytes
        let isStructure = start.firstVisible == UInt8(ascii: "{") || start.starts(with: "ey".utf8)
        let isCut = rest.count < 2 && (isStructure || text.endsAtLimit)
        return (isCut ? text.cutHint : nil) ?? "write a percent sign as %25"
    }

    /// Adds: the decoded text is not UTF-8 from its byte `offset` on.
    mutating func addInvalidUTF8(
        _ severity: Diagnostic.Severity, _ text: EscapedText, at offset: Int
    ) {
        let unescaped = text.unescaped().bytes.dropFirst(offset)
        add(
            severity, .utf8, "invalid_utf8", in: text.part,
            at: text.sourceOffset(ofUnescaped: offset), expected: "UTF-8",
            found: Excerpt.byte(unescaped),
            hint: "the text is of another encoding, such as ISO-8859-1: encode it as UTF-8")
    }
}

extension ArraySlice<UInt8> {
    /// The distance from the start to the first byte that is not UTF-8; nil if all are valid.
    var firstUTF8Fault: Int? {
        // Searches for the rare byte first: most text is ASCII, and this loop is tight.
        guard let index = firstIndex(where: { $0 >= 0x80 }) else { return nil }
        let rest = Array(self[index...])
        return UTF8Sequence.firstFault(in: rest, range: rest.indices).map {
            $0 + index - startIndex
        }
    }
}
